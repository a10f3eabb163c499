import { type App, CfnOutput, type Stack, Tags, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { readSettings } from '../shared/config.ts';
import { addEdgeAlarms } from './alarms/edge-alarms.ts';
import { OperationsStack } from './alarms/operations-stack.ts';
import type { Bundle } from './bundles/bundle-functions.ts';
import type { FunctionDefinition } from './bundles/find-functions.ts';
import { signInAddresses } from './constructs/sign-in/addresses.ts';
import { localDeployment, readDeployment } from './settings/deployment.ts';
import { readEdgeSettings } from './settings/edge-settings.ts';
import { type OperatorSettings, settingsGiven } from './settings/operator-settings.ts';
import { ApiStack } from './stacks/api-stack.ts';
import { checkOperatorSettings } from './stacks/check-settings.ts';
import { DataStack } from './stacks/data-stack.ts';
import { EdgeStack } from './stacks/edge-stack.ts';
import { IdentityStack } from './stacks/identity-stack.ts';
import { WorkerStack } from './stacks/worker-stack.ts';

export interface ServiceOptions {
  functions: readonly FunctionDefinition[];
  bundles: ReadonlyMap<string, Bundle>;
  /** `local` is synthesized without the operator's settings, for the local stack. */
  stage: string;
  operator: OperatorSettings;
}

/** The whole service: data, API, workers, and what watches them. */
export function addService(app: App, { functions, bundles, stage, operator: given }: ServiceOptions) {
  const name = (part: string) => `license-service-${stage}-${part}`;
  const givenByOperator = stage === 'local' ? undefined : given;
  const functionNames = functions.map((definition) => definition.name);
  if (givenByOperator) checkOperatorSettings(givenByOperator, functionNames);
  const edgeSettings = givenByOperator && readEdgeSettings(givenByOperator);
  const deployment = givenByOperator ? readDeployment(givenByOperator, functionNames) : localDeployment;
  const secretPrefix = `license-service/${stage}`;
  const place = { env: deployment.env, terminationProtection: stage === 'production' };
  const identity = deployment.userPool
    ? new IdentityStack(app, name('identity'), { ...place, ...deployment.userPool, stage, publicBaseUrl: given['PUBLIC_BASE_URL'] ?? '' })
    : undefined;
  const operator: OperatorSettings | undefined = givenByOperator && { ...identity?.settings, ...settingsGiven(givenByOperator) };
  const data = new DataStack(app, name('data'), {
    ...place,
    secretPrefix,
    forCloud: operator && {
      pageOrigins: pageOriginsIn(operator),
      mailSender: { address: operator['MAIL_FROM'] ?? '', identity: deployment.mailIdentity },
      // Where clamd scans nobody would read GuardDuty's reports, which are charged by the byte.
      guardDuty: !operator['CLAMD_URL'],
      restoredStream: deployment.restoredStream,
    },
  });
  const common = { ...place, shared: { data, operator, deployment, bundles } };
  const api = new ApiStack(app, name('api'), { ...common, functions: functions.filter(({ routes }) => routes.length > 0) });
  const workers = new WorkerStack(app, name('workers'), { ...common, functions: functions.filter(({ routes }) => routes.length === 0) });
  const operations = new OperationsStack(app, name('operations'), { ...place, data, api, workers });
  const edge =
    edgeSettings &&
    new EdgeStack(app, name('edge'), { ...place, data, secretName: `${secretPrefix}/ORIGIN_SECRET`, settings: edgeSettings });
  if (edge) addEdgeAlarms(edge, edge.distribution, edge.stackName);
  if (operator) addSignInOutputs(api, operator['PUBLIC_BASE_URL'] ?? '');
  // Who is to be refused without the secret of the CDN must be able to come through it before.
  if (edge) api.addStackDependency(edge);
  Tags.of(app).add('service', 'license-service');
  Tags.of(app).add('stage', stage);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  acknowledgeFindings({ data, api, edge });
  return { data, api, workers, operations, edge, identity };
}

/** What to enter at an identity provider that is not made here. */
function addSignInOutputs(api: Stack, publicBaseUrl: string): void {
  const { callbacks, logouts, scopes } = signInAddresses(publicBaseUrl);
  const output = (id: string, values: readonly string[], description: string) =>
    new CfnOutput(api, id, { value: values.join(' '), description });
  output('ConsoleCallbacks', callbacks, 'Where the identity provider may lead back to after signing in to the console.');
  output('ConsoleLogouts', logouts, 'The same after signing out.');
  output('ConsoleScopes', scopes, 'What the console asks the identity provider for.');
}

/** Findings of the best-practice checks that are meant to be so, each with its reason. */
function acknowledgeFindings({ data, api, edge }: { data: DataStack; api: ApiStack; edge: EdgeStack | undefined }): void {
  Validations.of(data).acknowledge(
    {
      id: 'AwsSolutions-S1',
      reason: 'Access logs would record presigned URLs, which are secrets; our functions record whom they give one to.',
    },
    {
      id: 'AwsSolutions-SMG4',
      reason: 'The provider and the operator rotate these: each holds a list of versions, and retiring one is a decision.',
    },
  );
  Validations.of(api).acknowledge({
    id: 'AwsSolutions-APIG4',
    reason: 'Handlers authenticate, because a gateway authorizer cannot reply with our Error body.',
  });
  if (!edge) return;
  Validations.of(edge).acknowledge(
    { id: 'AwsSolutions-CFR1', reason: 'Apps are sold and run anywhere.' },
    {
      id: 'AwsSolutions-CFR3',
      reason:
        'A delivery of CloudWatch Logs takes the access log, which lets us leave out queries; the check knows the bucket of the older kind alone.',
    },
  );
}

/** From where pages reach the bucket: our own console, and those of others. */
function pageOriginsIn(operator: OperatorSettings): string[] {
  const own = URL.parse(operator['PUBLIC_BASE_URL'] ?? '')?.origin;
  return [...new Set([...(own === undefined ? [] : [own]), ...readSettings(['CONSOLE_ORIGINS'], operator).CONSOLE_ORIGINS])];
}
