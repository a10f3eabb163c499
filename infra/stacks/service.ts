import { type App, Tags, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { readSettings } from '../../shared/config.ts';
import type { Bundle } from '../bundles/bundle-functions.ts';
import type { FunctionDefinition } from '../bundles/find-functions.ts';
import { localDeployment, readDeployment } from '../deployment.ts';
import { readEdgeSettings } from '../edge-settings.ts';
import { checkOperatorSettings, type OperatorSettings } from '../settings.ts';
import { ApiStack } from './api-stack.ts';
import { DataStack } from './data-stack.ts';
import { EdgeStack } from './edge-stack.ts';
import { OperationsStack } from './operations-stack.ts';
import { WorkerStack } from './worker-stack.ts';

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
  const operator = stage === 'local' ? undefined : given;
  const edgeSettings = operator && readEdgeSettings(operator);
  const secretPrefix = `license-service/${stage}`;
  const deployment = operator
    ? readDeployment(
        operator,
        functions.map((definition) => definition.name),
      )
    : localDeployment;
  const place = { env: deployment.env, terminationProtection: stage === 'production' };
  const data = new DataStack(app, name('data'), {
    ...place,
    secretPrefix,
    forCloud: operator && {
      pageOrigins: pageOriginsIn(operator),
      // A missing one is refused below, with all others that are missing.
      mailSender: { address: operator['MAIL_FROM'] ?? '', identity: deployment.mailIdentity },
      // Where clamd scans nobody would read GuardDuty's reports, which are charged by the byte.
      guardDuty: !operator['CLAMD_URL'],
      restoredStream: deployment.restoredStream,
    },
  });
  if (operator)
    checkOperatorSettings(
      functions.flatMap(({ settingNames }) => settingNames),
      data,
      operator,
    );
  const common = { ...place, shared: { data, operator, deployment, bundles } };
  const api = new ApiStack(app, name('api'), { ...common, functions: functions.filter(({ routes }) => routes.length > 0) });
  const workers = new WorkerStack(app, name('workers'), { ...common, functions: functions.filter(({ routes }) => routes.length === 0) });
  const operations = new OperationsStack(app, name('operations'), { ...place, data, api, workers });
  const edge =
    edgeSettings &&
    new EdgeStack(app, name('edge'), {
      data,
      secretName: `${secretPrefix}/ORIGIN_SECRET`,
      settings: edgeSettings,
      terminationProtection: place.terminationProtection,
    });
  // Who is to be refused without the secret of the CDN must be able to come through it before.
  if (edge) api.addStackDependency(edge);
  Tags.of(app).add('service', 'license-service');
  Tags.of(app).add('stage', stage);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  acknowledgeFindings({ data, api, edge });
  return { data, api, workers, operations, edge };
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

/** From where pages reach the bucket: our own console, and those of others. A missing address is refused with all else that is missing. */
function pageOriginsIn(operator: OperatorSettings): string[] {
  const own = URL.parse(operator['PUBLIC_BASE_URL'] ?? '')?.origin;
  return [...new Set([...(own === undefined ? [] : [own]), ...readSettings(['CONSOLE_ORIGINS'], operator).CONSOLE_ORIGINS])];
}
