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
  const [sellerId, orderId, batchId] = [newId('seller'), newId('order'), newId('batch')];
  const discountId = newId('discount');
  const [licenseId, endpointId, eventId] = [newId('license'), newId('endpoint'), newId('event')];
  const stored = [
    [keys.jobKey('a:b').pk, 'JOB#a:b'],
    [keys.auditKey(orderId, at, 'x').pk, `AUDIT#${orderId}`],
    [keys.auditPartition(orderId), `AUDIT#${orderId}`],
    [keys.rateLimitKey('search', 'hash').pk, 'RATE#search#hash'],
    [keys.sellerKey(sellerId).pk, `SELLER#${sellerId}`],
    [keys.sellerOfUserKey('user').pk, 'USER#user'],
    [keys.sellerOfAccountKey('acct_1').pk, 'ACCOUNT#acct_1'],
    [keys.productOfSellerKey(sellerId, productId).pk, `SELLER#${sellerId}`],
    [keys.productsOfSeller(sellerId).pk, `SELLER#${sellerId}`],
    [keys.productKey(productId).pk, `PRODUCT#${productId}`],
    [keys.slugKey('slug').pk, 'SLUG#slug'],
    [keys.fileKey(productId, newId('file')).pk, `PRODUCT#${productId}`],
    [keys.filesOfProduct(productId).pk, `PRODUCT#${productId}`],
    [keys.fileSlotsKey(productId).pk, `PRODUCT#${productId}`],
    [keys.sellerStorageKey(sellerId).pk, `SELLER#${sellerId}`],
    [keys.orderKey(orderId).pk, `ORDER#${orderId}`],
    [keys.orderOfSellerKey(sellerId, orderId).pk, `SELLER#${sellerId}`],
    [keys.ordersOfSeller(sellerId).pk, `SELLER#${sellerId}`],
    [keys.discountKey(productId, 'CODE').pk, `DISCOUNT#${productId}`],
    [keys.discountIdKey(productId, discountId).pk, `DISCOUNT#${productId}`],
    [keys.discountsOfProduct(productId).pk, `DISCOUNT#${productId}`],
    [keys.liveDiscountsKey(productId).pk, `DISCOUNT#${productId}`],
    [keys.orderOfDiscountKey(discountId, orderId).pk, `DISCOUNT#${discountId}`],
    [keys.ordersOfDiscount(discountId).pk, `DISCOUNT#${discountId}`],
    [keys.redemptionKey(orderId).pk, `ORDER#${orderId}`],
    [keys.upgradeKey(productId, newId('product')).pk, `UPGRADE#${productId}`],
    [keys.upgradesOfProduct(productId).pk, `UPGRADE#${productId}`],
    [keys.checkoutRequestKey('hash').pk, 'CHECKOUT#hash'],
    [keys.paymentKey('pi_1').pk, 'PAYMENT#pi_1'],
    [keys.chargeKey('ch_1').pk, 'CHARGE#ch_1'],
    [keys.webhookEventKey('evt_1').pk, 'EVENT#evt_1'],
    [keys.mailKey(orderId, 'mail').pk, `ORDER#${orderId}`],
    [keys.orderOfBuyerKey('hash', orderId).pk, 'BUYER#hash'],
    [keys.ordersOfBuyer('hash').pk, 'BUYER#hash'],
    [keys.mailingsKey('hash').pk, 'BUYER#hash'],
    [keys.mailingRequestKey('mail').pk, 'MAILING#mail'],
    [keys.licenseKey('lookup').pk, 'LICENSE#lookup'],
    [keys.deviceKey('lookup', 'hash').pk, 'LICENSE#lookup'],
    [keys.devicesOfLicense('lookup').pk, 'LICENSE#lookup'],
    [keys.seatKey('lookup', 'hash').pk, 'SEAT#lookup'],
    [keys.seatsOfLicense('lookup').pk, 'SEAT#lookup'],
    [keys.licensePointerKey(licenseId).pk, `LICENSE_ID#${licenseId}`],
    [keys.buyerMovesKey(licenseId).pk, `LICENSE_ID#${licenseId}`],
    [keys.batchKey(productId, batchId).pk, `PRODUCT#${productId}`],
    [keys.batchesOfProduct(productId).pk, `PRODUCT#${productId}`],
    [keys.batchRequestKey(productId, 'hash').pk, `PRODUCT#${productId}`],
    [keys.codeUploadKey(batchId, 3).pk, `UPLOAD#${batchId}#3`],
    [keys.codeHashSecretKey(sellerId).pk, `SELLER#${sellerId}`],
    [keys.codeKey(sellerId, 'hash').pk, `CODE#${sellerId}#hash`],
    [codeStockPartitions(productId)[2], `STOCK#${productId}#2`],
    [keys.waitingOrderKey(productId, at, orderId).pk, `WAITING#${productId}`],
    [keys.waitingOrders(productId).pk, `WAITING#${productId}`],
    [keys.previewKey('hash').pk, 'PREVIEW#hash'],
    [keys.endpointKey(sellerId, endpointId).pk, `SELLER#${sellerId}`],
    [keys.endpointsOfSeller(sellerId).pk, `SELLER#${sellerId}`],
    [keys.endpointCountKey(sellerId).pk, `SELLER#${sellerId}`],
    [keys.apiTokenKey(newId('token')).pk.slice(0, 14), 'API_TOKEN#tok_'],
    [keys.apiTokenOfSellerKey(sellerId, newId('token')).pk, `SELLER#${sellerId}`],
    [keys.apiTokensOfSeller(sellerId).pk, `SELLER#${sellerId}`],
    [keys.liveApiTokensKey(sellerId).pk, `SELLER#${sellerId}`],
    [keys.releaseKey(productId, '1.0.0').pk, `RELEASE#${productId}`],
    [keys.releaseIdKey(productId, newId('release')).pk, `RELEASE#${productId}`],
    [keys.releasesOfProduct(productId).pk, `RELEASE#${productId}`],
    [keys.releaseIndexKey(productId).pk, `RELEASE#${productId}`],
    [keys.releaseRevisionKey(productId).pk, `RELEASE#${productId}`],
    [keys.releaseBuildsKey(productId, 'macos').pk, `RELEASE#${productId}`],
    [keys.velopackNameKey(productId, 'app-full.nupkg').pk, `RELEASE#${productId}`],
    [keys.sellerEventKey(sellerId, eventId).pk, `SELLER_EVENTS#${sellerId}`],
    [keys.activationTallyKey(sellerId, licenseId).pk, `SELLER_EVENTS#${sellerId}`],
    [keys.eventsOfSeller(sellerId).pk, `SELLER_EVENTS#${sellerId}`],
    [keys.deliveryKey(endpointId, eventId).pk, `ENDPOINT#${endpointId}`],
    [keys.deliveriesOfEndpoint(endpointId).pk, `ENDPOINT#${endpointId}`],
    [keys.dueDeliveryKey(endpointId, at, eventId).pk, `ENDPOINT#${endpointId}`],
    [keys.dueDeliveries(endpointId).pk, `ENDPOINT#${endpointId}`],
    [keys.replayKey(endpointId).pk, `ENDPOINT#${endpointId}`],
    [keys.readinessKey.pk, 'READINESS'],
    [listPartitions('orders')[5], 'LIST#orders#5'],
    [pendingPartitions()[1], 'PENDING#1'],
    [keys.queueKey('seller', at, 'sel_1').queuePk, 'QUEUE'],
    [keys.queueWalkKey().pk, 'WALK#QUEUE'],
    [keys.previewKey('hash').pk, 'PREVIEW#hash'],
  ];

  test('are those of the items that are stored', () => {
    for (const [pk, expected] of stored) expect(pk).toBe(expected);
    expect(keys.jobIdOfKey(keys.jobKey('a:b'))).toBe('a:b');
  });

  test('are each of one name, and every name has some', () => {
    const prefixes: string[] = [...Object.values(keys.partitions), ...Object.values(keys.indexPartitions)];
    const namesOf = (pk = '') => prefixes.filter((prefix) => pk.startsWith(prefix));
    for (const [pk] of stored) expect(namesOf(pk)).toHaveLength(1);
    expect([...new Set(stored.flatMap(([pk]) => namesOf(pk)))].sort()).toEqual(prefixes.sort());
  });
});
