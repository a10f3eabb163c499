import type { rules } from '../../../infra/commands/ops/check/rules.ts';
import * as keys from '../../../shared/db/keys.ts';
import type { Item } from '../../../shared/db/table.ts';
import { newId } from '../../../shared/ids.ts';

export type Which = (item: Item, soldLicenseId: string) => boolean;
type Change = (item: Item) => Item;
const without =
  (...names: string[]): Change =>
  (item) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));
const as =
  (change: Item): Change =>
  (item) => ({ ...item, ...change });
const then = '2026-01-31T09:00:00.000Z';
const any = () => true;
const isPaid = ({ licenseId }: Item) => licenseId !== undefined;
const isLicense = ({ activationLimit, orderId }: Item) => activationLimit !== undefined && orderId !== undefined;
const isTestKey = ({ activationLimit, orderId, revokedAt }: Item) => activationLimit !== undefined && !orderId && !revokedAt;
const isLiveToken = ({ revokedAt }: Item) => revokedAt === undefined;
const isLiveDiscount = ({ code, endedAt }: Item) => code !== undefined && endedAt === undefined;
const isPending = ({ status }: Item) => status === 'pending';
/** A job that no worker finishes, or puts off once more, while it is another. */
const isFarOff = ({ id }: Item) => String(id).startsWith('discard-upload:');
const hasOneSeat = ({ activationCount }: Item) => activationCount === 1;
const isUpgrade = ({ upgradesFrom }: Item) => Object.keys(upgradesFrom ?? {}).length > 0;
const listsFiles = ({ liveFiles }: Item) => Object.keys(liveFiles ?? {}).length > 0;
const isProjected = ({ projectedAt }: Item) => projectedAt !== undefined;
const isActiveDevice = ({ deactivatedAt }: Item) => deactivatedAt === undefined;
export const other = { order: newId('order'), license: newId('license'), seller: newId('seller'), product: newId('product') };

