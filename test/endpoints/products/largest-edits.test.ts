import { beforeAll, describe, expect, test } from '@jest/globals';
import { type CatalogHarness, createCatalogHarness, productRequest } from '../../support/scenes/catalog-harness.ts';

/** What one function may answer. */
const replyBytes = 6 * 1024 * 1024;

let catalog: CatalogHarness;
beforeAll(async () => {
  catalog = await createCatalogHarness();
});

/** Every text as long as it may be, of this one character. */
const texts = (unit: string) => ({
  description: unit.repeat(20_000),
  refund_policy: unit.repeat(5000),
  software_operating_environment: unit.repeat(500),
  tokushoho_seller_name: unit.repeat(500),
  tokushoho_contact: unit.repeat(500),
  tokushoho_address: unit.repeat(500),
});
/** A hundred features with names and labels as long as they may be. */
const labelled = (unit: string) => {
  const features = Array.from({ length: 100 }, (_, index) => `${index}${unit.repeat(64 - String(index).length)}`);
  const label = unit.repeat(100);
  return { features, feature_labels: Object.fromEntries(features.map((feature) => [feature, { ja: label, en: label }])) };
};

async function offered(name: string, fields: Record<string, unknown>, { call }: Awaited<ReturnType<CatalogHarness['newSeller']>>) {
  const made = await call('POST', '/v1/products', { body: { ...productRequest, name, ...fields } });
  expect(made.status).toBe(201);
  await call('POST', `/v1/products/${made.json.id}/submit-review`);
  const approved = await catalog.adminCall('PATCH', `/v1/admin/products/${made.json.id}/review`, { body: { decision: 'approve' } });
  expect(approved.json.status).toBe('approved');
  return made.json.id;
}

describe('a product on sale and its edit, both of the largest texts', () => {
  test.each([
    ['of four bytes', '𠮷', '😀', texts],
    ['that JSON writes in six characters', '\u0001', '\u0002', texts],
    ['of three bytes, with every label', '写', '真', (unit: string) => ({ ...texts(unit), ...labelled(unit) })],
  ])('%s are kept, reviewed and shown', async (kind, unit, other, fieldsOf) => {
    const seller = await catalog.newSeller();
    const name = `Largest ${kind}`;
    const id = await offered(name, fieldsOf(unit), seller);
    const reply = await seller.call('PATCH', `/v1/products/${id}`, { body: { ...productRequest, name, ...fieldsOf(other) } });
    expect([reply.status, Buffer.byteLength(reply.text) < replyBytes]).toEqual([200, true]);
    expect(reply.json).toMatchObject({ ...fieldsOf(unit), pending: { changes: fieldsOf(other) } });
    await seller.call('POST', `/v1/products/${id}/submit-review`);
    const reason = other.repeat(500);
    const review = (body: object) => catalog.adminCall('PATCH', `/v1/admin/products/${id}/review`, { body });
    expect((await review({ decision: 'reject', rejection_reason: reason })).json.pending.rejection_reason).toBe(reason);
    await seller.call('POST', `/v1/products/${id}/submit-review`);
    expect((await review({ decision: 'approve' })).json).toMatchObject(fieldsOf(other));
  });

  test('that no item could hold are refused, and nothing of the edit is kept', async () => {
    const seller = await catalog.newSeller();
    const name = 'Larger than all';
    const fieldsOf = (unit: string) => ({ ...texts(unit), ...labelled(unit) });
    const id = await offered(name, fieldsOf('𠮷'), seller);
    const before = (await seller.call('GET', `/v1/products/${id}`)).json;
    const edit = (fields: object) => seller.call('PATCH', `/v1/products/${id}`, { body: { ...productRequest, name, ...fields } });
    const refused = await edit(fieldsOf('😀'));
    expect([refused.status, refused.json.code]).toEqual([400, 'payload_too_large']);
    expect((await seller.call('GET', `/v1/products/${id}`)).json).toEqual(before);
    expect((await edit(texts('😀'))).json.pending.changes).toEqual(texts('😀'));
    await seller.call('POST', `/v1/products/${id}/publish`, { body: { publish: false } });
    expect((await edit(fieldsOf('😀'))).json).toMatchObject({ status: 'draft', ...fieldsOf('😀') });
  });
});

test('lists of such products answer in pages that a function may send, and leave none out', async () => {
  const scene = await createCatalogHarness();
  const seller = await scene.newSeller();
  const ids = new Set<string>();
  for (let index = 0; index < 14; index += 1) {
    const name = `Listed ${index}`;
    const { id } = (await seller.call('POST', '/v1/products', { body: { ...productRequest, name, ...texts('\u0001') } })).json;
    await seller.call('POST', `/v1/products/${id}/submit-review`);
    await scene.adminCall('PATCH', `/v1/admin/products/${id}/review`, { body: { decision: 'approve' } });
    await seller.call('PATCH', `/v1/products/${id}`, { body: { ...productRequest, name, ...texts('\u0002') } });
    await seller.call('POST', `/v1/products/${id}/submit-review`);
    ids.add(id);
  }
  const admin = (target: string) => scene.adminCall('GET', target);
  const own = (target: string) => seller.call('GET', target);
  for (const [list, path] of [
    [own, '/v1/products?limit=100'],
    [admin, '/v1/admin/products?limit=100&review_status=pending_review'],
    [admin, `/v1/admin/products?limit=100&review_status=pending_review&seller_id=${seller.seller.id}`],
  ] as const) {
    const listed: string[] = [];
    for (let cursor = ''; ; ) {
      const { status, json, text } = await list(`${path}${cursor && `&cursor=${cursor}`}`);
      expect([status, Buffer.byteLength(text) < replyBytes]).toEqual([200, true]);
      listed.push(...json.items.map((item: { id: string }) => item.id));
      if (json.next_cursor === undefined) break;
      cursor = json.next_cursor;
    }
    expect([listed.length, new Set(listed)]).toEqual([ids.size, ids]);
  }
});
