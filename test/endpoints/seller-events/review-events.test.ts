import { expect, test } from '@jest/globals';
import { createCatalogHarness } from '../../support/scenes/catalog-harness.ts';
import { createEventLog, told } from '../../support/scenes/events/event-log.ts';
import { startFileHarness } from '../../support/scenes/file-harness.ts';

test('the seller of a product is told of each decision that changed it, and of nothing else', async () => {
  const catalog = await createCatalogHarness();
  const { create, submit, patch, seller } = await catalog.newSeller();
  const { id } = await create();
  const review = async (...decisions: string[]) => {
    const words = { note: 'Looked at it.', rejection_reason: 'Unclear.' };
    for (const decision of decisions) expect((await catalog.review(id, { decision, ...words })).status).toBe(200);
  };
  expect((await catalog.review(id, { decision: 'approve' })).status).toBe(400);
  await submit(id);
  await review('reject', 'reject');
  await submit(id);
  await review('approve', 'approve');
  await patch(id, { price_amount: 7 });
  await submit(id);
  await review('reject', 'suspend');
  expect((await createEventLog(catalog).recordedOf(seller.id)).map(told)).toEqual(
    [
      { decision: 'reject', status: 'rejected' },
      { decision: 'approve', status: 'approved' },
      { decision: 'reject', status: 'approved', pendingStatus: 'rejected' },
      { decision: 'suspend', status: 'suspended', pendingStatus: 'rejected' },
    ].map((event) => ({ type: 'product.reviewed', productId: id, ...event })),
  );
});

test('the seller of a file is told of each decision that changed it, and of nothing else', async () => {
  const harness = await startFileHarness();
  const fileId = await harness.handIn(Buffer.from('the bytes'));
  const reason = { manual_scan_clean_reason: 'Checked by hand.', rejected_reason: 'Unsafe.' };
  const review = async (decision: string) => (await harness.review(fileId, { decision, ...reason })).status;
  expect(await review('approve')).toBe(409);
  await harness.drain();
  for (const decision of ['manual_clean', 'manual_clean', 'approve', 'approve', 'disable', 'reject'])
    expect(await review(decision)).toBe(200);
  expect((await createEventLog(harness).recordedOf(harness.seller.id)).map(told)).toEqual(
    [
      { decision: 'manual_clean', status: 'pending_review' },
      { decision: 'approve', status: 'approved' },
      { decision: 'disable', status: 'disabled' },
      { decision: 'reject', status: 'rejected' },
    ].map((event) => ({ type: 'product_file.reviewed', productId: harness.product.id, fileId, ...event })),
  );
  await harness.stop();
});
