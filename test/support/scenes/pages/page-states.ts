import type { Page } from 'playwright-core';
import { newId } from '../../../../shared/ids.ts';
import { paymentTakesDays } from '../../../../shared/text/payment-words.ts';
import { issueLease, requestCodeOf } from '../../samples/leases.ts';
import {
  forPayer,
  sampleAddition,
  sampleDevices,
  sampleInvoice,
  sampleOffers,
  samplePurchase,
  sampleReleases,
  sampleToken,
} from '../../samples/sample-purchase.ts';

const token = `#token=${sampleToken('redirect')}`;
const failed = (code: string, status = 403) => ({ status, body: { code, message: '', request_id: 'x' } });
const opened = (options: Parameters<typeof samplePurchase>[0]) => ({ status: 200, body: samplePurchase(options) });

const activate = { ja: '/activate', en: '/activate' };
async function askForFile(page: Page): Promise<void> {
  await page.locator('#license-key').fill('LIC1-7K3QD-9M2XW-4R8TB-H5JNC-V6PGA');
  await page
    .locator('#request-code')
    .fill(requestCodeOf({ p: 'prd_01KDNX4V5S8G7W9Q2M3B6T1ZRA', d: 'b1c7fd0a9e2e4c55', l: 'Plant floor', n: 'n-1' }));
  await page.locator('button[type=submit]').click();
}
const license = { id: newId('license'), productId: newId('product'), features: ['pro'], activationLimit: 3 };
const lease = issueLease(
  { kind: 'offline', days: 90, license, deviceFingerprint: 'b1c7fd0a9e2e4c55' },
  new Date('2026-02-01T00:00:00.000Z'),
);
const activated = { valid: true, code: 'activated', activation_count: 2, activation_limit: 3, lease };

const complete = { ja: `/complete${token}`, en: `/complete${token}` };
const receipt = { ja: `/receipt${token}`, en: `/receipt${token}` };
const manage = { ja: '/manage', en: '/manage' };
const seller = {
  site_url: 'https://minato.example/products/waveform-editor',
  tokushoho_seller_name: '株式会社みなと工房\n（運営責任者：港 花子）',
  tokushoho_contact: '03-0000-0000（平日10時から17時）',
  tokushoho_address: '〒100-0000 東京都千代田区架空町1-2-3\nみなとビル4階',
};

const fullInvoice = {
  operator_name: '株式会社ミナト・マーケット',
  operator_registration_number: 'T9876543210987',
  refunds: [{ amount: 4800, tax_amount: 355, refunded_at: '2026-02-03T09:00:00.000Z' }],
};

/** Answers for a purchase: itself, its devices; whatever else is asked of it is refused. */
const purchased =
  (options: Parameters<typeof samplePurchase>[0] = {}, devices: object = sampleDevices(), releases: object = { items: [] }) =>
  (path: string): Answer => {
    if (path.endsWith('/complete')) return opened({ used: 2, ...options });
    if (path.endsWith('/devices')) return { status: 200, body: devices };
    if (path.endsWith('/releases')) return { status: 200, body: releases };
    return path.includes('/files/') ? failed('completion_token_expired') : failed('moves_exhausted');
  };

const askToRelease = (page: Page) => page.locator('[data-list] [data-open]').first().click();
async function askToReplace(page: Page): Promise<void> {
  await page.locator('[data-replace-key] summary').click();
  await page.locator('[data-replace-key] [data-open]').click();
}
async function unfold(page: Page): Promise<void> {
  await page.locator('[data-correction] summary').click();
  await page.locator('[data-replace-key] summary').click();
}

interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** A page in a state that buyers may see it in. */
interface PageState {
  path: Record<'ja' | 'en', string>;
  answer?: Answer | ((path: string) => Answer);
  /** What is done on the page before it is looked at. */
  act?: (page: Page) => Promise<void>;
}

