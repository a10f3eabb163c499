import { describe, expect, test } from '@jest/globals';
import { decodeCursor, encodeCursor } from '../../shared/db/cursor.ts';
import { attributeBytes } from '../../shared/db/item-size.ts';
import * as keys from '../../shared/db/keys.ts';
import { OptimisticLockError, retryOptimisticLock } from '../../shared/db/optimistic-lock.ts';
import { emptyPage, filteredPage, limitToReplySize } from '../../shared/db/sharded-list.ts';
import { ContentionError } from '../../shared/db/table.ts';
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
      ...[keys.heldOrderKey(sellerId, at, orderId), keys.heldOrders(sellerId)],
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
    'BUYER#hash': [
      keys.orderOfBuyerKey('hash', orderId),
      keys.ordersOfBuyer('hash'),
      keys.mailingsKey('hash'),
      keys.waitingMailKey('hash', 'a'),
    ],
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

describe('a cursor', () => {
  test('leads back to its position, in its own list alone', () => {
    const cursor = encodeCursor('orders', '2026#ord_1');
    expect(decodeCursor('orders', cursor)).toBe('2026#ord_1');
    for (const list of ['order', 'orders2', 'sellers', '']) expect(() => decodeCursor(list, cursor)).toThrow();
  });

  test.each([
    '',
    'x',
    'b3JkZXJz',
    encodeCursor('orders', ''),
    encodeCursor('orders', 'a b'),
    encodeCursor('orders', 'a\u0000'),
    `${encodeCursor('orders', 'a')}=`,
    `${encodeCursor('orders', 'a')}\n`,
    encodeCursor('orders', 'x'.repeat(501)),
    encodeCursor('orders', 'é'),
  ])('that was not given is refused: %j', (cursor) => {
    expect(() => decodeCursor('orders', cursor)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });

  test('of a list that has nothing is refused', () => {
    expect(emptyPage({ limit: 10 })).toEqual({ items: [] });
    expect(() => emptyPage({ limit: 10, cursor: encodeCursor('orders', 'a') })).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  });
});

describe('a page', () => {
  const megabyte = 'x'.repeat(1024 * 1024);

  test('holds as much as a reply may, and at least one item', () => {
    expect(limitToReplySize(['a', 'b'])).toEqual(['a', 'b']);
    expect(limitToReplySize([])).toEqual([]);
    expect(limitToReplySize([megabyte, megabyte, megabyte, 'a'])).toHaveLength(2);
    expect(limitToReplySize([megabyte.repeat(3), 'a'])).toHaveLength(1);
  });

  /** Numbers from 0, in pages; the cursor is the next number. */
  const numbers =
    (count: number, read: number[] = []) =>
    async ({ limit, cursor }: { limit: number; cursor?: string | undefined }) => {
      const start = Number(cursor ?? 0);
      read.push(limit);
      const items = Array.from({ length: Math.max(0, Math.min(limit, count - start)) }, (_, index) => start + index);
      return { items, nextCursor: start + limit < count ? String(start + limit) : undefined };
    };

  test('that is filtered reads on until it is full, and never past it', async () => {
    const read: number[] = [];
    const page = await filteredPage({ limit: 4 }, (number: number) => number % 2 === 1, numbers(100, read));
    expect(page).toEqual({ items: [1, 3, 5, 7], nextCursor: '8' });
    expect(read).toEqual([4, 2, 1, 1]);
  });

  test('that is filtered comes back short after ten reads, with a cursor to the rest', async () => {
    const page = await filteredPage({ limit: 4 }, () => false, numbers(100));
    expect(page).toEqual({ items: [], nextCursor: '40' });
    expect(await filteredPage({ limit: 4, cursor: '96' }, () => true, numbers(100))).toEqual({
      items: [96, 97, 98, 99],
      nextCursor: undefined,
    });
  });

  test('that is filtered ends with the list', async () => {
    expect(await filteredPage({ limit: 4 }, (number: number) => number === 5, numbers(6))).toEqual({ items: [5], nextCursor: undefined });
  });
});

describe('the optimistic lock', () => {
  /** Decisions that are lost so often, each taking so long by a clock that waits move too; what was waited for, and when each began. */
  function race({ losses = Number.POSITIVE_INFINITY, took = 0, failure = new OptimisticLockError() as Error }) {
    let clock = 0;
    const waits: number[] = [];
    const begun: number[] = [];
    const decide = async () => {
      begun.push(clock);
      clock += took;
      if (begun.length <= losses) throw failure;
      return begun.length;
    };
    const wait = async (milliseconds: number) => {
      waits.push(milliseconds);
      clock += milliseconds;
    };
    const run = (options: Parameters<typeof retryOptimisticLock>[1] = {}) =>
      retryOptimisticLock(decide, { random: () => 1, wait, now: () => clock, ...options });
    return { run, waits, begun };
  }
  const busy = { code: 'dependency_unavailable', retryAfterSeconds: 1 };

  test('decides anew as often as it may, at once the first time and later after a while', async () => {
    const { run, waits } = race({ losses: 5 });
    expect([await run({ random: () => 0.5 }), waits]).toEqual([6, [10, 20, 40, 80]]);
  });

  test.each([
    [undefined, 7],
    [12, 13],
  ])('gives up as a dependency that is busy, of %p attempts after %i', async (attempts, times) => {
    const { run, begun } = race({});
    await expect(run({ random: () => 0, ...(attempts && { attempts }) })).rejects.toMatchObject(busy);
    expect(begun).toHaveLength(times);
  });

  test('decides anew on what is crowded out as often, and after pauses as long, as a transaction is tried again', async () => {
    const { run, waits, begun } = race({ failure: new ContentionError(undefined) });
    await expect(run({ now: () => 0 })).rejects.toMatchObject({ code: 'dependency_unavailable' });
    expect([begun.length, waits]).toEqual([21, [5, 20, 80, 320, ...Array(16).fill(800)]]);
  });

  test.each([
    [300, [600, 600]],
    [3500, [6000]],
  ])('where deciding takes %d ms, spreads out over twice that, or 6 s', async (took, spreads) => {
    const { run, waits } = race({ losses: spreads.length, took });
    await run();
    expect(waits).toEqual(spreads);
  });

  test('begins one decision, from a fresh read, when 10 s have passed, whatever attempts are left', async () => {
    const lost = race({ took: 4000 });
    await expect(lost.run({ random: () => 0 })).rejects.toMatchObject(busy);
    expect(lost.begun).toHaveLength(4);
    expect(await race({ took: 4000, losses: 3 }).run({ random: () => 0 })).toBe(4);
  });

  test.each([1000, 3000, 4500, 9000, 15_000])('waits for no decision that could not end in time: each takes %i ms', async (took) => {
    const { run, begun } = race({ took });
    await expect(run({ attempts: 100 })).rejects.toThrow();
    const last = begun.pop();
    expect(begun.filter((time) => time > 10_000)).toEqual([]);
    expect(last).toBeGreaterThan(10_000);
    expect(last).toBeLessThanOrEqual(16_000);
  });

  test('waits for at most 400 ms where deciding takes no time, and repeats no other failure', async () => {
    const { run, waits } = race({ losses: 11 });
    await run({ attempts: 12 });
    expect(Math.max(...waits)).toBe(400);
    const broken = race({ failure: new TypeError('broken') });
    await expect(broken.run()).rejects.toThrow('broken');
    expect(broken.begun).toHaveLength(1);
  });
});

describe('what an attribute takes in the table', () => {
  test.each([
    ['', 0],
    ['abc', 3],
    ['写真', 6],
    ['😀', 4],
    ['\u0001"\\', 3],
  ])('of the text %j: %i bytes', (text, bytes) => expect(attributeBytes(text)).toBe(bytes));

  // DynamoDB counts 3 for a list or map, 1 for each element, at most 21 for a number and 1 for a boolean.
  test.each<[unknown, number]>([
    [99_999_999, 21],
    [true, 1],
    [null, 1],
    [[], 3],
    [['ab', 'c'], 3 + 2 + 3],
    [{}, 3],
    [{ 名: 'ab' }, 3 + 1 + 3 + 2],
    [
      { a: { ja: 'あ'.repeat(100), en: 'x' }, b: [{ c: 1 }] },
      3 + (1 + 1 + 3 + (1 + 2 + 300) + (1 + 2 + 1)) + (1 + 1 + 3 + 1 + 3 + 1 + 1 + 1),
    ],
  ])('of %j: at least %i bytes', (value, bytes) => {
    expect(attributeBytes(value)).toBeGreaterThanOrEqual(bytes);
    expect(attributeBytes(value)).toBeLessThanOrEqual(bytes + 21);
  });
});
