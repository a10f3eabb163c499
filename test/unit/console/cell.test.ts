import { describe, expect, test } from '@jest/globals';
import { createCell, freshMs } from '../../../functions/console/browser/api/cell.ts';
import { ApiFailure } from '../../../functions/console/browser/api/failure.ts';

/** A cell whose reads end when the test says so, and a clock that it turns. */
function scene() {
  const reads: { resolve: (value: string) => void; reject: (failure: ApiFailure) => void; before: string | undefined }[] = [];
  let time = 1_000_000;
  const timers: { at: number; act: () => void }[] = [];
  const cell = createCell<string>((before) => new Promise((resolve, reject) => reads.push({ resolve, reject, before })), {
    now: () => time,
    later: (ms, act) => timers.push({ at: time + ms, act }),
  });
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    cell,
    reads,
    watch: () => cell.subscribe(() => undefined),
    async end(index: number, outcome: string | ApiFailure) {
      if (typeof outcome === 'string') reads[index]?.resolve(outcome);
      else reads[index]?.reject(outcome);
      await settle();
    },
    async pass(ms: number) {
      time += ms;
      for (const timer of timers.splice(0)) timer.at <= time ? timer.act() : timers.push(timer);
      await settle();
    },
  };
}

const busy = (seconds: number) => new ApiFailure({ code: 'rate_limited', status: 429, retryAfterSeconds: seconds });
const offline = () => new ApiFailure({ code: 'offline' });
const shown = (value: string) => ({ value, failure: undefined, reading: false });

describe('what a screen reads', () => {
  test('is read once for all that show it, and not again while it is fresh', async () => {
    const { cell, reads, watch, end, pass } = scene();
    const leave = [watch(), watch()];
    await end(0, 'first');
    expect(cell.get()).toEqual(shown('first'));
    for (const stop of leave) stop();
    await pass(freshMs);
    watch()();
    expect(reads.length).toBe(1);
    await pass(1);
    watch();
    expect([reads.length, cell.get().value]).toEqual([2, 'first']);
  });

  test('never takes the place of what was written after it began', async () => {
    const { cell, reads, watch, end } = scene();
    watch();
    cell.put('written');
    await end(0, 'older');
    expect(cell.get().value).toBe('written');
    await end(1, 'read after the write');
    expect([reads.length, cell.get()]).toEqual([2, shown('read after the write')]);
  });

  test('is read anew after something that may have changed it, by who looks at it alone', async () => {
    const { cell, reads, watch, end } = scene();
    const stop = watch();
    await end(0, 'first');
    cell.invalidate();
    await end(1, 'second');
    expect(cell.get().value).toBe('second');
    stop();
    cell.invalidate();
    expect(reads.length).toBe(2);
    watch();
    expect(reads.length).toBe(3);
  });

  test('waits as long as a refusal says, three times, and says why', async () => {
    const { cell, reads, watch, end, pass } = scene();
    watch();
    await end(0, busy(7));
    expect(cell.get()).toMatchObject({ reading: true, failure: { code: 'rate_limited' } });
    await pass(6_999);
    expect(reads.length).toBe(1);
    await pass(1);
    expect(reads.length).toBe(2);
    for (const [at, pause] of [4_000, 8_000, 60_000].entries()) {
      await end(at + 1, busy(0));
      await pass(pause);
    }
    expect(reads.length).toBe(4);
    expect(cell.get()).toMatchObject({ reading: false, failure: { code: 'rate_limited' } });
  });

  test('keeps what is there beside a failure, until it is read', async () => {
    const { cell, watch, end } = scene();
    watch();
    await end(0, 'first');
    cell.read();
    await end(1, offline());
    expect(cell.get()).toMatchObject({ value: 'first', failure: { code: 'offline' }, reading: false });
    cell.read();
    await end(2, 'again');
    expect(cell.get()).toEqual(shown('again'));
  });

  test('is read again by who comes back to it after a failure', async () => {
    const { cell, reads, watch, end, pass } = scene();
    const stop = watch();
    await end(0, 'first');
    await pass(freshMs + 1);
    cell.read();
    await end(1, offline());
    stop();
    watch();
    expect(reads.length).toBe(3);
    await end(2, 'again');
    expect(cell.get()).toEqual(shown('again'));
  });

  test('may be added to: with what there is by then', async () => {
    const { cell, reads, watch, end } = scene();
    watch();
    await end(0, 'one');
    cell.read(async (before) => `${before} two`);
    await end(0, '');
    expect([reads.length, cell.get().value]).toEqual([1, 'one two']);
  });
});
