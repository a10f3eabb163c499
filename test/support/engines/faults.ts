import { TransactionCancelled } from '../../../shared/db/dynamo/dynamo.ts';
import { sampled } from '../depth.ts';

/** The process is gone: nothing it would have done since has happened. */
export class CrashError extends Error {}

export interface Faults {
  /** Makes one outside call, unless a fault comes in between. */
  call<T>(name: string, make: () => Promise<T>): Promise<T>;
}

export type CrashPlan = ReturnType<typeof createCrashPlan>;

const isRead = (name: string) => /^(batch)?(get|head|list|query)/i.test(name);

/**
 * Ends the process at one of its outside calls that leave something behind: before the call is made, or after it
 * took effect and before its answer is seen. From then on every call fails, until `revive`.
 * Reads are not counted: at a read everything is as after the call before it.
 */
export function createCrashPlan() {
  let calls = 0;
  let dead = false;
  let lastEffect = '';
  let point: { call: number; when: 'before' | 'after' } | undefined;
  const die = (): never => {
    dead = true;
    throw new CrashError();
  };
  return {
    async call<T>(name: string, make: () => Promise<T>): Promise<T> {
      if (dead) throw new CrashError();
      if (isRead(name)) return make();
      calls += 1;
      const here = calls === point?.call ? point.when : undefined;
      if (here === 'before') die();
      const answer = await make();
      lastEffect = name;
      if (here === 'after') die();
      return answer;
    },
    /** Starts to count anew, and will crash at this call. */
    crashAt(call: number, when: 'before' | 'after') {
      calls = 0;
      point = { call, when };
    },
    revive() {
      dead = false;
      point = undefined;
      calls = 0;
    },
    get calls() {
      return calls;
    },
    /** The last call that took effect, by name. */
    get lastEffect() {
      return lastEffect;
    },
  };
}

/** Where a process that makes so many calls can die: before each of them, which is after the one before, and after the last; below depth 1 some of these. */
export const crashPoints = (calls: number) =>
  sampled([
    { call: calls, when: 'after' as const },
    ...Array.from({ length: calls }, (_, index) => ({ call: index + 1, when: 'before' as const })),
  ]);

/**
 * Lets `live` end at each of its calls, each time with what `prepare` makes, and then `goOn` in a new life and find all
 * as it should be; first with a whole life. Returns how many calls that makes.
 */
export async function dyingAnywhere<T>(
  plan: CrashPlan,
  { prepare, live, goOn }: { prepare(): Promise<T>; live(of: T): Promise<unknown>; goOn(of: T): Promise<void> },
): Promise<number> {
  const whole = await prepare();
  plan.crashAt(Number.POSITIVE_INFINITY, 'before');
  await live(whole);
  const { calls } = plan;
  plan.revive();
  await goOn(whole);
  for (const { call, when } of crashPoints(calls)) {
    const of = await prepare();
    plan.crashAt(call, when);
    await live(of).catch(() => undefined);
    plan.revive();
    await goOn(of).catch((cause) => {
      throw new Error(`After the end ${when} call ${call} of ${calls}.`, { cause });
    });
  }
  return calls;
}

const conflict = () => new TransactionCancelled([{ code: 'TransactionConflict', old: undefined }]);

/** Lets each transaction fail at random, as if it had collided with another; `collisions` counts those. */
export function createCollisions(probability: number, random: () => number): Faults & { readonly collisions: number } {
  let collisions = 0;
  return {
    async call(name, make) {
      if (name !== 'TransactWriteItems' || random() >= probability) return make();
      collisions += 1;
      throw conflict();
    },
    get collisions() {
      return collisions;
    },
  };
}

/** Lets each write of the table fail at random, as if it had collided with another or been throttled. */
export function createStorm(probability: number, random: () => number): Faults & { calm(): void } {
  let chance = probability;
  const throttled = () => Object.assign(new Error('slow down'), { name: 'ProvisionedThroughputExceededException' });
  return {
    async call(name, make) {
      if (random() < chance) throw name === 'TransactWriteItems' ? conflict() : throttled();
      return make();
    },
    calm() {
      chance = 0;
    },
  };
}
