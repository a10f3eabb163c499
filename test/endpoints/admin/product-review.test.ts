import { beforeAll, describe, expect, test } from '@jest/globals';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import type { ProductStatus } from '../../../shared/products/product.ts';
import { addProduct, getProduct } from '../../../shared/products/product-repository.ts';
import { type ProductReviewDecision, productReviewDecisions } from '../../../shared/products/product-states.ts';
import { sampleProduct } from '../../support/samples/sample-product.ts';
import { type CatalogHarness, createCatalogHarness } from '../../support/scenes/catalog-harness.ts';

describe('the review of a product', () => {
  let catalog: CatalogHarness;
  beforeAll(async () => {
    catalog = await createCatalogHarness();
  });
  const put = async (status: ProductStatus, seller = {}) => {
    const { id: sellerId } = (await catalog.newSeller(seller)).seller;
    const product = sampleProduct({ sellerId, status });
    await catalog.table.transact(addProduct(product));
    return product.id;
  };
  const auditOf = async (targetId: string) => (await listAudit(catalog.table, { targetId, limit: 100 })).items;

  test.each<[ProductStatus, ProductReviewDecision, string]>([
    ['pending_review', 'approve', 'approved'],
    ['pending_review', 'reject', 'rejected'],
    ['published', 'suspend', 'suspended'],
    ['approved', 'approve', 'same'],
    ['draft', 'approve', 'refused'],
  ])('%s, %s: %s', async (status, decision, outcome) => {
    const id = await put(status);
    const before = await getProduct(catalog.table, id);
    const reply = await catalog.review(id, { decision, note: 'Looked at it.', expected_revision: 1 });
    const after = await getProduct(catalog.table, id);
    if (outcome === 'refused') {
      expect([reply.json.code, after, await auditOf(id)]).toEqual(['invalid_state_transition', before, []]);
      return;
    }
    const reviewed = { reviewed_by: 'the-admin', reviewed_at: after.updatedAt, revision: 2 };
    if (outcome === 'same') expect([after, reply.json.status]).toEqual([before, status]);
    else expect(reply.json).toMatchObject({ status: outcome, review_status: outcome, ...reviewed });
    const states = { before: { status, revision: 1 }, after: { decision, status: after.status, revision: after.revision } };
    const record = { actor: 'the-admin', action: `product.${decision}`, ...states, note: 'Looked at it.' };
    expect(await auditOf(id)).toEqual([expect.objectContaining(record)]);
  });

  test('of another revision than the present one is stale', async () => {
    const stale = await catalog.review(await put('pending_review'), { decision: 'approve', expected_revision: 2 });
    expect([stale.status, stale.json.code]).toEqual([400, 'stale_review']);
  });

  test('is not by admins who own it under another account with the same verified e-mail', async () => {
    const id = await put('pending_review', { ownerEmails: new Set(['else@example.com', 'Admin@Example.com']) });
    for (const decision of productReviewDecisions) {
      const { status, json } = await catalog.review(id, { decision });
      expect([status, json.code]).toEqual([403, 'self_review_forbidden']);
    }
  });
});
