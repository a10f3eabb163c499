import { DeleteItemCommand, type DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item } from '../../../shared/db/table.ts';
import type { TestTable } from './test-table.ts';

type Place = Pick<TestTable, 'client' | 'tableName'>;

/** Every item of the table, in the order of their keys. */
export async function readContents({ client, tableName }: Place): Promise<Item[]> {
  const items: Item[] = [];
  for await (const { Items = [] } of paginateScan({ client: client as DynamoDBClient }, { TableName: tableName, ConsistentRead: true })) {
    items.push(...Items.map((item) => unmarshall(item)));
  }
  const keyOf = ({ pk, sk }: Item) => `${pk} ${sk}`;
  return items.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** Deletes what the table itself would have deleted by then: every item whose `ttl` is over. */
export async function expireItems(place: Place, at: Date): Promise<void> {
  for (const { pk, sk, ttl } of await readContents(place)) {
    if (typeof ttl !== 'number' || ttl * 1000 > at.getTime()) continue;
    await place.client.send(new DeleteItemCommand({ TableName: place.tableName, Key: { pk: { S: String(pk) }, sk: { S: String(sk) } } }));
  }
}
