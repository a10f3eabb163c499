import { describe, expect, test } from '@jest/globals';
import { checkoutBindingOf } from '../../shared/additions/checkout-binding.ts';
import { checkoutHashes } from '../../shared/checkout/checkout-intent.ts';
import { priceOf, quantityOf } from '../../shared/checkout/checkout-price.ts';
import { discountedPrice, hasLiveDiscount, isDiscountValid, toDiscount } from '../../shared/discounts/discount.ts';
import { parseDiscountCode, readEnteredCode } from '../../shared/discounts/discount-code.ts';
import { newDiscount } from '../../shared/discounts/discount-request.ts';
import { effectiveHold, heldByOf, passedOn } from '../../shared/entitlements/holds.ts';
import { redemptionStateOf } from '../../shared/entitlements/redemption.ts';
import { newId } from '../../shared/ids.ts';
import { type InvoicedOrder, includedTax, invoiceOf } from '../../shared/invoices/invoice.ts';
import { invoiceIssuerOf, invoiceTermsOf } from '../../shared/invoices/invoice-terms.ts';
import { duplicateOf } from '../../shared/orders/duplicate.ts';
import { buyerLocaleOf, completionMailIdOf, isPaidButHeld, mayMailLink, wasPaid } from '../../shared/orders/order.ts';
import { type ChargeFacts, type DisputeFact, noChargeFacts, OrderStatus, PaymentStatus } from '../../shared/payments/payment-facts.ts';
import { lineOf } from '../../shared/text/addition-words.ts';
import { sampleProduct } from '../support/samples/sample-product.ts';
import { sampleDiscount } from '../support/scenes/products/sample-discount.ts';

type Order = Parameters<typeof mayMailLink>[0];
type PendingOrder = Parameters<typeof checkoutBindingOf>[1];
const order = (known: Partial<Order>) => known as Order;

test('a buyer is mailed while the order is paid and not fully refunded', () => {
  const mailable = OrderStatus.options.filter((status) => mayMailLink(order({ status })));
  expect(mailable).toEqual(['paid', 'partially_refunded']);
});

test('an order was paid whatever happened to it since', () => {
  expect(wasPaid(order({ checkout: { paidAt: '2026-01-31T09:00:00.000Z' }, status: 'refunded' }))).toBe(true);
  expect(wasPaid(order({ checkout: {}, status: 'paid' }))).toBe(false);
});

test.each([
  ['paid', undefined, undefined],
  ['disputed', undefined, 'disputed'],
  ['paid', 'disputed', 'disputed'],
  ['disputed', 'refunded', 'refunded'],
  ['refunded', 'disputed', 'refunded'],
] as const)('an order that is %s, upgraded from one that is held as %s, is held as %s', (status, inheritedHold, hold) => {
  expect(effectiveHold({ status, inheritedHold })).toBe(hold);
});

test('an upgrade that was held before it was recorded by which order is taken to be held by the one just before it', () => {
  const [id, before] = [newId('order'), newId('order')];
  const createdAt = '2026-01-31T09:00:00.000Z';
  const held = { id, createdAt, status: 'paid', inheritedHold: 'refunded', upgradedFrom: { orderId: before } } as const;
  const heldBy = { orderId: before, why: 'refunded', since: createdAt };
  expect([heldByOf(held), passedOn(held)]).toEqual([heldBy, { inheritedHold: 'refunded', heldBy }]);
  expect(heldByOf({ ...held, inheritedHold: undefined })).toBeUndefined();
  expect(passedOn({ id, createdAt, status: 'disputed' }).heldBy).toEqual({ orderId: id, why: 'disputed', since: createdAt });
});

test('an upgrade is paid but held until its whole payment went back', () => {
  const paidAt = '2026-01-31T09:00:00.000Z';
  const heldBy = { orderId: newId('order'), why: 'refunded', since: paidAt } as const;
  const heldOnes = (known: Partial<Order>) =>
    PaymentStatus.options.filter((paymentStatus) => isPaidButHeld(order({ checkout: { paidAt }, heldBy, ...known, paymentStatus })));
  expect(heldOnes({})).toEqual(PaymentStatus.options.filter((status) => status !== 'refunded' && status !== 'lost'));
  expect([heldOnes({ heldBy: undefined }), heldOnes({ checkout: {} })]).toEqual([[], []]);
});

