import { describe, expect, test } from '@jest/globals';
import { createPartitionLimits } from './partition-limits.ts';
import { chargesOfWrite, readUnits, writeUnits } from './units.ts';

describe('units', () => {
  test.each([
    [0, 1, 2],
    [1024, 1, 2],
    [1025, 2, 4],
    [400 * 1024, 400, 800],
  ])('a write of %i bytes takes %i, in a transaction %i', (bytes, alone, transactional) => {
    expect([writeUnits(bytes), writeUnits(bytes, { transactional: true })]).toEqual([alone, transactional]);
  });

  test.each([
    [0, 0.5, 1, 2],
    [4096, 0.5, 1, 2],
    [4097, 1, 2, 4],
  ])('a read of %i bytes takes %d, consistent %i, in a transaction %i', (bytes, eventual, consistent, transactional) => {
    expect([readUnits(bytes), readUnits(bytes, { consistent: true }), readUnits(bytes, { transactional: true })]).toEqual([
      eventual,
      consistent,
      transactional,
    ]);
  });

  const key = { pk: 'JOB#1', sk: 'JOB' };
  const job = (pendingSk: string, fields = {}) => ({ ...key, pendingPk: 'PENDING#1', pendingSk, ...fields });
  const unitsIn = (charges: ReturnType<typeof chargesOfWrite>, place: string) =>
    charges.filter((charge) => charge.place === place).reduce((sum, { units }) => sum + units, 0);

  test.each<[string, object | undefined, object | undefined, number]>([
    ['that enters', undefined, job('1'), 1],
    ['that leaves', job('1'), undefined, 1],
    ['that moves', job('1'), job('2'), 2],
    ['that changes', job('1'), job('1', { attempts: 1 }), 1],
    ['that stays as it is', job('1'), job('1'), 0],
    ['that is not in it', { ...key }, { ...key, attempts: 1 }, 0],
    ['that is large and enters', undefined, job('1', { text: 'x'.repeat(1500) }), 2],
  ])('of an index: an item %s', (_, before, after, units) => {
    const charges = chargesOfWrite(key, before as never, after as never, { transactional: true });
    expect(unitsIn(charges, 'pending')).toBe(units);
    expect(unitsIn(charges, 'list')).toBe(0);
  });
});

describe('the limits of partitions', () => {
  const one = { place: 'table', partition: 'A', kind: 'write' } as const;
  const limitsAt = (burstSeconds: number) => {
    let clock = 0;
    const limits = createPartitionLimits({ now: () => clock, burstSeconds });
    return { limits, pass: (milliseconds: number) => (clock += milliseconds) };
  };

  test('let in what a second has room for, and again as much as time has passed', () => {
    const { limits, pass } = limitsAt(0);
    limits.charge([{ ...one, units: 1000 }]);
    expect(limits.throttle([one, { ...one, partition: 'B' }, { ...one, kind: 'read' }])).toEqual([one]);
    pass(1);
    expect(limits.throttle([one])).toEqual([]);
    limits.charge([{ ...one, units: 3 }]);
    pass(2);
    expect(limits.throttle([one])).toEqual([one]);
    pass(60_000);
    limits.charge([{ ...one, units: 999 }]);
    expect(limits.throttle([one])).toEqual([]);
    limits.charge([{ ...one, units: 1 }]);
    expect(limits.throttle([one])).toEqual([one]);
    expect(limits.throttled()).toEqual([{ ...one, times: 3 }]);
    expect(limits.taken()).toEqual([{ ...one, units: 2003 }]);
  });

  test('keep what was not used as long as they are told', () => {
    const { limits } = limitsAt(300);
    limits.charge([{ ...one, units: 300_999 }]);
    expect(limits.throttle([one])).toEqual([]);
    limits.charge([{ ...one, units: 1 }]);
    expect(limits.throttle([one])).toEqual([one]);
  });
});
