import { beforeAll, describe, expect, test } from '@jest/globals';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import type { SellerId } from '../../../shared/ids.ts';
import { type ProductStatus, productStatuses } from '../../../shared/products/product.ts';
import { addProduct, getProduct } from '../../../shared/products/product-repository.ts';
import { type ProductReviewDecision, productReviewDecisions } from '../../../shared/products/product-states.ts';
import { sampleProduct } from '../../support/samples/sample-product.ts';
import { type CatalogHarness, createCatalogHarness } from '../../support/scenes/catalog-harness.ts';

describe('the review of a product', () => {
  let catalog: CatalogHarness;
  let sellerId: SellerId;
  let owner: string;
  const put = async (fields: Parameters<typeof sampleProduct>[0]) => {
    const product = sampleProduct({ sellerId, ...fields });
    await catalog.table.transact(addProduct(product));
    return product;
  };
  const review = (id: string, body: Record<string, unknown>, headers = {}) =>
    catalog.adminCall('PATCH', `/v1/admin/products/${id}/review`, { body, headers });
  const auditOf = async (targetId: string) => (await listAudit(catalog.table, { targetId, limit: 100 })).items;

  beforeAll(async () => {
    catalog = await createCatalogHarness();
    const { seller } = await catalog.newSeller();
    sellerId = seller.id;
    owner = seller.ownerUserId;
  });

  const cases: [ProductStatus, ProductReviewDecision, string][] = [
    ['pending_review', 'approve', 'approved'],
    ['pending_review', 'reject', 'rejected'],
    ['published', 'suspend', 'suspended'],
    ['approved', 'approve', 'same'],
    ['draft', 'approve', 'refused'],
  ];
  test.each(cases)('%s, %s: %s', async (status, decision, outcome) => {
    const product = await put({ status });
    const before = await getProduct(catalog.table, product.id);
    const reply = await review(product.id, { decision, note: 'Looked at it.' });
    const after = await getProduct(catalog.table, product.id);
    if (outcome === 'refused') {
      expect([reply.status, reply.json.code]).toEqual([400, 'invalid_state_transition']);
      expect(after).toEqual(before);
      expect(await auditOf(product.id)).toEqual([]);
      return;
    }
    expect(reply.status).toBe(200);
    if (outcome === 'same') {
      expect(after).toEqual(before);
      expect(reply.json.status).toBe(status);
    } else {
      expect(reply.json).toMatchObject({ status: outcome, review_status: outcome, reviewed_by: 'the-admin', revision: 2 });
      expect(reply.json.reviewed_at).toBe(after.updatedAt);
    }
    expect(await auditOf(product.id)).toEqual([
      expect.objectContaining({
        actor: 'the-admin',
        action: `product.${decision}`,
        before: { status, revision: 1 },
        after: { decision, status: after.status, revision: after.revision },
        note: 'Looked at it.',
      }),
    ]);
  });

  test('a rejection shows its reason until the product is submitted again', async () => {
    const { id } = await put({ status: 'pending_review' });
    expect((await review(id, { decision: 'reject', rejection_reason: 'No refund policy.' })).json.rejection_reason).toBe(
      'No refund policy.',
    );
    expect((await review(id, { decision: 'reject', rejection_reason: 'Other.', note: 'Again.' })).json.rejection_reason).toBe(
      'No refund policy.',
    );
    const reasons = (await auditOf(id)).map(({ after, note }) => [after?.['rejectionReason'], note]);
    expect(reasons).toEqual(
      expect.arrayContaining([
        ['No refund policy.', undefined],
        ['Other.', 'Again.'],
      ]),
    );
    const resubmitted = await catalog.asUser(owner)('POST', `/v1/products/${id}/submit-review`);
    expect(resubmitted.json).not.toHaveProperty('rejection_reason');
    expect((await review(id, { decision: 'reject' })).json).not.toHaveProperty('rejection_reason');
  });

  test('a review of another revision than the present one is stale', async () => {
    const { id } = await put({ status: 'pending_review', revision: 4 });
    const stale = await review(id, { decision: 'approve', expected_revision: 3 });
    expect([stale.status, stale.json.code]).toEqual([400, 'stale_review']);
    expect((await review(id, { decision: 'approve', expected_revision: 4 })).json).toMatchObject({ status: 'approved', revision: 5 });
  });

  test('admins cannot review what they own under another account with the same verified e-mail', async () => {
    const { seller } = await catalog.newSeller({ ownerEmails: new Set(['else@example.com', 'Admin@Example.com']) });
    const { id } = await put({ sellerId: seller.id, status: 'pending_review' });
    for (const decision of productReviewDecisions) {
      const reply = await review(id, { decision });
      expect([reply.status, reply.json.code]).toEqual([403, 'self_review_forbidden']);
    }
  });

  test.each([
    [{}, 'decision'],
    [{ decision: 'publish' }, 'decision'],
    [{ decision: null }, 'decision'],
    [{ decision: 'approve', expected_revision: '1' }, 'expected_revision'],
    [{ decision: 'reject', rejection_reason: 'x'.repeat(501) }, 'rejection_reason'],
    [{ decision: 'approve', note: 'x'.repeat(5001) }, 'note'],
  ])('refuses %j for its %s', async (body, field) => {
    const reply = await review('prd_01ARZ3NDEKTSV4RRFFQ69G5FAV', body);
    expect([reply.status, reply.json.code]).toEqual([400, 'invalid_request']);
    expect(reply.json.message).toMatch(new RegExp(`^${field} `));
  });
});

describe('the list of products for admins', () => {
  test('pages all products oldest first, and filters', async () => {
    const catalog = await createCatalogHarness();
    const one = await catalog.newSeller();
    const two = await catalog.newSeller();
    const made = await Promise.all(
      productStatuses.flatMap((status, index) =>
        [one.seller.id, two.seller.id].map(async (sellerId) => {
          const product = sampleProduct({ sellerId, status, createdAt: `2026-01-31T09:0${index}:00.000Z` });
          await catalog.table.transact(addProduct(product));
          return product;
        }),
      ),
    );
    const list = async (query: string) => {
      const items: { id: string; status: string; created_at: string }[] = [];
      for (let cursor = ''; ; ) {
        const { status, json } = await catalog.adminCall('GET', `/v1/admin/products?limit=3${query}${cursor && `&cursor=${cursor}`}`);
        expect(status).toBe(200);
        items.push(...json.items);
        if (json.next_cursor === undefined) return items;
        cursor = json.next_cursor;
      }
    };
    const all = await list('');
    expect(all.map((item) => item.id).sort()).toEqual(made.map((product) => product.id).sort());
    expect(all.map((item) => item.created_at)).toEqual(made.map((product) => product.createdAt).sort());
    expect((await list('&status=unpublished')).map((item) => item.status)).toEqual(['unpublished', 'unpublished']);
    expect((await list('&review_status=approved')).map((item) => item.status)).toEqual([
      'approved',
      'approved',
      'unpublished',
      'unpublished',
    ]);
    expect((await list(`&seller_id=${one.seller.id}&status=draft`)).map((item) => item.status)).toEqual(['draft']);
    expect(await list('&seller_id=sel_unknown')).toEqual([]);
    for (const query of ['status=x', 'review_status=unpublished', 'status=draft&status=draft', 'seller_id=']) {
      const reply = await catalog.adminCall('GET', `/v1/admin/products?${query}`);
      expect([query, reply.status, reply.json.message.startsWith(`${query.split('=')[0]} `)]).toEqual([query, 400, true]);
    }
  });
});
