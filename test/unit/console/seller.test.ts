import { describe, expect, test } from '@jest/globals';
import type { ProductFile } from '../../../build/client.ts';
import { isMailHeld } from '../../../functions/console/browser/orders/mail-hold.ts';
import { isRunning, pollEvery as pollBatches, progressOf } from '../../../functions/console/browser/seller/codes/batch-state.ts';
import {
  discountBody,
  discountFaults,
  discountState,
  noDiscount,
} from '../../../functions/console/browser/seller/discounts/discount-values.ts';
import {
  isGone,
  isWithdrawable,
  obstacleOf,
  picturesByFile,
  pollEvery,
} from '../../../functions/console/browser/seller/files/file-facts.ts';
import { attentionPath, isToDo, taskPath } from '../../../functions/console/browser/seller/home/paths.ts';
import { faultsInTerms, termsBody, termValues } from '../../../functions/console/browser/seller/orders/license-terms.ts';
import { isPaid, isUnderWay } from '../../../functions/console/browser/seller/orders/order-progress.ts';
import { nextSuspension } from '../../../functions/console/browser/seller/orders/suspension.ts';
import { dayOf, endOf, startOf } from '../../../functions/console/browser/text/days.ts';
import { LicenseStatus } from '../../../shared/licenses/license.ts';
import { attentionKinds } from '../../../shared/overview/attention.ts';
import { taskStates } from '../../../shared/overview/tasks.ts';
import { onboardingStatuses } from '../../../shared/payments/onboarding/onboarding-status.ts';
import { OrderStatus } from '../../../shared/payments/payment-facts.ts';
import { sellerEventTypes } from '../../../shared/seller-events/seller-event.ts';
import { reviewStatuses, taskIds } from '../../../shared/sellers/seller.ts';
import { attemptErrors } from '../../../shared/webhook-endpoints/deliveries/delivery.ts';
import { inLanguage } from '../../support/in-language.ts';

const products = [
  { id: 'prd_1', name: 'Pen', license_issuance_mode: 'generated_server_validated' },
  { id: 'prd_2', name: 'Ink', license_issuance_mode: 'imported_csv' },
] as const;

describe('where a task is done', () => {
  test.each([
    ['apply', 'todo', undefined, '/console/seller'],
    ['apply', 'blocked', undefined, '/console/seller'],
    ['payments', 'blocked', undefined, undefined],
    ['payments', 'action', undefined, '/console/seller'],
    ['product', 'todo', undefined, '/console/products/new'],
    ['product', 'done', 'prd_1', '/console/products'],
    ['delivery', 'todo', 'prd_1', '/console/products/prd_1/files'],
    ['delivery', 'todo', 'prd_2', '/console/products/prd_2/codes'],
    ['delivery', 'done', 'prd_unlisted', '/console/products/prd_unlisted/files'],
    ['delivery', 'blocked', undefined, undefined],
    ['review', 'action', 'prd_1', '/console/products/prd_1'],
    ['sale', 'waiting', 'prd_1', '/console/products/prd_1'],
    ['sale', 'done', 'prd_1', '/console/orders'],
    ['sale', 'blocked', undefined, undefined],
  ] as const)('%s, %s, of %s: %s', (id, state, target, place) => {
    expect(taskPath({ id, state, ...(target && { target_id: target }) }, products, false)).toBe(place);
  });

  test('offers a seller that admins closed to apply, and to look at what is done', () => {
    const open = taskIds.flatMap((id) =>
      taskStates
        .filter((state) => taskPath({ id, state, target_id: 'prd_1' }, products, true) !== undefined)
        .map((state) => ({ id, state })),
    );
    expect(open.filter(({ id }) => id === 'apply')).toHaveLength(taskStates.length);
    expect(open.filter((task) => task.id !== 'apply' && isToDo(task))).toEqual([]);
    expect(open.filter(({ id, state }) => id !== 'apply' && state === 'done')).toHaveLength(taskIds.length - 1);
  });

  test('knows of all that needs a seller but files and releases, whose product is to be looked for', () => {
    const unknown = attentionKinds.filter((kind) => attentionPath({ kind, target_id: 'a/b', since: '' }) === undefined);
    expect(unknown).toEqual(['file_rejected', 'file_failed', 'release_rejected']);
    expect(attentionPath({ kind: 'codes_short', target_id: 'a/b', since: '' })).toBe('/console/products/a%2Fb/codes');
    expect(attentionPath({ kind: 'endpoint_disabled', target_id: 'whe_1', since: '' })).toBe('/console/webhooks/whe_1');
    expect(attentionPath({ kind: 'paid_but_held', target_id: 'a/b', since: '' })).toBe('/console/orders/a%2Fb');
  });
});