describe('bought twice', () => {
  type Bought = Parameters<typeof duplicateOf>[0];
  const productId = newId('product');
  const at = (paidAt: string | undefined, change: Partial<Bought> = {}): Bought => ({
    ...{ id: newId('order'), kind: 'license', productId, amount: 1200, status: 'paid', checkout: { paidAt } },
    ...change,
  });
  const paidAt = '2026-01-31T09:00:00.000Z';
  const before = '2026-01-31T08:00:00.000Z';

  test.each<[string, Bought, Bought, boolean]>([
    ['an hour after', at(paidAt), at(before), true],
    ['24 hours after', at(paidAt), at('2026-01-30T09:00:00.000Z'), true],
    ['over 24 hours after', at(paidAt), at('2026-01-30T08:59:59.000Z'), false],
    ['before', at(before), at(paidAt), false],
    ['after one refunded in part', at(paidAt), at(before, { status: 'partially_refunded' }), true],
    ['after one disputed', at(paidAt), at(before, { status: 'disputed' }), true],
    ['after one refunded in full', at(paidAt), at(before, { status: 'refunded' }), false],
    ['and refunded itself', at(paidAt, { status: 'refunded' }), at(before), true],
    ['after one of another product', at(paidAt), at(before, { productId: newId('product') }), false],
    ['after one that was free', at(paidAt), at(before, { amount: 0 }), false],
    ['for nothing', at(paidAt, { amount: 0 }), at(before), false],
    ['after an upgrade', at(paidAt), at(before, { kind: 'upgrade' }), false],
    ['as an upgrade', at(paidAt, { kind: 'upgrade' }), at(before), false],
    ['after one that was not paid', at(paidAt), at(undefined), false],
    ['and not paid itself', at(undefined), at(before), false],
    ['in the same second', at(paidAt, { id: 'ord_2' as Bought['id'] }), at(paidAt, { id: 'ord_1' as Bought['id'] }), true],
    ['in the same second, but first', at(paidAt, { id: 'ord_1' as Bought['id'] }), at(paidAt, { id: 'ord_2' as Bought['id'] }), false],
  ])('is what was bought %s', (_, one, other, isDuplicate) => {
    expect(duplicateOf(one, [one, other])).toBe(isDuplicate ? other : undefined);
  });

  test('names the latest of several', () => {
    const [early, late] = [at('2026-01-31T07:00:00.000Z'), at(before)];
    expect(duplicateOf(at(paidAt), [late, early])).toBe(late);
  });
});

test('an order for a license is found again for as long as it is kept', () => {
  const pending = { ...order({ ttl: 1_800_000_000, expiresAt: '2026-01-31T09:30:00.000Z' }), id: newId('order') } as PendingOrder;
  const to = { licenseId: newId('license'), productId: newId('product') };
  expect(checkoutBindingOf(to, pending).ttl).toBe(1_800_000_000);
});

test('the mail of the issuance is the completion mail until another one is', () => {
  expect(completionMailIdOf(order({}))).toBe('issuance');
  expect(completionMailIdOf(order({ completionMailId: 'resent-1' }))).toBe('resent-1');
});

test.each([
  ['ja', 'USD', 'ja'],
  ['en', 'JPY', 'en'],
  ['auto', 'JPY', 'ja'],
  ['auto', 'jpy', 'ja'],
  ['auto', 'usd', 'en'],
] as const)('a buyer who chose %s and paid in %s is written to in %s', (locale, currency, language) => {
  expect(buyerLocaleOf({ locale, currency })).toBe(language);
});

type Sold = Parameters<typeof lineOf>[0];
const sold: Sold = {
  kind: 'license',
  quantity: 1,
  productName: 'Photo 写真',
  productSummary: 'Edits photos.',
  activationLimit: 2,
  updatesDays: 365,
};

