import { beforeEach, expect, test } from '@jest/globals';
import { createDynamoClient } from '../../../shared/db/dynamo/sdk-dynamo.ts';
import { deviceKey, licenseKey } from '../../../shared/db/keys.ts';
import { newId } from '../../../shared/ids.ts';
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import { issueTestLicense } from '../../support/samples/licenses.ts';
import { countFaults } from './faults.ts';

const none = { 'seats over-sold': 0, 'licenses that count their seats wrong': 0, 'licenses doubled': 0, 'lost sales': 0 };

let engine: TestTable;
const orderId = newId('order');

beforeEach(async () => {
  engine = await createTestTable();
});

/** A license of one seat that counts `activationCount`, with so many devices on it. */
async function sold(activationCount: number, devices: number): Promise<void> {
  const { license } = await issueTestLicense(engine.table, { orderId, activationLimit: 1, activationCount });
  const { lookup } = license;
  for (let index = 0; index < devices; index += 1) {
    const deviceHash = `hash-${index}`;
    const device = { ...deviceKey(lookup, deviceHash), lookup, deviceHash, activatedAt: '2026-01-31T09:00:00.000Z' };
    await engine.table.transact([
      { put: { Item: device } },
      { check: { Key: licenseKey(lookup), ConditionExpression: 'attribute_exists(pk)' } },
    ]);
  }
}

test.each<[what: string, sold: [activationCount: number, devices: number][], unsold: number, faults: Partial<typeof none>]>([
  ['a day in which all went well', [[1, 1]], 0, {}],
  ['a seat too many', [[2, 2]], 0, { 'seats over-sold': 1 }],
  ['a seat that nobody counted', [[0, 1]], 0, { 'licenses that count their seats wrong': 1 }],
  [
    'two licenses of one order, and a paid order without one',
    [
      [0, 0],
      [0, 0],
    ],
    1,
    { 'licenses doubled': 1, 'lost sales': 1 },
  ],
])('%s', async (_, licenses, unsold, faults) => {
  for (const [activationCount, devices] of licenses) await sold(activationCount, devices);
  const paid = new Set([orderId, ...Array.from({ length: unsold }, () => newId('order'))]);
  expect(await countFaults(createDynamoClient(), engine.tableName, paid)).toEqual({ ...none, ...faults });
});
