import { setTimeout as sleep } from 'node:timers/promises';

export interface Schedule {
  event: Record<string, unknown>;
  invoke: (event: unknown) => Promise<unknown>;
}

/** Locally a schedule runs every 10 s, whatever its rate in the cloud. Source: decisions.md §7 "Pending work". */
const intervalMs = 10_000;

/** Runs each schedule now, with `resume` because nothing of an earlier life runs any more, and then at the interval. */
export function startScheduler(schedules: readonly Schedule[]): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const runs = schedules.map((schedule) => run(schedule, stopping.signal));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(runs);
    },
  };
}

async function run({ event, invoke }: Schedule, signal: AbortSignal): Promise<void> {
  let next: Record<string, unknown> = { ...event, resume: true };
  while (!signal.aborted) {
    try {
      await invoke(next);
      next = event;
    } catch (error) {
      console.error(
        JSON.stringify({ level: 'warn', message: 'schedule_failed', error: error instanceof Error ? error.message : String(error) }),
      );
    }
    await sleep(intervalMs, undefined, { signal }).catch(() => undefined);
  }
}
