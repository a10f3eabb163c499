import { createHash } from 'node:crypto';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { CloudAssembly } from 'aws-cdk-lib/cx-api';
import { type FunctionDefinition, findFunctions } from '../../infra/bundles/find-functions.ts';
import { cacheOutput } from '../../infra/local/cached-outputs.ts';
import { contextOfApp } from '../../infra/local/synthesis.ts';
import { addService } from '../../infra/service.ts';

/** What an operator has to give, and nothing more. */
export const operatorSettings = {
  AUTH_MODE: 'oidc',
  ADMIN_ALLOWLIST: 'sub:admin-1',
  OIDC_ISSUER: 'https://id.example.com',
  OIDC_AUDIENCE: 'licenses',
  PUBLIC_BASE_URL: 'https://licenses.example.com',
  MAIL_FROM: 'licenses@example.com',
};

/** Of an operator who has a provider of identities, a CDN and a scanner already, and restored the table. */
export const ownSettings = {
  ...operatorSettings,
  OIDC_AUDIENCE: 'licenses,console',
  CONSOLE_CLIENT_ID: 'console',
  ORIGIN_REQUIRED: 'true',
  CLAMD_URL: 'tcp://clamd.internal:3310',
  MAIL_IDENTITY: 'existing',
  ROLLOUT: 'at-once',
  RESTORED_TABLE_STREAM_ARN: 'arn:aws:dynamodb:ap-northeast-1:111122223333:table/restored-0131/stream/2026-01-31T09:00:00.000',
};

type Settings = Record<string, string | undefined>;
export type Synthesized = Awaited<ReturnType<typeof synthesizeAt>>;

/** The constructs of the app at a stage, without its code. */
export async function constructAt(
  stage: string,
  settings: Settings = operatorSettings,
  {
    outdir,
    change = (functions) => functions,
  }: { outdir?: string; change?: (functions: FunctionDefinition[]) => FunctionDefinition[] } = {},
) {
  const app = new App({ context: contextOfApp(), ...(outdir !== undefined && { outdir }) });
  const functions = change(await findFunctions());
  const stacks = addService(app, { functions, bundles: new Map(), stage, operator: { ...settings, STAGE: stage } });
  return { app, stacks };
}

/** The app at a stage, without its code, and the template of each stack. It is synthesized once for the same settings. */
export async function synthesizeAt(stage: string, settings: Settings = operatorSettings) {
  const key = createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 8);
  const folder = await cacheOutput(`${stage}-${key}`, async (outdir) => {
    const { app } = await constructAt(stage, settings, { outdir });
    app.synth();
  });
  const assembly = new CloudAssembly(folder);
  const stackOf = (part: string) => assembly.getStackByName(`license-service-${stage}-${part}`);
  const [data, api, workers, operations] = [stackOf('data'), stackOf('api'), stackOf('workers'), stackOf('operations')];
  const identity = assembly.stacks.find(({ stackName }) => stackName.endsWith('-identity'));
  const edge = assembly.stacks.find(({ stackName }) => stackName.endsWith('-edge'));
  return {
    assembly,
    functions: await findFunctions(),
    stacks: { data, api, workers, operations, edge },
    templates: {
      data: Template.fromJSON(data.template),
      api: Template.fromJSON(api.template),
      workers: Template.fromJSON(workers.template),
      operations: Template.fromJSON(operations.template),
    },
    identityTemplate: identity && Template.fromJSON(identity.template),
    edgeTemplate: edge && Template.fromJSON(edge.template),
  };
}
