import { createDynamoClient } from '../../../shared/db/sdk-dynamo.ts';
import { hasCode } from '../../../shared/errors.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { runInFlight } from './in-flight.ts';
import { limitPartitions } from './partition-limits.ts';
import { countTaken, type SeatCounting, seatCountings } from './seat-countings.ts';

/** Fewer for a short try, by `BENCH_DEVICES`. */
const devices = Number(process.env['BENCH_DEVICES'] ?? 2000);
const seats = 50 * devices;
const atOnce = 64;
/** Of the license that more devices ask than it has seats. */
const fewSeats = 50;

type Row = Record<string, string | number>;

/**
 * How fast a license of 100,000 seats takes devices behind the limits of the cloud, by the way in which its seats
 * are counted; and that no way gives more seats than there are, tried by four times as many devices at once.
 */
export async function measureSiteLicense(): Promise<Row[]> {
  const { oneCount, shardedCount, numberedSeats } = seatCountings;
  const cases = [
    { counting: oneCount, taken: 0 },
    { counting: shardedCount, taken: 0 },
    { counting: numberedSeats, taken: 0 },
    { counting: numberedSeats, taken: 0.9 * seats },
  ];
  const rows: Row[] = [];
  let base = 0;
  for (const { counting, taken } of cases) {
    const { name, validateReads } = counting;
    const { activated, seconds, failed, units, requests, oversold } = await rush(counting, { seats, taken, devices });
    const full = await rush(counting, { seats: fewSeats, taken: 0, devices: 4 * fewSeats });
    const rate = activated / seconds;
    base ||= rate;
    rows.push({
      'seats counted by': name,
      'taken before': taken,
      'devices a second': Math.round(rate),
      'of one count': (rate / base).toFixed(2),
      '5xx': failed,
      'requests each': (requests / activated).toFixed(2),
      'write units each': (units / activated).toFixed(1),
      'validate reads': validateReads,
      [`given of ${fewSeats}`]: full.activated,
      oversold: oversold + full.oversold,
      target: 'none oversold',
    });
    if (oversold + full.oversold > 0) process.exitCode = 1;
  }
  return rows;
}

async function rush(counting: SeatCounting, license: { seats: number; taken: number; devices: number }) {
  const client = createDynamoClient();
  const { table, takeRequestCounts, readAll } = await createTestTable({ client });
  const items = [...counting.itemsOf(license.seats, license.taken)];
  const batches = Array.from({ length: Math.ceil(items.length / 100) }, (_, batch) => items.slice(100 * batch, 100 * (batch + 1)));
  await runInFlight(batches.length, 8, (batch) => table.transact((batches[batch] ?? []).map((Item) => ({ put: { Item } }))));

  const limits = limitPartitions(client, { collide: true });
  takeRequestCounts();
  let activated = 0;
  let failed = 0;
  const seconds = await runInFlight(license.devices, atOnce, async (index) => {
    try {
      if (await counting.takeSeat(table, license.seats, `${index}`)) activated += 1;
    } catch (error) {
      if (!hasCode(error, 'dependency_unavailable')) throw error;
      failed += 1;
    }
  });
  const requests = Object.values(takeRequestCounts()).reduce((sum, count) => sum + count, 0);
  const counted = countTaken(Object.values(await readAll()));
  const oversold = Math.max(0, counted.devices + license.taken - license.seats, counted.seats - license.seats);
  const isConsistent = counted.devices === activated && counted.seats === license.taken + activated;
  if (!isConsistent) throw new Error(`${counting.name}: ${activated} seats were given, and ${JSON.stringify(counted)} are there.`);
  return { activated, failed, seconds, requests, units: limits.takeSpent(), oversold };
}
