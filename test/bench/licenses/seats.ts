import { randomBytes } from 'node:crypto';
import { devicesOfLicense, licenseKey } from '../../../shared/db/keys.ts';
import type { Item } from '../../../shared/db/table.ts';
import { createCollisions } from '../../support/engines/faults.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { runInFlight } from './in-flight.ts';
import { createRuntimeHarness } from './runtime-harness.ts';

/** Fewer for a short try, by `BENCH_DEVICES`. */
const devices = Number(process.env['BENCH_DEVICES'] ?? 1000);
const seats = Math.floor(devices / 2);
const atOnce = 64;

type Harness = Awaited<ReturnType<typeof createRuntimeHarness>>;
type Row = Record<string, string | number>;

/**
 * Twice as many devices as a license has seats, at once, through the handler; beside as many bare transactions that
 * write the same. Exactly its seats must be taken in every case, and none may meet a 5xx.
 */
export async function measureSeats(): Promise<Row[]> {
  const bare = await rushBare();
  const cases = [
    { what: 'plain', harness: await createRuntimeHarness({ activationLimit: seats }) },
    { what: '30 % collide', harness: await collidingHarness() },
  ];
  const rows: Row[] = [{ what: 'bare transactions', 'devices a second': Math.round(bare), 'of bare': '1.00' }];
  for (const { what, harness } of cases) rows.push({ what, ...(await rush(harness, bare)) });
  const columns = Object.keys(rows[1] ?? {});
  return rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column] ?? ''])));
}

const collidingHarness = () => createRuntimeHarness({ activationLimit: seats, faults: createCollisions(0.3, Math.random) });

async function rush(harness: Harness, bare: number): Promise<Row> {
  harness.takeRequestCounts();
  const { activated, refused, failed, seconds, slowestMs } = await activateAll(harness);
  const { TransactWriteItems = 0 } = harness.takeRequestCounts();
  const counted = countSeats(await harness.readAll(), harness.license.lookup);
  const isRight = counted.count === activated && counted.active === activated && activated + refused === devices;
  if (!isRight || activated !== seats) process.exitCode = 1;
  return {
    activated,
    refused,
    '5xx': failed,
    activationCount: counted.count,
    'active devices': counted.active,
    'retries per success': ((TransactWriteItems - devices) / (activated + refused)).toFixed(2),
    'devices a second': Math.round(devices / seconds),
    'of bare': (devices / seconds / bare).toFixed(2),
    'slowest ms': Math.round(slowestMs),
    target: `${seats}, no 5xx`,
  };
}

async function activateAll({ event, call }: Harness) {
  const statuses: number[] = [];
  let slowestMs = 0;
  const seconds = await runInFlight(devices, atOnce, async (device) => {
    const began = performance.now();
    const { statusCode = 0 } = await call(event('activate', `device ${device}`));
    statuses.push(statusCode);
    slowestMs = Math.max(slowestMs, performance.now() - began);
  });
  const of = (isIt: (status: number) => boolean) => statuses.filter(isIt).length;
  const [activated, refused, failed] = [of((status) => status === 200), of((status) => status === 409), of((status) => status >= 500)];
  return { activated, refused, failed, seconds, slowestMs };
}

function countSeats(items: Record<string, Item>, lookup: string) {
  const { pk, sk } = licenseKey(lookup);
  const { prefix } = devicesOfLicense(lookup);
  const active = Object.entries(items).filter(([key, item]) => key.startsWith(`${pk} ${prefix}`) && item['deactivatedAt'] === undefined);
  return { count: items[`${pk} ${sk}`]?.['activationCount'], active: active.length } as { count: number; active: number };
}

/** As many transactions a second that write what an activation writes, of the same sizes and without a condition. */
async function rushBare(): Promise<number> {
  const { table } = await createTestTable();
  const [license, device, event] = [500, 150, 600].map((bytes) => randomBytes(bytes / 2).toString('hex'));
  await table.write({ put: { Item: { pk: 'LICENSE', sk: 'LICENSE', value: license, taken: 0 } } });
  const takeOne = { UpdateExpression: 'ADD taken :one', ExpressionAttributeValues: { ':one': 1 } };
  const seconds = await runInFlight(devices, atOnce, (index) =>
    table.transact([
      { put: { Item: { pk: 'LICENSE', sk: `DEVICE#${index}`, value: device } } },
      { update: { Key: { pk: 'LICENSE', sk: 'LICENSE' }, ...takeOne } },
      { put: { Item: { pk: `EVENT#${index}`, sk: 'EVENT', pendingPk: `PENDING#${index % 4}`, pendingSk: `${index}`, value: event } } },
    ]),
  );
  return devices / seconds;
}
