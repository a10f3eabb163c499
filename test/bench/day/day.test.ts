import { describe, expect, test } from '@jest/globals';
import { mix, scheduleArrivals } from './arrivals.ts';
import { runOpenLoop } from './open-loop.ts';
import { plotLatencies } from './plot.ts';

describe('arrivals', () => {
  const arrivals = scheduleArrivals({ perSecond: 50, seconds: 4, shares: mix }, Math.random);

  test('come evenly spaced, at the rate and for the time asked', () => {
    expect(arrivals.map(({ at }) => at)).toEqual(Array.from({ length: 200 }, (_, index) => index * 20));
  });

  test('have exactly the shares of the mix in each hundred', () => {
    for (const hundred of [arrivals.slice(0, 100), arrivals.slice(100)]) {
      const counted = Object.fromEntries(Object.keys(mix).map((kind) => [kind, hundred.filter((each) => each.kind === kind).length]));
      expect(counted).toEqual(mix);
    }
  });

  test('come in no fixed order', () => {
    expect(arrivals.slice(0, 100).map(({ kind }) => kind)).not.toEqual(arrivals.slice(100).map(({ kind }) => kind));
  });
});

describe('an open loop', () => {
  test('waits for no answer, and counts from when a request was due', async () => {
    const arrivals = scheduleArrivals({ perSecond: 200, seconds: 0.05, shares: { slow: 1 } }, Math.random);
    const allBegun = Promise.withResolvers<void>();
    let begun = 0;
    const slow = () => {
      begun += 1;
      if (begun === arrivals.length) allBegun.resolve();
      return allBegun.promise;
    };
    const outcomes = await runOpenLoop(arrivals, { slow });
    expect([begun, outcomes.length]).toEqual([10, 10]);
    // Each was answered when the last was due, which no timer is more than a millisecond early for.
    for (const [index, { latency }] of outcomes.entries()) expect(latency).toBeGreaterThanOrEqual(5 * (9 - index) - 1);
  });

  test('keeps why a request failed', async () => {
    const refused = () => Promise.reject(new Error('refused'));
    const [outcome] = await runOpenLoop([{ at: 0, kind: 'refused' }], { refused });
    expect(outcome).toMatchObject({ kind: 'refused', failure: 'Error: refused' });
  });
});

describe('the plot', () => {
  const series = [
    { name: 'validate', values: Array.from({ length: 2000 }, (_, index) => 1 + index / 100) },
    { name: 'sale & <mail>', values: [12.5] },
    { name: 'nothing', values: [] },
  ];
  const svg = plotLatencies('Latency', series);

  test('is well-formed, follows the scheme of the reader, and draws even without values', () => {
    const open: string[] = [];
    for (const [, closing, name = '', own] of svg.matchAll(/<(\/?)([a-z]+)[^<>]*?(\/?)>/g)) {
      if (closing) expect(open.pop()).toBe(name);
      else if (!own) open.push(name);
    }
    expect(open).toEqual([]);
    expect(svg.replaceAll(/<\/?[a-z][^<>]*>/g, '')).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
    expect(svg).toContain('prefers-color-scheme: dark');
    expect(plotLatencies('Nothing', [])).not.toMatch(/NaN|Infinity/);
  });

  test('has a line and a label for each series with values, and numbers alone as coordinates', () => {
    expect(svg.match(/<path /g)).toHaveLength(2);
    expect(svg).toContain('>validate</text>');
    expect(svg).toContain('>sale &amp; &lt;mail&gt;</text>');
    expect(svg).not.toContain('nothing');
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  });

  test('rises from left to right: a higher percentile is never below', () => {
    const [, path = ''] = /<path d="M([^"]+)"/.exec(svg) ?? [];
    const points = path.split(' L').map((point) => point.split(',').map(Number));
    for (const [index, [x = 0, y = 0]] of points.entries()) {
      const [earlierX = 0, earlierY = Number.POSITIVE_INFINITY] = points[index - 1] ?? [];
      expect(x).toBeGreaterThanOrEqual(earlierX);
      expect(y).toBeLessThanOrEqual(earlierY);
    }
  });
});
