import { sign } from 'node:crypto';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { licenseKey } from '../../../shared/db/keys.ts';
import { percentile } from '../percentile.ts';
import { createRuntimeHarness } from './runtime-harness.ts';

const warmUps = 500;
const samples = 3000;

/** With a lease, and what the same answer without one is called: what a lease costs is the difference. */
const leaseless = new Map([
  ['validate, with its device, with a lease', 'validate, with its device'],
  ['activate, again, with a lease', 'activate, again'],
]);

/**
 * p50 and p99 of operations through the handler, and as a ratio to a bare, consistent
 * GetItem of the same license with the same client; of those with a lease also how much longer they take
 * than the same without one, in signatures of such a lease by the same key. The operations take turns, so that
 * whatever else the machine does meets all of them alike.
 */
export async function compareLatencies(): Promise<Record<string, string | number>[]> {
  const { client, tableName, license, leaselessKey, signingKey, event, call } = await createRuntimeHarness();
  const { body } = await call(event('activate', 'desk'));
  const signed = Buffer.from(
    JSON.parse(body ?? '')
      .lease.split('.')
      .slice(0, 2)
      .join('.'),
  );
  await call(event('activate', 'desk', leaselessKey));
  const { pk, sk } = licenseKey(license.lookup);
  const getItem = { TableName: tableName, Key: { pk: { S: pk }, sk: { S: sk } }, ConsistentRead: true };
  const requests = {
    plain: event('validate'),
    device: event('validate', 'desk', leaselessKey),
    again: event('activate', 'desk', leaselessKey),
    deviceLeased: event('validate', 'desk'),
    againLeased: event('activate', 'desk'),
  };
  const operations: [string, () => Promise<unknown>][] = [
    ['bare GetItem', () => client.send(new GetItemCommand(getItem))],
    ['one ES256 signature', async () => sign('sha256', signed, { key: signingKey, dsaEncoding: 'ieee-p1363' })],
    ['validate', () => call(requests.plain)],
    ['validate, with its device', () => call(requests.device)],
    ['validate, with its device, with a lease', () => call(requests.deviceLeased)],
    ['activate, again', () => call(requests.again)],
    ['activate, again, with a lease', () => call(requests.againLeased)],
  ];

  const times = new Map(operations.map(([operation]): [string, number[]] => [operation, []]));
  for (let round = 0; round < warmUps + samples; round += 1) {
    for (const [operation, run] of operations) {
      const start = process.hrtime.bigint();
      await run();
      if (round >= warmUps) times.get(operation)?.push(Number(process.hrtime.bigint() - start) / 1e6);
    }
  }

  const at = (operation: string, share: number) => percentile(times.get(operation) ?? [], share);
  const ratio = (operation: string, share: number) => (at(operation, share) / at('bare GetItem', share)).toFixed(2);
  const signatures = (operation: string) => {
    const without = leaseless.get(operation);
    if (without === undefined) return '';
    // Both of a round met the machine alike.
    const more = times.get(operation)?.map((time, round) => time - (times.get(without)?.[round] ?? time)) ?? [];
    return (percentile(more, 0.5) / at('one ES256 signature', 0.5)).toFixed(2);
  };
  return operations.map(([operation]) => ({
    operation,
    'p50 ms': at(operation, 0.5).toFixed(3),
    'p99 ms': at(operation, 0.99).toFixed(3),
    'p50 ratio': ratio(operation, 0.5),
    'p99 ratio': ratio(operation, 0.99),
    'lease, in signatures': signatures(operation),
  }));
}