/** What is told where an item of a kind is removed: a star stands for an id or a number, dots for any text. */
export const removals: [kind: keyof typeof rules, which: Which, ...told: string[]][] = [
  [
    'licenseKey',
    isLicense,
    'order: ord_* has the license lic_*, which is not there',
    'license pointer: lic_* is not where its id leads to',
  ],
  ['jobKey', ({ id }) => String(id).startsWith('abort-parts:'), 'file: fil_* can be uploaded in parts, and no job ends them'],
  ['licenseKey', ({ replacedAt }) => replacedAt !== undefined, 'license: lic_* had a key that is not known as replaced'],
  [
    'licensePointerKey',
    ({ licenseId }, sold) => licenseId === sold,
    'license: lic_* is not found by its id',
    'order: ord_* has the license lic_*, which is not there',
  ],
  ['licenseKey', isTestKey, 'test key: lic_* is no test key of prd_*, which lists it as one'],
  ['testKeyKey', any, 'license: lic_* has no order, and is not among the test keys of its product'],
  ['aliveTestKeysKey', any, 'license: lic_* is a test key that is alive, and takes no place'],
  [
    'orderKey',
    isPaid,
    'license: lic_* is of ord_*, which is not there',
    'order of seller: ord_* is in the list of sel_*, and is not of that seller',
    'order of buyer: ord_* is in the list of a buyer, and was not paid',
    'mail: ord_*/issuance is about an order that is not there',
    'payment: pi_* is of ord_*, which has another payment or none',
  ],
  ['orderKey', (item) => !isPaid(item), 'checkout request: ord_* has an idempotency key, and is not there'],
  ['orderOfSellerKey', any, 'order: ord_* is not in the list of sel_*'],
  ['paymentKey', any, 'order: ord_* has a payment that is not its own'],
  ['mailKey', ({ id }) => id === 'issuance', 'order: ord_* has a license, and no mail that tells of it'],
  ['deviceKey', isActiveDevice, 'license: lic_* counts 1 seats, and has 0 active devices', 'seat: a seat is of a device that has none'],
  [
    'sellerKey',
    any,
    'product: prd_* is of sel_*, which is not there',
    'seller event: evt_* is of sel_*, which is not there',
    'endpoint: whe_* is of sel_*, which is not there',
    'api token: tok_* is of sel_*, and not of its owner',
  ],
  ['sellerOfUserKey', any, 'seller: sel_* is not found by its user'],
  ['sellerOfAccountKey', any, 'seller: sel_* is not found by its account'],
  ['slugKey', any, 'product: prd_* is not found by one of its slugs'],
  [
    'productKey',
    any,
    'product of seller: prd_* is in the list of sel_*, and is not of that seller',
    'slug: prd_* did not reserve a slug that leads to it',
  ],
  ['upgradeKey', any, 'product: prd_* upgrades prd_*, which does not lead to it'],
  ['productKey', any, 'last decision: prd_* was decided on, and is not there'],
  ['productOfSellerKey', any, 'product: prd_* is not in the list of sel_*', 'seller: sel_* counts 2 products, and lists 1'],
  [
    'fileKey',
    any,
    'file slots: prd_* lists fil_* as a live file, and it is not one',
    'seller storage: sel_* counts * bytes of files, which take *',
  ],
  [
    'batchKey',
    any,
    'code: a code of bat_* is known, and its import is not there or of another seller',
    'batch request: bat_* has an idempotency key, and is not there',
  ],
  ['batchRequestKey', any, 'batch: bat_* is not found by its idempotency key'],
  ['codeStockKey', any, 'codes: prd_* has 3 imported codes, of which 1 are in stock, 1 sold and 0 set aside'],
  ['codeKey', any, 'codes: bat_* imported 3 codes, of which 2 are known'],
  [
    'endpointKey',
    any,
    'endpoint count: sel_* counts 2 endpoints, and has 1',
    'delivery: evt_* to whe_* goes to an endpoint that never was',
  ],
  ['apiTokenKey', isLiveToken, 'api token of seller: tok_* is in the list of sel_*, and is not of that seller'],
  ['apiTokenOfSellerKey', any, 'api token: tok_* is not in the list of sel_* as long as it is kept'],
  ['liveApiTokensKey', any, 'api token: tok_* is live, and takes no place'],
  ['discountKey', isLiveDiscount, 'discount id: dis_* leads to no discount of prd_*'],
  ['discountIdKey', any, 'discount: dis_* is not found by its id'],
  ['liveDiscountsKey', any, 'discount: dis_* is not ended, and takes no place'],
  ['endpointCountKey', any, 'endpoint: whe_* is of sel_*, which counts no endpoints'],
  ['deliveryKey', isPending, 'due delivery: evt_* to whe_* is among the due ones at a time at which it is not'],
  ['dueDeliveryKey', any, 'delivery: evt_* to whe_* is pending, and is not among the due ones'],
];

/** What is about people, or is made by anybody, does not stay. */
const forgotten = ['mailingsKey', 'mailingRequestKey', 'checkoutRequestKey', 'rateLimitKey', 'webhookEventKey'] as const;

