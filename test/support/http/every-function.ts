import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type FunctionDefinition, findFunctions } from '../../../infra/bundles/find-functions.ts';
import { settingNames } from '../../../shared/config.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { queueSettings } from '../../../shared/queue/messages.ts';
import { pagesFolder } from '../page-assets.ts';

/** Nothing listens there: what needs the provider or a queue may be answered with 503. */
const nowhere = 'http://127.0.0.1:9';

const secretOf = (name: string) => `1:${createHash('sha256').update(name).digest('base64')}`;
const secrets = {
  PAYMENT_SECRET_KEY: 'sk_test_local',
  PAYMENT_WEBHOOK_SECRET: 'whsec_local_platform',
  PAYMENT_CONNECT_WEBHOOK_SECRET: 'whsec_local_connect',
  LICENSE_PEPPERS: secretOf('pepper'),
  ENCRYPTION_KEYS: secretOf('encryption'),
  TOKEN_KEYS: secretOf('token'),
  LEASE_KEYS: secretOf('lease'),
  CALLER_HASH_KEY: 'the key of the callers’ names',
};

/** What must be in no log: the secrets of the functions, without the names of their versions. */
export const secretValues = Object.values(secrets).map((secret) => secret.replace(/^1:/, ''));

const environment: Record<string, string> = {
  ...secrets,
  LAMBDA_TASK_ROOT: pagesFolder,
  STAGE: 'local',
  AUTH_MODE: 'local',
  ADMIN_ALLOWLIST: 'admin@example.com',
  CONSOLE_CLIENT_ID: 'console',
  PUBLIC_BASE_URL: 'http://127.0.0.1:3000',
  PAYMENT_API_BASE: nowhere,
  MAIL_FROM: 'licenses@example.com',
  MAIL_CONFIGURATION_SET: 'mails',
  AWS_ENDPOINT_URL_SQS: nowhere,
  AWS_ENDPOINT_URL_S3: nowhere,
  ...Object.fromEntries(settingNames.filter((name) => name.startsWith('RATE_LIMIT_')).map((name) => [name, '0'])),
  ...Object.fromEntries(queueSettings.map((name) => [name, `${nowhere}/000000000000/${name}`])),
};

export interface ServedFunction extends FunctionDefinition {
  handler: (event: any, context: any) => Promise<any>;
  endpoints: readonly Endpoint<any>[];
}

/** Every function that serves requests, as it is started in Lambda; without limits unless `changes` of the environment set them. */
export async function serveEveryFunction(tableName: string, changes: Record<string, string> = {}): Promise<ServedFunction[]> {
  Object.assign(process.env, environment, changes, { TABLE_NAME: tableName });
  const served: ServedFunction[] = [];
  for (const definition of await findFunctions()) {
    // Without a build there is no site for `docs` to serve.
    if (definition.routes.length === 0 || definition.name === 'docs') continue;
    const { handler } = await import(definition.entry);
    const { routes } = await import(join(definition.folder, 'routes.ts'));
    served.push({ ...definition, handler, endpoints: routes });
  }
  return served;
}
