import { randomInt } from 'node:crypto';
import { Pool } from 'pg';
import { percentile } from '../percentile.ts';
import { keygen } from './keygen.ts';
import { createOwn } from './own.ts';
import { polar } from './polar.ts';
import { type Postgres, startPostgres } from './postgres.ts';

const licenses = Number(process.env['BENCH_RIVAL_LICENSES'] ?? 10_000);
const samples = Number(process.env['BENCH_RIVAL_SAMPLES'] ?? 4000);
const warmUps = 400;
const rounds = 4;
const crowds = [1, 32];

/** Whether the license with this number may run on its device, as someone decides it. */
type Validate = (index: number) => Promise<boolean>;

/**
 * p50 and p99 of a validate with its device, through our handler over the embedded engine, beside the statements with which others
 * validate, over PostgreSQL with its defaults: one after another and 32 in flight, from this one process, of one random license after another.
 * The ratio is ours to theirs: below 1 ours takes less.
 */
export async function compareRivals(): Promise<Record<string, string | number>[]> {
  const postgres = await startPostgres();
  if (!postgres) return [{ validate: 'PostgreSQL 15 is not installed: apt-get install postgresql-15' }];
  const pool = new Pool({ ...postgres.connection, max: Math.max(...crowds) });
  // Connections that end late hear of the server's end.
  pool.on('error', () => undefined);
  try {
    const validations = { ...(await createOwn(licenses)), ...(await seedRivals(pool)) };
    const rows: Record<string, string | number>[] = [];
    for (const inFlight of crowds) rows.push(...rowsOf(inFlight, await measure(validations, inFlight)));
    return rows;
  } finally {
    await end(pool, postgres);
  }
}

async function seedRivals(pool: Pool): Promise<Record<string, Validate>> {
  const found: Record<string, Validate> = {};
  for (const { seed, validations } of [keygen, polar]) {
    await seed(pool, licenses);
    for (const [name, validate] of Object.entries(validations)) found[name] = (index) => validate(pool, index);
  }
  return found;
}

/** They take turns, so that whatever else the machine does meets all of them alike. In milliseconds, by name. */
async function measure(validations: Record<string, Validate>, inFlight: number): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>();
  for (const validate of Object.values(validations)) await crowd(validate, warmUps, inFlight);
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, validate] of Object.entries(validations)) {
      times.set(name, [...(times.get(name) ?? []), ...(await crowd(validate, samples / rounds, inFlight))]);
    }
  }
  return times;
}

async function crowd(validate: Validate, count: number, inFlight: number): Promise<number[]> {
  const times: number[] = [];
  let left = count;
  const work = async () => {
    while (left > 0) {
      left -= 1;
      const index = randomInt(licenses);
      const start = performance.now();
      if (!(await validate(index))) throw new Error(`License ${index} was not valid.`);
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, work));
  return times;
}

function rowsOf(inFlight: number, times: Map<string, number[]>) {
  const [ours = []] = times.values();
  return [...times].map(([validate, theirs]) => {
    const ratio = (share: number) => (percentile(ours, share) / percentile(theirs, share)).toFixed(2);
    return {
      validate,
      'in flight': inFlight,
      'p50 ms': percentile(theirs, 0.5).toFixed(3),
      'p99 ms': percentile(theirs, 0.99).toFixed(3),
      'ours of it, p50': ratio(0.5),
      'ours of it, p99': ratio(0.99),
    };
  });
}

async function end(pool: Pool, postgres: Postgres): Promise<void> {
  await pool.end();
  await postgres.stop();
}