const exported = `
  export { hintOf } from './seller/home/home-texts.ts';
  export { disabledWords, needWords } from './seller/account/provider-words.ts';
  export { texts as accountTexts } from './seller/account/account-texts.ts';
  export * from './seller/webhooks/endpoint-values.ts';
  export * from './seller/webhooks/delivery-values.ts';
  export * from './seller/webhooks/webhooks-texts.ts';`;
const [en, ja] = await Promise.all((['en', 'ja'] as const).map(async (language) => (await inLanguage(language, exported)).exports));

describe.each([
  ['English', en],
  ['Japanese', ja],
])('the words of the account in %s', (_, words) => {
  test('tell what the provider wants, once, and what nobody knows as the provider calls it', () => {
    const people = ['verification.document', 'given_name', 'surname', 'script_names.kana.given_name'].map((name) => `individual.${name}`);
    const business = ['registered_name', 'documents.proof_of_registration', 'address.postal_code'].map(
      (name) => `business_details.${name}`,
    );
    const identity = [...people, ...business].map((name) => `identity.${name}`);
    const asked = [...identity, 'configuration.recipient.default_outbound_destination', 'something.of.later'];
    const told: string[] = words.needWords(asked);
    expect(told.filter((one) => one.includes('.'))).toEqual(['something.of.later']);
    expect(told).toHaveLength(7);
    expect(words.disabledWords('requirements_past_due')).not.toContain('_');
    expect(['of_later', 'constructor'].map(words.disabledWords)).toEqual(['of_later', 'constructor']);
  });

  test('tell what each state means', () => {
    expect(Object.keys(words.accountTexts.review)).toEqual(expect.arrayContaining([...reviewStatuses]));
    expect(onboardingStatuses.filter((status) => !words.accountTexts.onboarding[status])).toEqual([]);
    expect(taskIds.filter((id) => words.hintOf({ id, state: 'blocked' }) === undefined)).toEqual([]);
    expect(taskIds.filter((id) => words.hintOf({ id, state: 'done' }) !== undefined)).toEqual([]);
  });
});

const endpoint = { id: 'whe_1', url: 'https://shop.example/hook', event_types: [...sellerEventTypes], enabled: true, created_at: 'x' };

describe('the form of a webhook', () => {
  test('offers every type of event there is', () => {
    expect([...en.eventTypes].sort()).toEqual([...sellerEventTypes].sort());
  });

  test('leaves the types out where none or all are ticked, so that later ones come too', () => {
    const { creation, noEndpoint, eventTypes } = en;
    const made = (event_types: readonly string[]) => creation({ ...noEndpoint, url: ' https://shop.example ', event_types });
    expect([made([]), made(eventTypes)]).toEqual([{ url: 'https://shop.example' }, { url: 'https://shop.example' }]);
    expect(made(['test', 'order.paid'])).toEqual({ url: 'https://shop.example', event_types: ['order.paid', 'test'] });
    expect(creation({ ...noEndpoint, url: 'x', description: ' Shop ' })).toEqual({ url: 'x', description: 'Shop' });
  });

  test('sends what differs alone', () => {
    const { change, endpointValues, eventTypes } = en;
    const values = endpointValues(endpoint);
    expect([change(values, endpoint), change({ ...values, event_types: [] }, endpoint)]).toEqual([{}, {}]);
    expect(change({ ...values, description: 'Shop', enabled: false }, endpoint)).toEqual({ description: 'Shop', enabled: false });
    expect(change({ ...values, event_types: ['test', 'order.paid'] }, endpoint)).toEqual({ event_types: ['order.paid', 'test'] });
    const narrow = { ...endpoint, event_types: ['test'] as const, description: 'Shop' };
    expect(change({ ...endpointValues(narrow), event_types: [], description: ' ' }, narrow)).toEqual({
      event_types: eventTypes,
      description: '',
    });
  });
});