test.each<[Partial<Sold>, en: string, ja: string]>([
  [{}, 'Photo 写真 | Edits photos.', 'Photo 写真 | Edits photos.'],
  [{ productSummary: '' }, 'Photo 写真 | ', 'Photo 写真 | '],
  [
    { quantity: 3 },
    'Photo 写真 | 3 × 2 seats, one license key. Edits photos.',
    'Photo 写真 | 3 × 2 席（ライセンスキー 1 つ）。Edits photos.',
  ],
  [
    { quantity: 3, activationLimit: 1, productSummary: '' },
    'Photo 写真 | 3 × 1 seat, one license key',
    'Photo 写真 | 3 × 1 席（ライセンスキー 1 つ）',
  ],
  [
    { kind: 'seats', quantity: 3 },
    'Photo 写真: 3 seats | 3 in all, added to the license that you have.',
    'Photo 写真: 3 追加席 | 合計 3 席を、お持ちのライセンスに追加します。',
  ],
  [
    { kind: 'updates' },
    'Photo 写真: 365 days of updates | Lengthens the updates of the license that you have.',
    'Photo 写真: アップデート 365日分 | お持ちのライセンスのアップデート期間を延長します。',
  ],
  [
    { kind: 'upgrade', quantity: 2 },
    'Photo 写真 | Upgrade, with a new license key. 2 × 2 seats, one license key. Edits photos.',
    'Photo 写真 | アップグレード（新しいライセンスキー）。2 × 2 席（ライセンスキー 1 つ）。Edits photos.',
  ],
])('the page on which an order of %j is paid says of it: %s', (changes, en, ja) => {
  const lineIn = (locale: 'en' | 'ja') => {
    const { name, description } = lineOf({ ...sold, ...changes }, locale);
    return `${name} | ${description}`;
  };
  expect([lineIn('en'), lineIn('ja')]).toEqual([en, ja]);
});

const product = (priceAmount: number, currency = 'JPY') => sampleProduct({ priceAmount, currency });
const off = (fields: object) => sampleDiscount(fields);

describe('the price of an order', () => {
  test.each([
    ['without a code', product(1999), 3, undefined, { unitAmount: 1999, discountAmount: 0, total: 5997 }],
    ['15 % off', product(1999), 3, off({ percentOff: 15 }), { unitAmount: 1700, discountAmount: 897, total: 5100 }],
    ['an amount off each', product(1999), 2, off({ amountOff: 500 }), { unitAmount: 1499, discountAmount: 1000, total: 2998 }],
    ['more off than it costs now', product(300), 2, off({ amountOff: 500 }), { unitAmount: 0, discountAmount: 600, total: 0 }],
    ['100 % off', product(4800), 7, off({ percentOff: 100 }), { unitAmount: 0, discountAmount: 33_600, total: 0 }],
    ['a step of the currency', product(1550, 'KWD'), 3, off({ percentOff: 15 }), { unitAmount: 1320, discountAmount: 690, total: 3960 }],
  ])('%s', (_, of, quantity, discount, price) => {
    expect(priceOf(of, quantity, discount)).toEqual({ quantity, discount, ...price });
  });

  test('is 99,999,999 at most', () => {
    expect(priceOf(product(33_333_333), 3).total).toBe(99_999_999);
    expect(() => priceOf(product(33_333_334), 3)).toThrow(expect.objectContaining({ code: 'price_not_chargeable' }));
    expect(priceOf(product(33_333_334), 3, off({ amountOff: 1 })).total).toBe(99_999_999);
  });
});

describe('a quantity', () => {
  test('is one, unless it is said, and at most what the product sells at once', () => {
    expect([quantityOf({ maxQuantity: 1 }), quantityOf({ maxQuantity: 20 }, 20), quantityOf({ maxQuantity: 20 }, 1)]).toEqual([1, 20, 1]);
    for (const asked of [0, 21, -1]) {
      const refused = { code: 'invalid_request', message: 'quantity must be 1 to 20' };
      expect(() => quantityOf({ maxQuantity: 20 }, asked)).toThrow(expect.objectContaining(refused));
    }
  });
});

