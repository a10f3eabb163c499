import { type DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { Device, isActive, License } from '../../../shared/licenses/license.ts';

/** What the table has wrong, after all work is done: seats, and the licenses of the orders that were `paid`. */
export async function countFaults(client: DynamoDBClient, tableName: string, paid: ReadonlySet<string>) {
  const licenses: License[] = [];
  const seatsTaken = new Map<string, number>();
  for await (const { Items = [] } of paginateScan({ client }, { TableName: tableName, ConsistentRead: true })) {
    for (const item of Items.map((each) => unmarshall(each))) {
      if (item['sk'] === 'LICENSE') licenses.push(License.parse(item));
      if (!String(item['sk']).startsWith('DEVICE#') || !String(item['pk']).startsWith('LICENSE#')) continue;
      const device = Device.parse(item);
      if (isActive(device)) seatsTaken.set(device.lookup, (seatsTaken.get(device.lookup) ?? 0) + 1);
    }
  }
  const taken = ({ lookup }: License) => seatsTaken.get(lookup) ?? 0;
  const orders = new Set(licenses.map(({ orderId }) => String(orderId)));
  return {
    'seats over-sold': licenses.reduce((sum, license) => sum + Math.max(0, taken(license) - license.activationLimit), 0),
    'licenses that count their seats wrong': licenses.filter((license) => taken(license) !== license.activationCount).length,
    'licenses doubled': licenses.length - orders.size,
    'lost sales': [...paid].filter((orderId) => !orders.has(orderId)).length,
  };
}
