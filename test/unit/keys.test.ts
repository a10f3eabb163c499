import { describe, expect, test } from '@jest/globals';
import * as keys from '../../shared/db/keys.ts';
import { newId } from '../../shared/ids.ts';

const { codeStockKey, codeStockPartitions, listKey, listPartitions, pendingKey, pendingPartitions } = keys;

const at = '2026-01-31T09:00:00.000Z';
const productId = newId('product');
/** Ids of one moment: they differ in their random part alone. */
const ids = Array.from({ length: 4000 }, () => newId('order', new Date(at)));

describe('entries that many write at once', () => {
  test.each([
    ['lists', listPartitions('orders'), (id: string) => listKey('orders', at, id).listPk],
    ['pending jobs', pendingPartitions(), (id: string) => pendingKey(`project-event:${id}`, at).pendingPk],
    ['unsold codes', codeStockPartitions(productId), (id: string) => codeStockKey(productId, id).pk],
  ])('of %s are spread evenly over the partitions that are read', (_, partitions, partitionOf) => {
    const counts = new Map(partitions.map((partition) => [partition, 0]));
    for (const id of ids) counts.set(partitionOf(id), (counts.get(partitionOf(id)) ?? 0) + 1);
    expect([...counts.keys()]).toEqual(partitions);
    const even = ids.length / partitions.length;
    for (const count of counts.values()) expect(Math.abs(count - even)).toBeLessThan(even * 0.25);
  });
});