describe('deliveries', () => {
  test('that failed say why in words of both languages', () => {
    for (const { answerOf, texts } of [en, ja]) {
      expect(Object.keys(texts.errors).sort()).toEqual([...attemptErrors, 'event_gone'].sort());
      for (const error of attemptErrors) expect(answerOf({ last_error: error })).toBe(texts.errors[error]);
      expect(answerOf({ last_error: 'status', last_status_code: 503 })).toBe(`${texts.errors.status}, HTTP 503`);
      expect([answerOf({}), answerOf({ last_error: 'of_later' })]).toEqual(['', 'of_later']);
    }
  });

  test('are looked at soon while one is due or was asked for, later while one waits, and else not', () => {
    const { pollEvery } = en;
    const now = Date.parse('2026-11-25T00:00:00.000Z');
    const waiting = (seconds: number) => ({ status: 'pending', next_attempt_at: new Date(now + seconds * 1000).toISOString() });
    for (const [deliveries, askedAt, rate] of [
      [[], now - 1000, 1000],
      [[{ status: 'delivered' }, { status: 'failed' }], 0, false],
      [[waiting(3600), waiting(5)], 0, 2000],
      [[{ status: 'pending' }], 0, 2000],
      [[waiting(3600)], 0, 10_000],
    ]) {
      expect(pollEvery(deliveries, now, askedAt)).toBe(rate);
    }
  });

  test('are sent again by one event, or from the beginning of a day, or all', () => {
    const { replayBody, noReplay } = en;
    expect(replayBody(noReplay)).toEqual({});
    expect(replayBody({ since: '', event_id: ' evt_1 ' })).toEqual({ event_id: 'evt_1' });
    const { since } = replayBody({ since: '2026-11-20', event_id: '' });
    expect(new Date(since).getHours()).toBe(0);
  });
});

describe('an import of codes', () => {
  test('is looked at again and again while it runs', () => {
    const statuses = ['accepted', 'processing', 'completed', 'failed'] as const;
    expect(statuses.filter((status) => isRunning({ status }))).toEqual(['accepted', 'processing']);
    expect(pollBatches([{ status: 'completed' }, { status: 'processing' }])).toBe(2000);
    expect(pollBatches([{ status: 'completed' }, { status: 'failed' }])).toBe(false);
    expect(pollBatches([])).toBe(false);
  });

  test('is done when each row with a code was imported or known', () => {
    const batch = { status: 'processing', total_rows: 10, imported_count: 4, duplicate_count: 1, rejected_count: 3 } as const;
    expect(progressOf(batch)).toEqual({ done: 5, all: 7 });
    expect(progressOf({ ...batch, imported_count: 6 })).toEqual({ done: 7, all: 7 });
  });
});

const filledDiscount = { ...noDiscount, code: ' spring-26 ', amount_off: '4.50', max_redemptions: '１００', starts_at: '2027-03-01T09:30' };

describe('a new discount', () => {
  test('is sent as what was filled in, with times at their offset', () => {
    expect(discountBody(filledDiscount, 'USD')).toEqual({
      code: 'spring-26',
      amount_off: 450,
      max_redemptions: 100,
      starts_at: new Date(2027, 2, 1, 9, 30).toISOString(),
    });
    expect(discountBody({ ...noDiscount, code: 'ALL', percent_off: '15', description: 'Fair' }, 'JPY')).toEqual({
      code: 'ALL',
      percent_off: 15,
      description: 'Fair',
    });
  });

  test.each([
    [{ percent_off: '', amount_off: '' }, 'JPY', 'is missing, and percent_off too: one of them is needed'],
    [{ percent_off: '5', amount_off: '100' }, 'JPY', 'must be left out beside percent_off'],
    [{ percent_off: '', amount_off: '1.5' }, 'JPY', 'must be a whole amount in this currency'],
    [{ percent_off: '', amount_off: '1.255' }, 'KWD', 'must be a multiple of 0.010 in this currency'],
    [{ percent_off: '5', amount_off: '' }, 'JPY', undefined],
    [{ percent_off: '', amount_off: '¥1,200' }, 'JPY', undefined],
  ])('of %j in %s has wrong: %p', (values, currency, text) => {
    expect(discountFaults({ ...filledDiscount, ...values }, currency)).toEqual(text === undefined ? [] : [{ field: 'amount_off', text }]);
  });
});