describe('an entered code', () => {
  test.each([
    [undefined, undefined],
    ['', undefined],
    [' \t\r\n\v\f ', undefined],
    ['\t spring-26\n', 'spring-26'],
    ['a b', 'a b'],
    // White space of Unicode is no white space here.
    ['\u3000A\u00a0', '\u3000A\u00a0'],
  ])('in %j is %j', (text, code) => {
    expect(readEnteredCode(text)?.text).toBe(code);
  });

  test('is found in time, however much white space is in a text', () => {
    expect(readEnteredCode(`a${' '.repeat(250_000)}b${' '.repeat(250_000)}`)?.text).toHaveLength(250_002);
  });
});

describe('the body behind an idempotency key', () => {
  const key = 'k-0123456789abcdef';
  const hash = ({ discountCode, ...intent }: { quantity?: number; discountCode?: string }) =>
    checkoutHashes(
      { slug: 'photo', buyerEmail: 'a@example.com', locale: 'ja', ...intent, discountCode: readEnteredCode(discountCode) },
      key,
    ).bodyHash;

  test('without quantity and code is known by the hash of the version before', () => {
    const before = 'Pr-Vf7SFMYw9VB7_1FLJa1tbMnkOVA-4-xbwaDWvj0E';
    expect([{}, { quantity: 1 }, { discountCode: ' ' }].map(hash)).toEqual([before, before, before]);
  });

  test('is another with another quantity or code, and the same with a code in other letters', () => {
    const bodies = [{}, { quantity: 2 }, { discountCode: 'SPRING' }, { quantity: 2, discountCode: 'SPRING' }, { discountCode: 'spring!' }];
    expect(new Set(bodies.map(hash)).size).toBe(bodies.length);
    expect(hash({ discountCode: ' spring ' })).toBe(hash({ discountCode: 'SPRING' }));
  });
});

describe('the text of a code', () => {
  test.each([
    ['abc', 'ABC'],
    ['Spring-20', 'SPRING-20'],
    ['-'.repeat(32), '-'.repeat(32)],
  ])('%j is %j', (text, code) => expect(parseDiscountCode(text)).toBe(code));

  test.each(['', 'AB', 'A'.repeat(33), 'A B', 'AB_C', 'ÄBC', 'ſab', 'ıbc', 'ABC\n', ' ABC', '１２３'])('%j is none', (text) =>
    expect(parseDiscountCode(text)).toBeUndefined(),
  );
});

describe('a discount', () => {
  const yen = { currency: 'JPY' };
  const at = '2026-02-15T00:00:00.000Z';
  const over = { startsAt: '2026-02-15T00:00:00.001Z' };
  test.each([
    ['from its start on', { startsAt: at }, true],
    ['not before', over, false],
    ['until its end', { endsAt: '2026-02-15T00:00:00.001Z' }, true],
    ['not from then on', { endsAt: at }, false],
    ['not once it was ended', { endedAt: '2026-02-14T00:00:00.000Z' }, false],
    ['with one left', { maxRedemptions: 5, taken: 4 }, true],
    ['not used up', { maxRedemptions: 5, taken: 5 }, false],
    ['nor beyond that', { maxRedemptions: 5, taken: 6 }, false],
    ['in its currency, however that is spelled', { currency: 'jpy' }, true],
    ['in no other', { currency: 'USD' }, false],
  ])('holds %s', (_, fields, expected) => expect(isDiscountValid(sampleDiscount(fields), yen, at)).toBe(expected));

  test.each([
    [undefined, false],
    [{ live: {} }, false],
    [{ live: { dis_1: at } }, false],
    [{ live: { dis_1: at, dis_2: '2026-02-15T00:00:00.001Z' } }, true],
    [{ live: { dis_1: '' } }, true],
  ])('of %j one may be entered: %p', (item, expected) => expect(hasLiveDiscount(item, at)).toBe(expected));

  test('takes off what can be charged in the currency', () => {
    const made = (amountOff: number) => () =>
      newDiscount({ code: 'OFF', amountOff }, sampleProduct({ priceAmount: 1000, currency: 'isk' }), { id: newId('discount'), at });
    expect(made(150)).toThrow('amount_off');
    expect(made(200)()).toMatchObject({ amountOff: 200 });
  });

  test.each([
    [{ percentOff: 33 }, 1000, 'JPY', 670],
    [{ percentOff: 1 }, 99, 'JPY', 99],
    [{ percentOff: 100 }, 99, 'USD', 0],
    [{ amountOff: 300 }, 1000, 'EUR', 700],
    // The price was lowered since.
    [{ amountOff: 300 }, 200, 'EUR', 0],
    [{ percentOff: 33 }, 1000, 'ISK', 700],
    [{ percentOff: 33 }, 1000, 'UGX', 700],
    [{ percentOff: 33 }, 1010, 'kwd', 680],
  ])('%j makes of %i %s %i', (fields, priceAmount, currency, price) =>
    expect(discountedPrice({ priceAmount, currency }, sampleDiscount({ currency, ...fields }))).toBe(price),
  );

  test('shows what carts hold of its limit, and none without', () => {
    expect(toDiscount(sampleDiscount({ maxRedemptions: 9, taken: 7, redeemed: 4 }))).toMatchObject({ redeemed: 4, reserved: 3 });
    expect(toDiscount(sampleDiscount({ redeemed: 4 }))).toMatchObject({ redeemed: 4, reserved: 0 });
    expect(toDiscount(sampleDiscount())).not.toHaveProperty('taken');
  });
});