describe('partitions', () => {
  const [sellerId, orderId, batchId, discountId] = [newId('seller'), newId('order'), newId('batch'), newId('discount')];
  const [licenseId, endpointId, eventId, tokenId] = [newId('license'), newId('endpoint'), newId('event'), newId('token')];
  const [fileId, releaseId] = [newId('file'), newId('release')];
  /** By the partition, what is stored and read in it. */
  const stored: Record<string, (string | { pk: string })[]> = {
    'JOB#a:b': [keys.jobKey('a:b')],
    [`AUDIT#${orderId}`]: [keys.auditKey(orderId, at, 'x'), keys.auditPartition(orderId)],
    'RATE#search#hash': [keys.rateLimitKey('search', 'hash')],
    [`SELLER#${sellerId}`]: [
      ...[keys.sellerKey(sellerId), keys.sellerStorageKey(sellerId), keys.codeHashSecretKey(sellerId), keys.endpointCountKey(sellerId)],
      ...[keys.productOfSellerKey(sellerId, productId), keys.productsOfSeller(sellerId)],
      ...[keys.orderOfSellerKey(sellerId, orderId), keys.ordersOfSeller(sellerId)],
      ...[keys.endpointKey(sellerId, endpointId), keys.endpointsOfSeller(sellerId)],
      ...[keys.apiTokenOfSellerKey(sellerId, tokenId), keys.apiTokensOfSeller(sellerId), keys.liveApiTokensKey(sellerId)],
    ],
    'USER#user': [keys.sellerOfUserKey('user')],
    'ACCOUNT#acct_1': [keys.sellerOfAccountKey('acct_1')],
    [`PRODUCT#${productId}`]: [
      ...[keys.productKey(productId), keys.fileKey(productId, fileId), keys.filesOfProduct(productId), keys.fileSlotsKey(productId)],
      ...[keys.batchKey(productId, batchId), keys.batchesOfProduct(productId), keys.batchRequestKey(productId, 'hash')],
    ],
    'SLUG#slug': [keys.slugKey('slug')],
    [`ORDER#${orderId}`]: [keys.orderKey(orderId), keys.redemptionKey(orderId), keys.mailKey(orderId, 'mail')],
    [`DISCOUNT#${productId}`]: [
      ...[keys.discountKey(productId, 'CODE'), keys.discountIdKey(productId, discountId), keys.discountsOfProduct(productId)],
      keys.liveDiscountsKey(productId),
    ],
    [`DISCOUNT#${discountId}`]: [keys.orderOfDiscountKey(discountId, orderId), keys.ordersOfDiscount(discountId)],
    [`UPGRADE#${productId}`]: [keys.upgradeKey(productId, newId('product')), keys.upgradesOfProduct(productId)],
    'CHECKOUT#hash': [keys.checkoutRequestKey('hash')],
    'PAYMENT#pi_1': [keys.paymentKey('pi_1')],
    'CHARGE#ch_1': [keys.chargeKey('ch_1')],
    'EVENT#evt_1': [keys.webhookEventKey('evt_1')],
    'BUYER#hash': [keys.orderOfBuyerKey('hash', orderId), keys.ordersOfBuyer('hash'), keys.mailingsKey('hash')],
    'MAILING#mail': [keys.mailingRequestKey('mail')],
    'LICENSE#lookup': [keys.licenseKey('lookup'), keys.deviceKey('lookup', 'hash'), keys.devicesOfLicense('lookup')],
    'SEAT#lookup': [keys.seatKey('lookup', 'hash'), keys.seatsOfLicense('lookup')],
    [`LICENSE_ID#${licenseId}`]: [keys.licensePointerKey(licenseId), keys.buyerMovesKey(licenseId)],
    [`UPLOAD#${batchId}#3`]: [keys.codeUploadKey(batchId, 3)],
    [`CODE#${sellerId}#hash`]: [keys.codeKey(sellerId, 'hash')],
    [`STOCK#${productId}#2`]: [codeStockPartitions(productId)[2] ?? ''],
    [`WAITING#${productId}`]: [keys.waitingOrderKey(productId, at, orderId), keys.waitingOrders(productId)],
    'PREVIEW#hash': [keys.previewKey('hash')],
    [`API_TOKEN#${tokenId}`]: [keys.apiTokenKey(tokenId)],
    [`RELEASE#${productId}`]: [
      ...[keys.releaseKey(productId, '1.0.0'), keys.releaseIdKey(productId, releaseId), keys.releasesOfProduct(productId)],
      ...[keys.releaseIndexKey(productId), keys.releaseRevisionKey(productId), keys.releaseBuildsKey(productId, 'macos')],
      keys.velopackNameKey(productId, 'app-full.nupkg'),
    ],
    [`SELLER_EVENTS#${sellerId}`]: [
      ...[keys.sellerEventKey(sellerId, eventId), keys.activationTallyKey(sellerId, licenseId), keys.eventsOfSeller(sellerId)],
    ],
    [`ENDPOINT#${endpointId}`]: [
      ...[keys.deliveryKey(endpointId, eventId), keys.deliveriesOfEndpoint(endpointId), keys.replayKey(endpointId)],
      ...[keys.dueDeliveryKey(endpointId, at, eventId), keys.dueDeliveries(endpointId)],
    ],
    READINESS: [keys.readinessKey],
    'LIST#orders#5': [listPartitions('orders')[5] ?? ''],
    'PENDING#1': [pendingPartitions()[1] ?? ''],
    QUEUE: [keys.queueKey('seller', at, 'sel_1').queuePk],
    'WALK#QUEUE': [keys.queueWalkKey()],
  };

  test('are those of the items that are stored', () => {
    for (const [partition, made] of Object.entries(stored)) {
      for (const key of made) expect(typeof key === 'string' ? key : key.pk).toBe(partition);
    }
    expect(keys.jobIdOfKey(keys.jobKey('a:b'))).toBe('a:b');
  });

  test('are each of one name, and every name has some', () => {
    const prefixes: string[] = [...Object.values(keys.partitions), ...Object.values(keys.indexPartitions)];
    const namesOf = (pk = '') => prefixes.filter((prefix) => pk.startsWith(prefix));
    const names = Object.keys(stored).map(namesOf);
    for (const one of names) expect(one).toHaveLength(1);
    expect([...new Set(names.flat())].sort()).toEqual(prefixes.sort());
  });
});
