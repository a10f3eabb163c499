import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { startDynamoDb } from '../../../infra/local/engines/dynamodb-engine.ts';
import type { Engine } from '../../../infra/local/engines/engine.ts';
import { DataStack } from '../../../infra/stacks/data-stack.ts';

/** Starts a DynamoDB engine, and leaves in the environment what `createTestTable` needs to make tables in it from the deployed template. */
export async function startTableEngine(): Promise<Engine> {
  const engine = await startDynamoDb();
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = engine.endpoint;
  process.env['AWS_REGION'] = 'us-east-1';
  process.env['AWS_ACCESS_KEY_ID'] = 'local';
  process.env['AWS_SECRET_ACCESS_KEY'] = 'local';
  process.env['TEST_TABLE_PROPERTIES'] = JSON.stringify(tableProperties());
  return engine;
}

function tableProperties(): unknown {
  // `npm run synth` has CloudFormation's rules checked; here they would only cost seconds.
  process.env['CDK_VALIDATION'] = 'false';
  const stack = new DataStack(new App(), 'Data', { env: { region: 'us-east-1' } });
  const [table] = Object.values(Template.fromStack(stack).findResources('AWS::DynamoDB::GlobalTable'));
  return table?.['Properties'];
}