describe('a discount', () => {
  const now = new Date('2027-03-10T00:00:00.000Z');
  const holding = { starts_at: '2027-03-01T00:00:00.000Z', redeemed: 3, reserved: 1, currency: 'jpy' };
  test.each([
    ['holds', {}],
    ['holds', { max_redemptions: 5, ends_at: '2027-03-10T00:00:01.000Z' }],
    ['used_up', { max_redemptions: 4 }],
    ['not_begun', { starts_at: '2027-03-11T00:00:00.000Z' }],
    ['past', { ends_at: '2027-03-10T00:00:00.000Z', max_redemptions: 4 }],
    ['ended', { ended_at: '2027-03-02T00:00:00.000Z', ends_at: '2027-03-03T00:00:00.000Z' }],
    ['other_currency', { currency: 'USD' }],
  ])('%s with %j', (standing, more) => {
    expect(discountState({ ...holding, ...more }, 'JPY', now)).toBe(standing);
  });
});

const waiting = {
  status: 'pending_review',
  hash_status: 'verified',
  scan_status: 'clean',
  scan_trusted_clean: true,
  visibility: 'private',
} as const satisfies Partial<ProductFile>;

describe('what keeps a file from its buyers', () => {
  test.each([
    [{}, undefined],
    [{ hash_status: 'unverified', scan_status: 'not_scanned' }, undefined],
    [{ scan_status: 'not_scanned' }, undefined],
    [{ status: 'upload_pending', hash_status: 'unverified', scan_status: 'not_scanned' }, 'unfinished'],
    [{ hash_status: 'mismatch', hash_error: 'size_mismatch', scan_status: 'not_scanned' }, 'unlike'],
    [{ hash_status: 'error', hash_error: 'object_missing' }, 'unreadable'],
    [{ status: 'rejected', hash_status: 'mismatch', hash_error: 'picture_animated' }, 'no_picture'],
    [{ status: 'rejected' }, 'turned_down'],
    [{ status: 'disabled' }, 'withdrawn'],
    [{ scan_status: 'infected', scan_trusted_clean: false }, 'infected'],
    // Found after it was approved: it was taken down by itself.
    [{ status: 'disabled', scan_status: 'infected', scan_trusted_clean: false }, 'infected'],
    [{ scan_status: 'error', scan_trusted_clean: false }, 'unscanned'],
    // An admin vouched for it.
    [{ scan_status: 'error' }, undefined],
    [{ status: 'approved', visibility: 'buyer_visible' }, undefined],
    [{ status: 'approved' }, 'private'],
  ] as const)('of %j: %s', (changes, obstacle) => {
    expect(obstacleOf({ ...waiting, ...changes })).toBe(obstacle);
  });

  test('is told of as long as somebody can do something about it', () => {
    const ends = [
      ['disabled', 'clean'],
      ['disabled', 'infected'],
      ['rejected', 'clean'],
    ] as const;
    expect(ends.map(([status, scan_status]) => isGone({ status, scan_status }))).toEqual([true, false, false]);
    const statuses = ['upload_pending', 'pending_review', 'approved', 'rejected', 'disabled'] as const;
    expect(statuses.filter((status) => isWithdrawable({ status }))).toEqual(['upload_pending', 'pending_review', 'approved']);
  });
});

describe('files that are being checked', () => {
  const now = Date.parse('2026-03-01T12:00:00Z');
  const uploadedBefore = (seconds: number) =>
    ({ ...waiting, scan_status: 'not_scanned', uploaded_at: new Date(now - seconds * 1000).toISOString() }) as ProductFile;

  test('are looked at often at first, then seldom, and in the end no more', () => {
    expect(pollEvery([uploadedBefore(5)], now)).toBe(2000);
    expect(pollEvery([uploadedBefore(120)], now)).toBe(10_000);
    expect(pollEvery([uploadedBefore(120), uploadedBefore(5)], now)).toBe(2000);
    expect(pollEvery([uploadedBefore(3600)], now)).toBe(false);
    expect(pollEvery([{ ...uploadedBefore(5), scan_status: 'clean' }], now)).toBe(false);
    expect(pollEvery([], now)).toBe(false);
  });
});

test('pictures are found by the file in their address', () => {
  expect([...picturesByFile([{ url: 'https://shop.example/images/prd_1/file_2/abc.png' }])]).toEqual([
    ['file_2', 'https://shop.example/images/prd_1/file_2/abc.png'],
  ]);
});

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

  test('has its mail wait while its payment, or an order before it, stops the license', () => {
    expect(OrderStatus.options.filter((status) => isMailHeld({ status }))).toEqual(['disputed', 'refunded']);
    expect(isMailHeld({ status: 'paid', held_by: 'ord_1' })).toBe(true);
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
