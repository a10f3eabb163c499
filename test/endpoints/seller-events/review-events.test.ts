import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createCatalogHarness, productRequest } from '../../support/scenes/catalog-harness.ts';
import { createEventLog, told } from '../../support/scenes/events/event-log.ts';
import { type FileHarness, startFileHarness } from '../../support/scenes/file-harness.ts';

test('the seller of a product is told of each decision that changed it, and of nothing else', async () => {
  const catalog = await createCatalogHarness();
  const { call, seller } = await catalog.newSeller();
  const product = (await call('POST', '/v1/products', { body: productRequest })).json;
  const review = async (decision: string) => {
    const path = `/v1/admin/products/${product.id}/review`;
    return (await catalog.adminCall('PATCH', path, { body: { decision, note: 'Looked at it.', rejection_reason: 'Unclear.' } })).status;
  };
  expect(await review('approve')).toBe(400);
  await call('POST', `/v1/products/${product.id}/submit-review`);
  for (const decision of ['reject', 'reject']) expect(await review(decision)).toBe(200);
  await call('POST', `/v1/products/${product.id}/submit-review`);
  for (const decision of ['approve', 'approve']) expect(await review(decision)).toBe(200);
  await call('PATCH', `/v1/products/${product.id}`, { body: { ...productRequest, price_amount: 7 } });
  await call('POST', `/v1/products/${product.id}/submit-review`);
  for (const decision of ['reject', 'suspend']) expect(await review(decision)).toBe(200);
  const recorded = await createEventLog(catalog).recordedOf(seller.id);
  expect(recorded.map(told)).toEqual(
    [
      ['reject', 'rejected'],
      ['approve', 'approved'],
      ['reject', 'approved', 'rejected'],
      ['suspend', 'suspended', 'rejected'],
    ].map(([decision, status, pendingStatus]) => ({
      ...{ type: 'product.reviewed', productId: product.id, decision, status },
      ...(pendingStatus && { pendingStatus }),
    })),
  );
});

describe('the seller of a file', () => {
  let harness: FileHarness;
  beforeAll(async () => {
    harness = await startFileHarness();
  });
  afterAll(() => harness.stop());

  test('is told of each decision that changed it, and of nothing else', async () => {
    const fileId = await harness.handIn(Buffer.from('the bytes'));
    const reason = { manual_scan_clean_reason: 'Checked by hand.', rejected_reason: 'Unsafe.' };
    const review = async (decision: string) => (await harness.review(fileId, { decision, ...reason })).status;
    expect(await review('approve')).toBe(409);
    await harness.drain();
    for (const decision of ['manual_clean', 'manual_clean', 'approve', 'approve', 'disable', 'reject']) {
      expect(await review(decision)).toBe(200);
    }
    const recorded = await createEventLog(harness).recordedOf(harness.seller.id);
    expect(recorded.map(told)).toEqual(
      [
        ['manual_clean', 'pending_review'],
        ['approve', 'approved'],
        ['disable', 'disabled'],
        ['reject', 'rejected'],
      ].map(([decision, status]) => ({ type: 'product_file.reviewed', productId: harness.product.id, fileId, decision, status })),
    );
  });
});
