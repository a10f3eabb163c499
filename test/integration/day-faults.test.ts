import { beforeEach, expect, test } from '@jest/globals';
import { createDynamoClient } from '../../shared/db/dynamo/sdk-dynamo.ts';
import { deviceKey, licenseKey } from '../../shared/db/keys.ts';
import { newId } from '../../shared/ids.ts';
import { countFaults } from '../bench/day/faults.ts';
import { createTestTable, type TestTable } from '../support/engines/test-table.ts';
import { issueTestLicense } from '../support/samples/licenses.ts';

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

const faultsOf = (...paid: string[]) => countFaults(createDynamoClient(), engine.tableName, new Set(paid));

test('a day in which all went well has no faults', async () => {
  await sold(1, 1);
  expect(await faultsOf(orderId)).toEqual(none);
});

test('a seat too many is over-sold', async () => {
  await sold(2, 2);
  expect(await faultsOf(orderId)).toEqual({ ...none, 'seats over-sold': 1 });
});

test('a seat that nobody counted is counted wrong', async () => {
  await sold(0, 1);
  expect(await faultsOf(orderId)).toEqual({ ...none, 'licenses that count their seats wrong': 1 });
});

test('two licenses of one order, and a paid order without one', async () => {
  await sold(0, 0);
  await sold(0, 0);
  expect(await faultsOf(orderId, newId('order'))).toEqual({ ...none, 'licenses doubled': 1, 'lost sales': 1 });
});
