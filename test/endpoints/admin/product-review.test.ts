import { beforeAll, describe, expect, test } from '@jest/globals';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import type { ProductStatus } from '../../../shared/products/product.ts';
import { addProduct, getProduct } from '../../../shared/products/product-repository.ts';
import { type ProductReviewDecision, productReviewDecisions } from '../../../shared/products/product-states.ts';
import { sampleProduct } from '../../support/samples/sample-product.ts';
import { type CatalogHarness, createCatalogHarness } from '../../support/scenes/catalog-harness.ts';
import { createEventLog, told } from '../../support/scenes/events/event-log.ts';

let catalog: CatalogHarness;
beforeAll(async () => {
  catalog = await createCatalogHarness();
});

describe('the review of a product', () => {
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

  test('is told to the seller where it changed the product, and not otherwise', async () => {
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

  test('is not by admins who own it under another account with the same verified e-mail', async () => {
    const id = await put('pending_review', { ownerEmails: new Set(['else@example.com', 'Admin@Example.com']) });
    for (const decision of productReviewDecisions) {
      const { status, json } = await catalog.review(id, { decision });
      expect([status, json.code]).toEqual([403, 'self_review_forbidden']);
    }
  });
});

describe('two accounts with one verified e-mail address are one person, who does not review their own seller', () => {
  let users = 0;
  const emails = { contact_email: 'alice@example.com', support_email: 'help@example.com' };
  /** Applies once with each of these addresses of one account; what the first and an admin are told then. */
  async function approved(addresses: readonly string[], { user = `user-${++users}`, named = emails } = {}) {
    const body = { display_name: 'Alice Software', site_url: 'https://alice.example.com', ...named };
    const replies = [];
    for (const address of addresses)
      replies.push(await catalog.as({ 'X-User-ID': user, 'X-User-Email': address })('POST', '/v1/sellers', { body }));
    const path = `/v1/admin/sellers/${replies[0]?.json.id}/review`;
    const headers = { 'X-User-ID': 'the-admin', 'X-User-Email': 'admin@example.com' };
    const { status, json } = await catalog.publicCall('PATCH', path, { headers, body: { decision: 'approve' } });
    return { first: replies[0]?.text.toLowerCase(), outcome: [status, json.code] };
  }
  const own = [403, 'self_review_forbidden'];

  test.each([[['ADMIN@Example.COM']], [['admin@example.com', 'new@example.com']], [['', 'else@example.com', 'admin@example.com', '']]])(
    'whoever applied as %j',
    async (addresses) => {
      const { first, outcome } = await approved(addresses);
      expect(outcome).toEqual(own);
      expect(first).not.toContain('admin@example.com');
    },
  );

  test.each(['dmin@example.com', 'admin@example.co', 'adm\u0131n@example.com', ''])('but not whoever applied as %j', async (address) => {
    expect((await approved([address])).outcome).toEqual([200, undefined]);
  });

  test('while an address that a seller merely names keeps no admin away, and the admin’s own id does without any', async () => {
    const named = { contact_email: 'admin@example.com', support_email: 'admin@example.com' };
    expect((await approved([''], { named })).outcome).toEqual([200, undefined]);
    expect((await approved([''], { user: 'the-admin' })).outcome).toEqual(own);
  });
});
