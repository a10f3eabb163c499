import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeInterface } from '../../support/interface/describe-interface.ts';
import { percentile } from '../percentile.ts';
import { type Kind, mix, scheduleArrivals } from './arrivals.ts';
import { type Outcome, runOpenLoop } from './open-loop.ts';
import { plotLatencies } from './plot.ts';
import { type Shop, startShop } from './shop.ts';

const perSecond = Number(process.env['BENCH_DAY_RATE'] ?? 100);
const seconds = Number(process.env['BENCH_DAY_SECONDS'] ?? 60);
const licenses = Number(process.env['BENCH_DAY_LICENSES'] ?? 50);
const folder = join(import.meta.dirname, '..', '..', '..', 'build', 'bench');

type Row = Record<string, string | number>;

/**
 * A day of a shop against a whole service, at a fixed rate of arrivals: latencies from when each request was due, each kind
 * as a ratio to GET /healthz at the same rate just before. What the table then has wrong ends the run with exit code 1.
 * Leaves `day.md` and `day.svg` in build/bench/.
 */
export async function measureDay(): Promise<Row[]> {
  await describeInterface();
  const shop = await startShop(licenses);
  try {
    const rows = await runDay(shop);
    for (const [what, count] of Object.entries(await shop.countFaults())) {
      if (count > 0) process.exitCode = 1;
      rows.push({ request: what, count, target: '0' });
    }
    await writeFile(join(folder, 'day.md'), asMarkdown(rows));
    return rows;
  } finally {
    await shop.stop();
  }
}

async function runDay({ requests }: Shop): Promise<Row[]> {
  const pace = { perSecond, seconds };
  // The first requests of a process are slow, in a day nobody meets them.
  await runOpenLoop(scheduleArrivals({ perSecond: Math.min(50, perSecond), seconds: 5, shares: mix }, Math.random), requests);
  const baseline = await runOpenLoop(scheduleArrivals({ ...pace, seconds: seconds / 4, shares: { healthz: 100 } }, Math.random), requests);
  const day = await runOpenLoop(scheduleArrivals({ ...pace, shares: mix }, Math.random), requests);
  const kinds = Object.keys(mix) as Kind[];
  const series = [
    { name: 'GET /healthz', outcomes: baseline as Outcome<string>[] },
    ...kinds.map((kind) => ({ name: kind, outcomes: day.filter((outcome) => outcome.kind === kind) as Outcome<string>[] })),
    { name: 'all of the day', outcomes: day as Outcome<string>[] },
  ].map(({ name, outcomes }) => ({
    name,
    values: outcomes.map(({ latency }) => latency),
    failures: outcomes.flatMap(({ failure }) => failure ?? []),
  }));
  for (const failure of new Set(series.flatMap(({ failures }) => failures))) console.error(failure);
  await mkdir(folder, { recursive: true });
  const title = `Latency by percentile, ${perSecond} requests a second for ${seconds} s`;
  await writeFile(join(folder, 'day.svg'), plotLatencies(title, series));
  return series.map(({ name, values, failures }) => rowOf(name, values, failures.length, series[0]?.values ?? []));
}

function rowOf(request: string, values: readonly number[], failed: number, baseline: readonly number[]): Row {
  const at = (share: number) => percentile(values, share).toFixed(1);
  const ratio = (share: number) => (percentile(values, share) / percentile(baseline, share)).toFixed(2);
  return {
    request,
    count: values.length,
    failed,
    'p50 ms': at(0.5),
    'p90 ms': at(0.9),
    'p99 ms': at(0.99),
    'p99.9 ms': at(0.999),
    'max ms': at(1),
    'p50 of healthz': ratio(0.5),
    'p99 of healthz': ratio(0.99),
    target: '',
  };
}

function asMarkdown(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [
    `# A day: ${perSecond} requests a second for ${seconds} s`,
    '',
    line(columns),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(columns.map((column) => row[column] ?? ''))),
    '',
    '![Latency by percentile](day.svg)',
    '',
  ].join('\n');
}
