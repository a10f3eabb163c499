import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { SQSClient } from '@aws-sdk/client-sqs';
import { startEngines } from '../../../infra/local/services/start-engines.ts';
import { createShutdown } from '../../../infra/local/shutdown.ts';
import { synthesize } from '../../../infra/local/synthesis.ts';
import { readSynthesizedApp } from '../../../infra/local/template.ts';
import { newFolder } from '../new-folder.ts';

type Json = any;
export interface TemplateResource {
  logicalId: string;
  Type: string;
  Properties: Json;
}

/** The resources of all templates of an app, to be changed in place. */
export type Change = (resources: TemplateResource[]) => void;

/** The folder of a copy of the synthesized app, with one thing changed in its templates. */
async function changedApp(change: Change = () => undefined): Promise<string> {
  const original = await synthesize(() => undefined);
  const folder = newFolder();
  const files = await readdir(original);
  const templates = new Map<string, Json>();
  for (const file of files) {
    if (file.endsWith('.template.json')) templates.set(file, JSON.parse(await readFile(join(original, file), 'utf8')));
    else await symlink(join(original, file), join(folder, file));
  }
  change(
    [...templates.values()].flatMap(({ Resources }) =>
      Object.entries<Json>(Resources).map(([logicalId, resource]) => {
        resource.Properties ??= {};
        return Object.assign(resource, { logicalId });
      }),
    ),
  );
  for (const [file, template] of templates) await writeFile(join(folder, file), JSON.stringify(template));
  return folder;
}

/** What a resource says whose logical id begins so, the first of its type where none is named. */
export function propertiesOf(resources: readonly TemplateResource[], type: string, logicalId = ''): Json {
  const found = resources.find((resource) => resource.Type === type && resource.logicalId.startsWith(logicalId));
  if (!found) throw new Error(`There is no ${type} ${logicalId}.`);
  return found.Properties;
}

/** The statements of what a function's role allows. */
export function statementsOf(resources: readonly TemplateResource[], functionName: string): Json[] {
  const role = functionName.replaceAll('-', '');
  return propertiesOf(resources, 'AWS::IAM::Policy', `${role}RoleDefaultPolicy`).PolicyDocument.Statement;
}

const tableActions = ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'];

/** Lets a function's role do these things to the table, and nothing else. */
export function allowTable(
  resources: readonly TemplateResource[],
  functionName: string,
  { actions = tableActions, indexes = ['list', 'pending'], condition }: { actions?: string[]; indexes?: string[]; condition?: Json } = {},
): void {
  const statements = statementsOf(resources, functionName);
  const arn = statements
    .flatMap(({ Resource }) => [Resource].flat())
    .find((one) => /FnGetAttTable[0-9A-F]+Arn/.test(one['Fn::ImportValue'] ?? ''));
  if (!arn) throw new Error(`${functionName} has nothing to do with the table.`);
  const others = statements.filter(({ Action }) => ![Action].flat().some((action: string) => action.startsWith('dynamodb:')));
  const Resource = [arn, ...indexes.map((index) => ({ 'Fn::Join': ['', [arn, `/index/${index}`]] }))];
  const Action = actions.map((action) => `dynamodb:${action}`);
  statements.splice(0, statements.length, ...others, { Effect: 'Allow', Action, Resource, ...(condition && { Condition: condition }) });
}

/** The engines of an app as functions meet them, without the functions, over the table engine of the run. */
export async function startGuardedEngines(change?: Change, settings: NodeJS.ProcessEnv = {}) {
  const env: NodeJS.ProcessEnv = { DYNAMODB_ENDPOINT: process.env['AWS_ENDPOINT_URL_DYNAMODB'], ...settings };
  const folder = await changedApp(change);
  const { register, stop } = createShutdown();
  const before = { ...process.env };
  Object.assign(process.env, { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' });
  delete process.env['AWS_ENDPOINT_URL_DYNAMODB'];
  try {
    const app = readSynthesizedApp(folder);
    const directory = env['DATA_DIR'];
    const engines = await startEngines(app, { env, directory, address: 'http://127.0.0.1:1' }, register);
    const [table] = app.ofType('AWS::DynamoDB::GlobalTable');
    const credentialsOf = (functionName: string) => engines.control.identities.of(functionName);
    return {
      app,
      engines,
      tableName: app.madeOf(table!).ref,
      /** The local resource whose logical id begins so. */
      made: (type: string, logicalId: string) => app.madeOf(app.ofType(type).find(({ id }) => id.split('.')[1]!.startsWith(logicalId))!),
      credentialsOf,
      /** The clients that a function would make. */
      as(functionName: string, change: Partial<ReturnType<typeof credentialsOf>> = {}, elsewhere: Partial<typeof engines.endpoints> = {}) {
        const { accessKeyId, secretAccessKey, sessionToken } = { ...credentialsOf(functionName), ...change };
        const common = {
          region: 'us-east-1',
          maxAttempts: 1,
          credentials: { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) },
        };
        const endpoints = { ...engines.endpoints, ...elsewhere };
        return {
          table: new DynamoDBClient({ ...common, endpoint: endpoints.AWS_ENDPOINT_URL_DYNAMODB }),
          queues: new SQSClient({ ...common, endpoint: endpoints.AWS_ENDPOINT_URL_SQS }),
          store: new S3Client({ ...common, endpoint: endpoints.AWS_ENDPOINT_URL_S3, forcePathStyle: true }),
          mail: new SESv2Client({ ...common, endpoint: endpoints.AWS_ENDPOINT_URL_SESV2 }),
          secrets: new SecretsManagerClient({ ...common, endpoint: endpoints.AWS_ENDPOINT_URL_SECRETS_MANAGER }),
        };
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    process.env = before;
  }
}

export type GuardedEngines = Awaited<ReturnType<typeof startGuardedEngines>>;
