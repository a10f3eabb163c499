import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { DataStack } from '../../infra/data-stack.ts';
import { startDynamoDb } from '../../infra/local/dynamodb-engine.ts';
import type { Engine } from '../../infra/local/engine.ts';
import { createOpenApiDocument } from '../../infra/openapi/document.ts';

declare global {
  var engines: Engine[];
}

/** One DynamoDB engine for all tests of a run; each test makes its own table in it, from the deployed template. */
export default async function startEngines(): Promise<void> {
  const dynamodb = await startDynamoDb();
  globalThis.engines = [dynamodb];
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = dynamodb.endpoint;
  process.env['AWS_REGION'] = 'us-east-1';
  process.env['AWS_ACCESS_KEY_ID'] = 'local';
  process.env['AWS_SECRET_ACCESS_KEY'] = 'local';
  process.env['TEST_TABLE_PROPERTIES'] = JSON.stringify(tableProperties());
  await describeInterface();
}

/** Where the tests find the description of the interface, and note which of its statuses they exercised. */
async function describeInterface(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  process.env['OPENAPI_DOCUMENT'] = join(folder, 'openapi.json');
  process.env['CONFORMANCE_RECORD'] = join(folder, 'exercised');
  mkdirSync(process.env['CONFORMANCE_RECORD']);
  writeFileSync(process.env['OPENAPI_DOCUMENT'], JSON.stringify(await createOpenApiDocument()));
}

function tableProperties(): unknown {
  const stack = new DataStack(new App(), 'Data', { env: { region: 'us-east-1' } });
  const [table] = Object.values(Template.fromStack(stack).findResources('AWS::DynamoDB::GlobalTable'));
  return table?.['Properties'];
}