export const changes: [kind: keyof typeof rules, which: Which, change: Change, told: string][] = [
  ...forgotten.map((kind) => [kind, any, without('ttl'), '…: …ttl'] as [typeof kind, typeof any, Change, string]),
  ['orderKey', isPaid, without('licenseId'), 'order: ord_* was paid, and has no license'],
  ['orderKey', isPaid, without('licenseId'), 'license: lic_* is of ord_*, which has no license'],
  ['orderKey', isPaid, as({ licenseId: other.license }), 'license: lic_* is of ord_*, which has lic_*'],
  ['orderKey', isPaid, as({ checkout: {} }), 'order: ord_* has the license lic_*, and was not paid'],
  ['orderKey', isPaid, without('listPk', 'listSk'), 'order: ord_* is not in its place in the list orders'],
  ['orderKey', isPaid, as({ listSk: 'elsewhere' }), 'order: ord_* is not in its place in the list orders'],
  ['orderKey', isPaid, without('amount'), 'order: ord_* cannot be read: amount'],
  ['orderKey', isPaid, as({ completionMailId: 'none' }), 'order: ord_* has a completion mail that is not there'],
  ['orderKey', isPaid, as({ pendingPk: 'x', pendingSk: 'y' }), 'order: ord_* is among the pending jobs, and is none'],
  ['sellerKey', any, as({ queuePk: 'QUEUE', queueSk: 'x' }), 'seller: sel_* is not in its place in the queue for admins, or…'],
  ['productKey', any, as({ status: 'pending_review' }), 'product: prd_* is not in its place in the queue for admins, or…'],
  ['orderOfSellerKey', any, as({ ttl: 99_999_999_999 }), 'order: ord_* was paid, and its place in the list of sel_* expires'],
  ['orderOfSellerKey', any, as({ id: other.order }), 'order of seller: ord_* is under a key that is not its own'],
  ['licenseKey', isLicense, as({ orderId: other.order }), 'order: ord_* has the license lic_*, which is of another order'],
  ['licenseKey', isLicense, as({ productId: other.product }), 'license: lic_* is of ord_*, which is of another product or seller'],
  ['licenseKey', isTestKey, as({ revokedAt: then }), 'license: lic_* is a test key that ended, and takes a place still'],
  [
    'aliveTestKeysKey',
    any,
    as({ alive: { [other.license]: '' } }),
    'alive test keys: prd_* has a place for lic_*, which is no test key of it',
  ],
  ['apiTokenKey', isLiveToken, as({ revokedAt: then }), 'api token: tok_* was revoked, and takes a place still'],
  ['apiTokenKey', isLiveToken, as({ ttl: 99_999_999_999 }), 'api token: tok_* is kept for another time than it should be'],
  [
    'liveApiTokensKey',
    any,
    as({ live: { [newId('token')]: '9999-01-31T09:00:00.000Z' } }),
    'live api tokens: sel_* has a place for tok_*, which is no token of it',
  ],
  ['discountKey', isLiveDiscount, as({ endedAt: then }), 'discount: dis_* was ended, and takes a place still'],
  ['discountKey', isLiveDiscount, as({ redeemed: 2 }), 'discount: dis_* counts 2 redeemed orders, and has 0'],
  ['discountKey', isLiveDiscount, as({ taken: 2 }), 'discount: dis_* counts 2 redemptions of its limit, and has 0'],
  [
    'liveDiscountsKey',
    any,
    as({ live: { [newId('discount')]: '' } }),
    'live discounts: prd_* has a place for dis_*, which is no discount of it',
  ],
  ['licenseKey', isLicense, as({ activationCount: 7 }), 'license: lic_* counts 7 seats, and has * active devices'],
  ['licenseKey', isLicense, as({ movingFrom: 'x.y' }), 'license: lic_* moves from elsewhere than its id says'],
  ['licenseKey', isLicense, as({ movedTo: 'x.y' }), 'license: lic_* has an old copy, and does not move from there'],
  ['licenseKey', isLicense, without('sealedKey'), 'license: lic_* cannot be read…'],
  ['licensePointerKey', any, without('listPk', 'listSk'), 'license pointer: lic_* is not in its place in the list licenses'],
  ['seatKey', any, as({ activatedAt: '2020-01-31T12:00:00.000Z' }), 'seat: a seat is of a device that has none'],
  ['deviceKey', isActiveDevice, as({ lookup: 'x.y' }), 'device: a device of lic_* names another license'],
  ['deviceKey', isActiveDevice, as({ movedTo: 'x.y' }), 'device: a device of lic_* was moved, and is not where it was moved to'],
  ['licenseKey', hasOneSeat, as({ activationCount: 0 }), 'license: lic_* counts 0 seats, and has 1 active devices'],
  ['endpointCountKey', any, as({ endpointCount: 1 }), 'endpoint count: sel_* counts 1 endpoints, and has 2'],
  ['sellerKey', ({ productCount }) => productCount === 2, as({ productCount: 1 }), 'seller: sel_* counts 1 products, and lists 2'],
  ['sellerStorageKey', any, as({ heldBytes: 9e9 }), 'seller storage: sel_* counts 9000000000 bytes of files, which take *'],
  ['slugKey', any, as({ sellerId: other.seller }), 'slug: prd_* is not of sel_*, as one of its slugs says'],
  ['productKey', isUpgrade, as({ upgradesFrom: [] }), 'upgrade: prd_* is led to as an upgrade of prd_*, and is none'],
  ['productKey', any, as({ status: 'approved', rejectedAt: then }), 'product: prd_* was handed in again, and is rejected still'],
  ['productKey', any, as({ slug: 'another' }), 'product: prd_* has a slug that it did not reserve'],
  ['sellerStorageKey', any, as({ heldBytes: 1 }), 'seller storage: sel_* counts 1 bytes of files, which take *'],
  ['fileSlotsKey', listsFiles, as({ liveFiles: {} }), 'file: fil_* is live, and prd_* does not list it'],
  ['fileKey', ({ status }) => status === 'approved', as({ status: 'disabled' }), 'file: fil_* is not in its place in the list files'],
  ['previewKey', any, as({ ttl: 9e9 }), 'preview: prd_* has a preview that is kept for another time than it can be opened'],
  ['previewKey', any, as({ sellerId: other.seller }), 'preview: prd_* has a preview, and is not there or not of sel_*'],
  ['batchKey', any, as({ importedCount: 2 }), 'batch: bat_* is completed, and handled 2 of 3 codes'],
  ['batchKey', any, as({ status: 'processing' }), 'batch: bat_* is to be imported, and no job does it'],
  ['codeStockKey', any, as({ batchId: newId('batch') }), 'code stock: a code of bat_* is in stock, and is not known as imported'],
  ['emailRequestKey', any, as({ decision: 'reject' }), 'email request: ord_* keeps an address that was decided on, or asks for none'],
  ['emailRequestKey', any, without('ttl'), 'email request: ord_* is to get another address for ever'],
  [
    'emailRequestKey',
    any,
    as({ sellerId: other.seller }),
    'email request: ord_* is to get another address, and is not there or of another seller',
  ],
  ['mailKey', any, as({ state: 'pending' }), 'mail: ord_*/* is to be sent, and no job sends it'],
  ['webhookEventKey', isProjected, without('projectedAt'), 'webhook event: evt_* was not projected, and no job does it'],
  ['chargeKey', any, as({ paymentIntentId: 'pi_none' }), 'charge: ch_* is of pi_none, which is not there'],
  ['jobKey', isFarOff, as({ pendingSk: 'never' }), 'job: * is not in its place among the pending jobs'],
  ['jobKey', isFarOff, as({ attempts: 'many' }), 'job: * is a job that cannot be read'],
  ['deliveryKey', isPending, as({ status: 'delivered' }), 'delivery: evt_* to whe_* is delivered, and says otherwise of its next attempt'],
  ['auditKey', any, without('listPk', 'listSk'), 'audit: aud_* is not in its place in the list audit'],
  ['buyerMovesKey', any, as({ licenseId: other.license }), 'buyer moves: lic_* is under a key that is not its own'],
];

