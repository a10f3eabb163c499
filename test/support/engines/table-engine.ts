import { randomUUID } from 'node:crypto';
import { DeleteTableCommand, paginateListTables } from '@aws-sdk/client-dynamodb';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { startDynamoDb } from '../../../infra/local/engines/dynamodb-engine.ts';
import { type Engine, StartError } from '../../../infra/local/engines/engine.ts';
import { DataStack } from '../../../infra/stacks/data-stack.ts';
import { createDynamoClient } from '../../../shared/db/dynamo/sdk-dynamo.ts';

/**
 * Starts a DynamoDB engine, or takes the one DYNAMODB_ENDPOINT names, and leaves in the environment
 * what `createTestTable` needs to make tables in it from the deployed template.
 *
 * @throws StartError when there is neither
 */
export async function startTableEngine(): Promise<Engine> {
  Object.assign(process.env, { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' });
  const named = process.env['DYNAMODB_ENDPOINT'];
  const engine = named ? await useTableEngine(named) : await startDynamoDb();
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = engine.endpoint;
  process.env['TEST_TABLE_PROPERTIES'] = JSON.stringify(tableProperties());
  return engine;
}

/** An engine that outlives the run: the run's tables must not stay in it. */
async function useTableEngine(endpoint: string): Promise<Engine> {
  const prefix = `test-${randomUUID().slice(0, 8)}-`;
  process.env['TEST_TABLE_PREFIX'] = prefix;
  const ownTables = async (): Promise<string[]> => {
    const client = createDynamoClient({ endpoint });
    const names: string[] = [];
    for await (const { TableNames = [] } of paginateListTables({ client }, {})) names.push(...TableNames);
    return names.filter((name) => name.startsWith(prefix));
  };
  try {
    await ownTables();
  } catch (error) {
    throw new StartError(`DYNAMODB_ENDPOINT cannot be used: ${error instanceof Error ? error.message || error.name : error}`);
  }
  return {
    endpoint,
    async stop() {
      const client = createDynamoClient({ endpoint });
      for (const TableName of await ownTables()) await client.send(new DeleteTableCommand({ TableName }));
    },
  };
}

function tableProperties(): unknown {
  // `npm run synth` has CloudFormation's rules checked; here they would only cost seconds.
  process.env['CDK_VALIDATION'] = 'false';
  const stack = new DataStack(new App(), 'Data', { env: { region: 'us-east-1' } });
  const [table] = Object.values(Template.fromStack(stack).findResources('AWS::DynamoDB::GlobalTable'));
  return table?.['Properties'];
}