/** Every page in its states, by a name. */
export const pageStates: Record<string, PageState> = {
  product: { path: { ja: `/p/${encodeURIComponent('波形エディター-pro')}`, en: '/p/waveform-editor-pro' } },
  'product-long': { path: { ja: '/p/long', en: '/p/long' } },
  'product-free': { path: { ja: '/p/free', en: '/p/free' } },
  'product-not-on-sale': { path: { ja: '/p/not-on-sale', en: '/p/not-on-sale' } },
  checkout: { path: { ja: `/p/${encodeURIComponent('波形エディター-pro')}/checkout`, en: '/p/waveform-editor-pro/checkout?changed=yes' } },
  'product-team': { path: { ja: '/p/team', en: '/p/team' } },
  'product-code': { path: { ja: '/p/team?code=spring-25', en: '/p/team?code=none' } },
  'checkout-code': { path: { ja: '/p/team/checkout?quantity=3&code=spring-25', en: '/p/team/checkout?quantity=3&code=spring-25' } },
  'checkout-faults': { path: { ja: '/p/team/checkout?quantity=21&code=none', en: '/p/team/checkout?quantity=21&code=none' } },
  complete: { path: complete, answer: purchased({ more: forPayer }) },
  'complete-full': {
    path: complete,
    answer: purchased({ more: forPayer, seller, refunded: 1200, orderStatus: 'partially_refunded' }),
    act: unfold,
  },
  'complete-offers': {
    path: complete,
    answer: purchased({
      used: 2,
      files: false,
      more: { offers: sampleOffers() },
      order: { quantity: 3, unit_amount: 1600, discount_amount: 600 },
    }),
    async act(page) {
      await page.locator('#more-seats').fill('3');
      await page.locator('[data-buy=updates] button').click();
    },
  },
  'complete-addition': { path: complete, answer: { status: 200, body: sampleAddition({ more: forPayer }) } },
  'complete-addition-refunded': {
    path: complete,
    answer: { status: 200, body: sampleAddition({ orderStatus: 'refunded', refunded: 4800 }) },
  },
  'complete-no-files': { path: complete, answer: purchased({ files: false, seller, used: 0 }) },
  releases: { path: { ja: `/p/${encodeURIComponent('波形エディター-pro')}/releases?channel=beta`, en: '/p/waveform-editor-pro/releases' } },
  'releases-none': { path: { ja: '/p/free/releases', en: '/p/free/releases' } },
  'complete-updates': {
    path: complete,
    answer: purchased({ files: false, updatesUntil: '2025-06-01T09:00:00.000Z' }, sampleDevices(), sampleReleases()),
  },
  'complete-release': { path: complete, answer: purchased(), act: askToRelease },
  'complete-no-moves': {
    path: complete,
    answer: purchased({}, sampleDevices(['Studio Mac'], { moves_left: 0, moves_reset_at: '2026-02-20T00:00:00.000Z', next_cursor: 'x' })),
  },
  'complete-replace': { path: complete, answer: purchased(), act: askToReplace },
  'complete-download-expired': {
    path: complete,
    answer: purchased({ more: forPayer }),
    act: (page) => page.locator('[data-download]').first().click(),
  },
  'complete-refunded': { path: complete, answer: purchased({ status: 'refunded', orderStatus: 'refunded', refunded: 4800 }) },
  'complete-held': { path: complete, answer: purchased({ status: 'refunded', order: { kind: 'upgrade', held: { why: 'refunded' } } }) },
  'complete-held-disputed': {
    path: complete,
    answer: purchased({ status: 'disputed', order: { kind: 'upgrade', held: { why: 'disputed' } } }),
  },
  'complete-bought-before': {
    path: complete,
    answer: purchased({
      more: { ...forPayer, buyer_email: 'carol@gmial.com' },
      order: { bought_before: { paid_at: '2026-01-31T08:00:00.000Z' } },
    }),
  },
  'complete-waiting-days': {
    path: complete,
    answer: { status: 403, body: { code: 'order_not_paid', message: paymentTakesDays, request_id: 'x' } },
  },
  'complete-issuing': { path: complete, answer: purchased({ license: false, files: false, more: forPayer }) },
  'complete-waiting': { path: complete, answer: failed('order_not_paid') },
  'complete-expired': { path: complete, answer: failed('completion_token_expired') },
  'complete-cut': { path: complete, answer: failed('completion_token_invalid') },
  'complete-ended': { path: complete, answer: failed('order_expired') },
  'complete-busy': { path: complete, answer: { ...failed('rate_limited', 429), headers: { 'Retry-After': '42' } } },
  'complete-failing': { path: complete, answer: failed('internal_error', 500) },
  'complete-no-link': { path: { ja: '/complete', en: '/complete' } },
  manage: { path: manage },
  'manage-refused': {
    path: manage,
    act: (page) => page.locator('form').evaluate("form => { form.elements[0].value = 'no address'; form.submit() }"),
  },
  'manage-sent': { path: { ja: '/manage?sent=yes', en: '/manage?sent=yes' } },
  receipt: { path: receipt, answer: purchased({ seller }) },
  'receipt-refunded': { path: receipt, answer: purchased({ refunded: 1200, orderStatus: 'partially_refunded' }) },
  'receipt-qualified': {
    path: receipt,
    answer: purchased({
      refunded: 4800,
      orderStatus: 'refunded',
      seller,
      more: { added: '3 追加席' },
      order: { quantity: 3, unit_amount: 1600, discount_amount: 600, invoice: sampleInvoice(8, fullInvoice) },
    }),
  },
  'receipt-untaxed': { path: receipt, answer: purchased({ seller, order: { invoice: sampleInvoice(0) } }) },
  'receipt-no-link': { path: { ja: '/receipt', en: '/receipt' } },
  activate: { path: activate },
  'activate-faults': { path: activate, act: (page) => page.locator('button[type=submit]').click() },
  'activate-no-seat': { path: activate, answer: failed('activation_limit_exceeded'), act: askForFile },
  'activate-ready': { path: activate, answer: { status: 200, body: activated }, act: askForFile },
  cancelled: { path: { ja: '/checkout/cancelled?product=free', en: '/checkout/cancelled?product=free' } },
  onboarding: { path: { ja: '/onboarding/return', en: '/onboarding/return' } },
  'not-found': { path: { ja: '/p/nothing', en: '/p/nothing' } },
};

/** What the service answers on a page in this state. */
export const answerIn = ({ answer = failed('order_not_paid') }: PageState, path: string): Answer =>
  typeof answer === 'function' ? answer(path) : answer;
