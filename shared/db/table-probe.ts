import { createDynamoClient, createSdkDynamo } from './dynamo/sdk-dynamo.ts';
import { readinessKey } from './keys.ts';
import { createTable } from './table.ts';

/** Checks whether the table answers. Rejects when it does not within a second or two. */
export function createTableProbe(tableName: string): () => Promise<unknown> {
  const client = createDynamoClient({
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 500, requestTimeout: 1500, throwOnRequestTimeout: true },
  });
  const table = createTable({ tableName, dynamo: createSdkDynamo(client) });
  return () => table.get(readinessKey);
}