/** What has no place among what was made. */
export const additions: [item: Item, told: string][] = [
  [{ pk: 'COUPON#secret', sk: 'COUPON' }, 'an item of a kind that is not known: COUPON COUPON'],
  [{ pk: 'secret', sk: 'secret' }, 'an item of a kind that is not known: without a name without a name'],
  [
    { ...keys.deviceKey('no.license', 'Z'), lookup: 'no.license', deviceHash: 'Z', activatedAt: then },
    'device: a device is of a license that is not there',
  ],
  [
    { ...keys.waitingOrderKey(other.product, 'now', other.order), orderId: other.order },
    'waiting order: ord_* waits for a code of prd_*, and says otherwise',
  ],
  [
    { ...keys.heldOrderKey(other.seller, then, other.order), orderId: other.order, since: then },
    'held order: ord_* is listed as paid but held, and is not',
  ],
  [
    { ...keys.buyerMovesKey(other.license), licenseId: other.license, releasedAt: [], revision: 1 },
    'buyer moves: lic_* was moved by its buyer, and is not there',
  ],
  [{ ...keys.codeHashSecretKey(other.seller), sealedSecret: 's' }, 'code hash secret: sel_* has a secret for codes, and is not there'],
  [{ ...keys.replayKey(newId('endpoint')), askedAt: then }, 'replay: whe_* is to get events again, and never was'],
  [
    {
      ...keys.activationTallyKey(other.seller, other.license),
      licenseId: other.license,
      toldAt: [],
      suppressed: 0,
      refusals: 1,
      revision: 1,
    },
    'activation tally: lic_* has refusals that nobody tells',
  ],
  [
    { ...keys.sellerOfAccountKey('acct_none'), sellerId: other.seller },
    'seller of account: sel_* does not have the account that leads to it',
  ],
  [{ ...keys.sellerOfUserKey('nobody'), sellerId: other.seller }, 'seller of user: sel_* is not the seller of the user who leads to it'],
  [
    { ...keys.licenseKey('x.y'), id: other.license, lookup: 'x.y', productId: other.product, sealedKey: 's', replacedAt: then },
    'license: lic_* had a key before, and is not there',
  ],
];
