import { describe, expect, test } from '@jest/globals';
import { billOfGigabyte, billOfOperation, durationMs, totalOf } from './reckon.ts';

const usage = { cpuMs: 2, readUnits: 2, writeUnits: 3, requests: 4, providerRequests: 0 };

describe('the cost of an operation', () => {
  test('has the units of the table, the run of a function and its call by the gateway', () => {
    const bill = billOfOperation([{ function: 'licenses', usage }]);
    expect(bill.table).toBeCloseTo(2 * 0.125e-6 + 3 * 0.625e-6, 12);
    expect(bill.gateway).toBeCloseTo(1e-6, 12);
    expect([bill.queues, bill.mail]).toEqual([0, 0]);
    const seconds = (2 * (1769 / 1024) + 4 * 5) / 1000;
    expect(bill.functions).toBeCloseTo(0.2e-6 + seconds * 0.0000133334, 12);
  });

  test('has the messages of a worker, and the mail of the one that sends it', () => {
    const { queues, mail, gateway } = billOfOperation([{ function: 'mail-sender', usage }]);
    expect(queues).toBeCloseTo(1.2e-6, 12);
    expect(mail).toBeCloseTo(1e-4, 12);
    expect(gateway).toBe(0);
  });

  test('of several functions is the sum of theirs', () => {
    const [one, other] = [
      { function: 'licenses', usage },
      { function: 'event-publisher', usage },
    ];
    expect(totalOf(billOfOperation([one, other]))).toBeCloseTo(totalOf(billOfOperation([one])) + totalOf(billOfOperation([other])), 12);
  });

  test('counts at least a millisecond, a processor in part, and the time that the provider takes', () => {
    const idle = { cpuMs: 0, readUnits: 0, writeUnits: 0, requests: 0, providerRequests: 0 };
    expect(durationMs({ function: 'licenses', usage: idle })).toBe(1);
    expect(durationMs({ function: 'event-publisher', usage: { ...idle, cpuMs: 10 } })).toBeCloseTo((10 * 1769) / 512, 9);
    expect(durationMs({ function: 'storefront', usage: { ...idle, providerRequests: 1 } })).toBe(500);
  });

  test('of a gigabyte is mostly its scan', () => {
    const bill = billOfGigabyte(1000);
    expect(bill.scan).toBeCloseTo(0.090215, 9);
    expect(bill.functions).toBeCloseTo(0.2e-6 + (1000 / 90) * 0.0000133334, 12);
  });
});
