import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { licenseKey } from '../../shared/db/keys.ts';
import { createRuntimeHarness } from './runtime-harness.ts';

const warmUps = 500;
const samples = 3000;

/**
 * p50 and p99 of operations through the handler, and as a ratio to a bare, consistent
 * GetItem of the same license with the same client. The operations take turns, so that
 * whatever else the machine does meets all of them alike.
 */
export async function compareLatencies(): Promise<Record<string, string | number>[]> {
  const { client, tableName, license, event, call } = await createRuntimeHarness();
  await call(event('activate', 'desk'));
  const { pk, sk } = licenseKey(license.lookup);
  const getItem = { TableName: tableName, Key: { pk: { S: pk }, sk: { S: sk } }, ConsistentRead: true };
  const requests = { plain: event('validate'), device: event('validate', 'desk'), again: event('activate', 'desk') };
  const operations: [string, () => Promise<unknown>][] = [
    ['bare GetItem', () => client.send(new GetItemCommand(getItem))],
    ['validate', () => call(requests.plain)],
    ['validate, with its device', () => call(requests.device)],
    ['activate, again', () => call(requests.again)],
  ];

  const times = operations.map((): number[] => []);
  for (let round = 0; round < warmUps + samples; round += 1) {
    for (const [index, [, run]] of operations.entries()) {
      const start = process.hrtime.bigint();
      await run();
      if (round >= warmUps) times[index]?.push(Number(process.hrtime.bigint() - start) / 1e6);
    }
  }

  const [base] = times.map((each) => ({ p50: percentile(each, 0.5), p99: percentile(each, 0.99) }));
  return times.map((each, index) => {
    const p50 = percentile(each, 0.5);
    const p99 = percentile(each, 0.99);
    return {
      operation: operations[index]?.[0] ?? '',
      'p50 ms': p50.toFixed(2),
      'p99 ms': p99.toFixed(2),
      'p50 ratio': (p50 / (base?.p50 ?? p50)).toFixed(2),
      'p99 ratio': (p99 / (base?.p99 ?? p99)).toFixed(2),
    };
  });
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
