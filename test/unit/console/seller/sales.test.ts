import { describe, expect, test } from '@jest/globals';
import { faultsInTerms, termsBody, termValues } from '../../../../functions/console/browser/seller/orders/license-terms.ts';
import { isPaid, isUnderWay } from '../../../../functions/console/browser/seller/orders/order-progress.ts';
import { nextSuspension } from '../../../../functions/console/browser/seller/orders/suspension.ts';
import { dayOf, endOf, startOf } from '../../../../functions/console/browser/text/days.ts';
import { LicenseStatus } from '../../../../shared/licenses/license.ts';
import { OrderStatus } from '../../../../shared/payments/payment-facts.ts';

const did = (...actions: string[]) => actions.map((action) => ({ action }));

describe('what a seller can do about a license', () => {
  test.each(LicenseStatus.options)('that is %s', (status) => {
    const usually = status === 'revoked' ? undefined : status === 'suspended' ? 'reinstate' : 'suspend';
    expect(nextSuspension(status, did('license.issued', 'mail.sent'))).toBe(usually);
  });

  test.each(['refunded', 'disputed'])('that is %s follows what they did last', (status) => {
    expect(nextSuspension(status, did('license.suspend', 'license.hold'))).toBe('reinstate');
    expect(nextSuspension(status, did('license.suspend', 'license.reinstate', 'license.hold'))).toBe('suspend');
  });
});

describe('a sale', () => {
  test('was paid in every state that a payment leads to', () => {
    expect(OrderStatus.options.filter((status) => isPaid({ status }))).toEqual(['paid', 'partially_refunded', 'disputed', 'refunded']);
  });

  test('changes by itself while it waits for its payment, license or mail', () => {
    const mailed = (state: string) => ({ status: 'paid', license: {}, completion_mail: { state } }) as Parameters<typeof isUnderWay>[0];
    const underWay = [{ status: 'pending' }, { status: 'paid' }, mailed('pending')] as const;
    const over = [mailed('sent'), { status: 'paid', parent_order_id: 'ord_1' }, { status: 'refunded' }, { status: 'expired' }] as const;
    expect([...underWay, ...over].filter(isUnderWay)).toEqual(underWay);
  });
});

describe('the terms of a license', () => {
  const license = { activation_limit: 3, updates_until: '2027-11-25T12:00:00.000Z' };
  const values = termValues(license);

  const until = { updates_until: '2028-01-31' };
  test.each<[Partial<typeof values>, object]>([
    [{ activation_limit: '５' }, { activation_limit: 5 }],
    [until, { updates_until: endOf('2028-01-31') }],
    [
      { ...until, activation_limit: '4' },
      { activation_limit: 4, updates_until: endOf('2028-01-31') },
    ],
    // The interface takes no empty request.
    [{}, { activation_limit: 3 }],
    [{ activation_limit: 'x' }, { activation_limit: Number.NaN }],
  ])('are asked for where they differ, so that others’ changes stay: %j', (changes, sent) => {
    expect(termsBody({ ...values, ...changes }, license)).toEqual(sent);
  });

  test('end later, or as they do', () => {
    const faults = (day: string) => faultsInTerms({ ...values, updates_until: day }, license).map(({ text }) => text);
    expect([values.updates_until, '2028-01-31'].flatMap(faults)).toEqual([]);
    expect(['2027-11-20', ''].flatMap(faults)).toEqual(['must be later than the present one', 'is missing']);
    expect(faultsInTerms({ activation_limit: '1', updates_until: '' }, { activation_limit: 1 })).toEqual([]);
  });
});

test('a day begins and ends in the zone of whoever reads it', () => {
  for (const day of ['2026-01-31', '2024-02-29', '0099-12-31']) {
    const [start, end] = [startOf(day) ?? '', endOf(day) ?? ''];
    expect([dayOf(start), dayOf(end)]).toEqual([day, day]);
    expect(Date.parse(end) - Date.parse(start)).toBeGreaterThan(22 * 3600_000);
  }
  expect([startOf(''), endOf('2026-02-31x')]).toEqual([undefined, undefined]);
});
