import { checkTable } from '../../../../infra/commands/ops/check/check-table.ts';
import { createDynamoClient } from '../../../../shared/db/dynamo/sdk-dynamo.ts';

/** What operators would be told is wrong with a test's table as it is now. */
export function createTableCheck(tableName: string): () => Promise<string[]> {
  const client = createDynamoClient({
    endpoint: process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '',
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  return async () => {
    const faults: string[] = [];
    const wait = async () => undefined;
    await checkTable({ client, tableName, segments: 1, unitsPerSecond: 1e6, wait, onFault: (fault) => void faults.push(fault) });
    return faults;
  };
}
