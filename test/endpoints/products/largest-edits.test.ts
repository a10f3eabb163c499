import { beforeAll, describe, expect, test } from '@jest/globals';
import { addProduct } from '../../../shared/products/product-repository.ts';
import { sampleProduct } from '../../support/samples/sample-product.ts';
import { type CatalogHarness, createCatalogHarness, type Owner } from '../../support/scenes/catalog-harness.ts';

/** What one function may answer. */
const replyBytes = 6 * 1024 * 1024;

let catalog: CatalogHarness;
let owner: Owner;
beforeAll(async () => {
  catalog = await createCatalogHarness();
  owner = await catalog.newSeller();
});

/** What stands for a control character where none may be. */
const shown = (unit: string) => ({ '\u0001': '"', '\u0002': '\\' })[unit] ?? unit;
/** Every text as long as it may be, of this one character. */
const texts = (unit: string) => ({
  description: unit.repeat(20_000),
  refund_policy: unit.repeat(5000),
  software_operating_environment: shown(unit).repeat(500),
  tokushoho_seller_name: shown(unit).repeat(500),
  tokushoho_contact: shown(unit).repeat(500),
  tokushoho_address: shown(unit).repeat(500),
});
/** Besides, a hundred features with names and labels as long as they may be. */
const everything = (unit: string) => {
  const features = Array.from({ length: 100 }, (_, index) => `${index}${unit.repeat(64 - String(index).length)}`);
  const label = unit.repeat(100);
  return { ...texts(unit), features, feature_labels: Object.fromEntries(features.map((feature) => [feature, { ja: label, en: label }])) };
};

describe('a product on sale and its edit, both of the largest texts', () => {
  test.each([
    ['that JSON writes in six characters', '\u0001', '\u0002', texts],
    ['of three bytes, with every label', '写', '真', everything],
  ])('%s are kept, reviewed and shown', async (_, unit, other, fieldsOf) => {
    const { id } = await owner.offered(fieldsOf(unit));
    const reply = await owner.patch(id, fieldsOf(other));
    expect([reply.status, Buffer.byteLength(reply.text) < replyBytes]).toEqual([200, true]);
    expect(reply.json).toMatchObject({ ...fieldsOf(unit), pending: { changes: fieldsOf(other) } });
    await owner.submit(id);
    const rejection_reason = shown(other).repeat(500);
    expect((await catalog.review(id, { decision: 'reject', rejection_reason })).json.pending).toMatchObject({ rejection_reason });
    expect(await owner.goLive(id)).toMatchObject(fieldsOf(other));
  });

  test('that no item could hold are refused, and nothing of the edit is kept', async () => {
    const before = await owner.offered(everything('𠮷'));
    expect(await owner.patch(before.id, everything('😀'))).toMatchObject({ status: 400, json: { code: 'payload_too_large' } });
    expect(await owner.read(before.id)).toEqual(before);
    expect((await owner.patch(before.id, texts('😀'))).json.pending.changes).toEqual(texts('😀'));
    await owner.withdraw(before.id);
    expect((await owner.patch(before.id, everything('😀'))).json).toMatchObject({ status: 'draft', ...everything('😀') });
  });
});

test('lists of such products answer in pages that a function may send, and leave none out', async () => {
  const shop = await catalog.newSeller();
  const stored = (unit: string) => ({
    description: unit.repeat(20_000),
    refundPolicy: unit.repeat(5000),
    softwareOperatingEnvironment: unit.repeat(500),
    tokushohoAddress: unit.repeat(500),
  });
  const pending = { status: 'pending_review', changes: stored('\u0002'), updatedAt: catalog.now().toISOString() } as const;
  const ids = new Set<string>();
  for (let index = 0; index < 16; index += 1) {
    const product = sampleProduct({ sellerId: shop.seller.id, status: 'approved', ...stored('\u0001'), pending });
    await catalog.table.transact(addProduct(product));
    ids.add(product.id);
  }
  for (const [list, path] of [
    [shop.call, '/v1/products?limit=100'],
    [catalog.adminCall, '/v1/admin/products?limit=100&review_status=pending_review'],
    [catalog.adminCall, `/v1/admin/products?limit=100&review_status=pending_review&seller_id=${shop.seller.id}`],
  ] as const) {
    const listed: string[] = [];
    for (let cursor = ''; ; ) {
      const { status, json, text } = await list('GET', `${path}${cursor && `&cursor=${cursor}`}`);
      expect([status, Buffer.byteLength(text) < replyBytes]).toEqual([200, true]);
      listed.push(...json.items.map((item: { id: string }) => item.id));
      if (json.next_cursor === undefined) break;
      cursor = json.next_cursor;
    }
    expect([listed.length, new Set(listed)]).toEqual([ids.size, ids]);
  }
});