test.each([
  [{ wasPaid: false, isOver: false }, 'reserved'],
  [{ wasPaid: false, isOver: true }, 'returned'],
  [{ wasPaid: true, isOver: false }, 'redeemed'],
  [{ wasPaid: true, isOver: true }, 'redeemed'],
] as const)('the redemption of an order %j is %s', (order, state) => expect(redemptionStateOf(order)).toBe(state));

const day = (number: number) => `2026-02-0${number}T09:00:00.000Z`;
const terms = { registrationNumber: 'T1234567890123', sellerName: 'Minato', taxPercent: 10 };
const invoiced = (fields: Partial<InvoicedOrder> = {}): InvoicedOrder => ({
  amount: 4800,
  invoice: terms,
  checkout: { paidAt: day(1) },
  ...fields,
});
const lost = (at: string, amount?: number): DisputeFact => ({ state: 'lost', at, ...(amount !== undefined && { amount }) });
const facts = (fields: Partial<ChargeFacts>): ChargeFacts => ({ ...noChargeFacts, ...fields });

describe('the terms of an invoice', () => {
  const product = { currency: 'JPY', taxPercent: 8 } as const;
  const seller = { displayName: 'Minato', invoiceRegistrationNumber: 'T1234567890123' };
  const operator = { name: 'Kumo K.K.', registrationNumber: 'T1111111111111' };
  const from = (fields: object = {}) => invoiceTermsOf({ product, seller, operator: undefined, total: 1, ...fields });

  test('are kept of a sale in yen, over 0, of a seller with a number', () => {
    const made = { registrationNumber: 'T1234567890123', sellerName: 'Minato', taxPercent: 8 };
    expect(from()).toEqual(made);
    expect(from({ product: { ...product, currency: 'jpy' } })).toEqual(made);
    expect(from({ product: { ...product, currency: 'USD' } })).toBeUndefined();
    expect(from({ total: 0 })).toBeUndefined();
    expect(from({ seller: { displayName: 'Minato' } })).toBeUndefined();
  });

  test('name the seller as the law wants it named, and the operator where it is the issuer', () => {
    expect(from({ product: { ...product, tokushohoSellerName: ' Minato K.K. ' } })).toMatchObject({ sellerName: 'Minato K.K.' });
    expect(from({ product: { ...product, tokushohoSellerName: ' ' } })).toMatchObject({ sellerName: 'Minato' });
    expect(from({ operator })).toMatchObject({ operatorName: 'Kumo K.K.', operatorRegistrationNumber: 'T1111111111111' });
  });

  test('are the operator’s with a number of its own alone', () => {
    const settings = (OPERATOR_INVOICE_NUMBER: string | undefined, OPERATOR_NAME: string | undefined) =>
      invoiceIssuerOf({ OPERATOR_INVOICE_NUMBER, OPERATOR_NAME });
    expect(settings('T1111111111111', 'Kumo K.K.')).toEqual(operator);
    expect(settings('T1111111111111', undefined)).toEqual({ ...operator, name: 'Operator' });
    expect(settings(undefined, 'Kumo K.K.')).toBeUndefined();
  });
});

