import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '../../../shared/logging/logger.ts';
import { runUntilStopped, type Stoppable } from '../shutdown.ts';

const logger = createLogger({ part: 'scheduler' });

export interface Schedule {
  event: Record<string, unknown>;
  invoke: (event: unknown) => Promise<unknown>;
}

/** Whatever the rate in the cloud. See "What it does not show" in infra/local/limits.md. */
const intervalMs = 10_000;

/**
 * Runs each schedule now, with `resume` because nothing of an earlier process runs any more, and
 * then at the interval. See "What survives a restart" in infra/local/running.md.
 */
export const startScheduler = (schedules: readonly Schedule[]): Stoppable =>
  runUntilStopped((signal) => Promise.all(schedules.map((schedule) => run(schedule, signal))));

async function run({ event, invoke }: Schedule, signal: AbortSignal): Promise<void> {
  let next: Record<string, unknown> = { ...event, resume: true };
  while (!signal.aborted) {
    try {
      await invoke(next);
      next = event;
    } catch (error) {
      logger.warn('schedule_failed', { error });
    }
    await sleep(intervalMs, undefined, { signal }).catch(() => undefined);
  }
}