describe('an invoice', () => {
  test.each([
    [4800, 10, 436],
    [1, 10, 0],
    [11, 10, 1],
    [10, 10, 0],
    [1080, 8, 80],
    [1079, 8, 79],
    [99_999_999, 10, 9_090_909],
    [4800, 0, 0],
  ])('of %i at %i %% has a tax of %i', (amount, taxPercent, taxAmount) => {
    expect(includedTax(amount, taxPercent)).toBe(taxAmount);
    expect(invoiceOf(invoiced({ amount, invoice: { ...terms, taxPercent } }), noChargeFacts)).toEqual({ ...terms, taxPercent, taxAmount });
  });

  test('is of what was paid, by a seller who issued one then', () => {
    expect(invoiceOf(invoiced({ checkout: {} }), noChargeFacts)).toBeUndefined();
    expect(invoiceOf(invoiced({ invoice: undefined }), noChargeFacts)).toBeUndefined();
  });

  const refunded = (times: Record<number, string>, retrieved?: number): Partial<ChargeFacts> => ({
    refundedAmount: Math.max(...Object.keys(times).map(Number)),
    refundTimes: times,
    ...(retrieved !== undefined && { refundRetrieval: { at: day(5), amount: retrieved } }),
  });
  const known: DisputeFact[] = [
    { state: 'won', at: day(5), amount: 900 },
    { state: 'open', at: day(5), amount: 9 },
  ];

  test.each<[string, Partial<ChargeFacts>, number, string]>([
    ['a refund', refunded({ 1000: day(3) }), 1000, day(3)],
    ['several refunds', refunded({ 1000: day(3), 1500: day(4) }), 1500, day(4)],
    ['one of two refunds, as the later failed', refunded({ 1000: day(3), 1500: day(4) }, 1000), 1000, day(3)],
    ['what was retrieved alone', refunded({ 1500: day(4) }, 700), 700, day(4)],
    ['a refund of before times were kept', { refundedAmount: 1000 }, 1000, day(1)],
    ['the same, retrieved', { refundedAmount: 1000, refundRetrieval: { at: day(5), amount: 1000 } }, 1000, day(5)],
    ['a lost dispute about a part', { disputes: { a: lost(day(5), 900) } }, 900, day(5)],
    ['a lost dispute of which nobody knows what it was about', { disputes: { a: lost(day(5)) } }, 4800, day(5)],
    ['two losses and a refund', { ...refunded({ 1000: day(6) }), disputes: { a: lost(day(5), 900), b: lost(day(4), 100) } }, 2000, day(6)],
    ['more than everything', { ...refunded({ 4800: day(2) }), disputes: { a: lost(day(5), 4800) } }, 4800, day(5)],
    [
      'a refund beside disputes that are not lost',
      { ...refunded({ 11: day(2) }), disputes: Object.fromEntries(known.entries()) },
      11,
      day(2),
    ],
  ])('states %s as one entry with its own tax', (_, charge, amount, refundedAt) => {
    const refunds = [{ amount, taxAmount: includedTax(amount, 10), refundedAt }];
    expect(invoiceOf(invoiced(), facts(charge))).toEqual({ ...terms, taxAmount: 436, refunds });
  });

  test('states nothing given back where nothing is', () => {
    const charge = facts({ refundedAmount: 500, refundTimes: { 500: day(2) }, refundRetrieval: { at: day(3), amount: 0 } });
    expect(invoiceOf(invoiced(), charge)).toEqual({ ...terms, taxAmount: 436 });
  });
});
