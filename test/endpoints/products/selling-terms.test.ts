import { beforeAll, describe, expect, test } from '@jest/globals';
import { newId, type ProductId } from '../../../shared/ids.ts';
import { listUpgradesOf } from '../../../shared/products/offers/upgrade-repository.ts';
import { type CatalogHarness, createCatalogHarness, productRequest } from '../../support/scenes/catalog-harness.ts';

let harness: CatalogHarness;
let seller: Awaited<ReturnType<CatalogHarness['newSeller']>>;
let made = 0;

beforeAll(async () => {
  harness = await createCatalogHarness();
  seller = await harness.newSeller({ invoiceRegistrationNumber: 'T5678901234567' });
});

const create = (fields: object = {}, by = seller) => {
  made += 1;
  return by.call('POST', '/v1/products', { body: { ...productRequest, name: `Sold ${made}`, ...fields } });
};
const patch = ({ id, name }: { id: string; name: string }, fields: object) =>
  seller.call('PATCH', `/v1/products/${id}`, { body: { ...productRequest, name, ...fields } });
async function putOnSale({ id }: { id: string }): Promise<void> {
  await seller.call('POST', `/v1/products/${id}/submit-review`);
  await harness.adminCall('PATCH', `/v1/admin/products/${id}/review`, { body: { decision: 'approve' } });
}
const upgradesOf = ({ id }: { id: string }) => listUpgradesOf(harness.table, id as ProductId);

describe('what a product is sold as', () => {
  const usual = { max_quantity: 1, addition_prices: {}, upgrades_from: [], tax_percent: 10 };

  test('is one, with nothing to add or to upgrade from, and 10 % of tax, where nothing else is sent', async () => {
    const { json } = await create();
    expect(json).toMatchObject(usual);
    expect((await seller.call('GET', `/v1/products/${json.id}`)).json).toMatchObject(usual);
  });

  test('comes back as it was sent, to the public without its tax', async () => {
    const former = (await create()).json;
    const terms = {
      max_quantity: 25,
      addition_prices: { seat: 980, updates: 1500 },
      upgrades_from: [{ product_id: former.id, price_amount: 0 }],
    };
    const { json } = await create({ ...terms, tax_percent: 8, updates_days: 365 });
    expect(json).toMatchObject({ ...terms, tax_percent: 8 });
    await putOnSale(json);
    const shown = (await harness.publicCall('GET', `/v1/public/products/${json.slug}`)).json;
    expect(shown).toMatchObject({ ...terms, seller_invoice_registration_number: 'T5678901234567' });
    expect(shown).not.toHaveProperty('tax_percent');
  });

  test.each([
    [{ max_quantity: 0 }, 'max_quantity '],
    [{ max_quantity: 101 }, 'max_quantity '],
    [{ max_quantity: 2, license_issuance_mode: 'imported_csv' }, 'max_quantity '],
    [{ addition_prices: { seat: 0 } }, 'addition_prices.seat '],
    [{ addition_prices: { seat: 100_000_000 } }, 'addition_prices.seat '],
    [{ addition_prices: { updates: 5 } }, 'addition_prices.updates '],
    [{ addition_prices: [] }, 'addition_prices '],
    [{ upgrades_from: [{ product_id: newId('product'), price_amount: -1 }] }, 'upgrades_from.0.price_amount '],
    [{ upgrades_from: Array.from({ length: 11 }, () => ({ product_id: newId('product'), price_amount: 1 })) }, 'upgrades_from '],
    [{ tax_percent: 5 }, 'tax_percent '],
    [{ tax_percent: '10' }, 'tax_percent '],
  ])('is refused as %j', async (fields, message) => {
    const reply = await create(fields);
    expect(reply).toMatchObject({ status: 400, json: { code: 'invalid_request', message: expect.stringMatching(`^${message}`) } });
  });
});

describe('what can be upgraded', () => {
  test('is refused alike where it is the product itself, named twice, another seller’s, or unknown', async () => {
    const foreign = (await create({}, await harness.newSeller())).json;
    const [own, product] = [(await create()).json, (await create()).json];
    const offers = (...ids: string[]) => ({ upgrades_from: ids.map((product_id, index) => ({ product_id, price_amount: index })) });
    const messages = new Set<string>();
    for (const ids of [[product.id], [own.id, own.id], [foreign.id], [own.id, newId('product')], ['prd_x'], [newId('seller')]]) {
      const reply = await patch(product, offers(...ids));
      expect([reply.status, reply.json.code]).toEqual([400, 'invalid_request']);
      messages.add(reply.json.message);
      if (ids[0] !== product.id) messages.add((await create(offers(...ids))).json.message);
    }
    expect([...messages]).toEqual([expect.stringMatching(/^upgrades_from /)]);
    expect(await upgradesOf(own)).toEqual([]);
  });

  test('leads to what it becomes from the moment that is live, whatever state either is in', async () => {
    const [first, second] = [(await create()).json, (await create()).json];
    await harness.adminCall('PATCH', `/v1/admin/products/${second.id}/review`, { body: { decision: 'suspend' } });
    const offer = (product: { id: string }, price_amount: number) => [{ product_id: product.id, price_amount }];
    const { json } = await create({ upgrades_from: offer(first, 300) });
    expect([await upgradesOf(first), await upgradesOf(second)]).toEqual([[json.id], []]);
    await putOnSale(json);
    // What waits leads nowhere yet.
    const edited = await patch(json, { upgrades_from: offer(second, 400) });
    expect(edited.json).toMatchObject({ upgrades_from: offer(first, 300), pending: { changes: { upgrades_from: offer(second, 400) } } });
    expect([await upgradesOf(first), await upgradesOf(second)]).toEqual([[json.id], []]);
    await putOnSale(json);
    expect([await upgradesOf(first), await upgradesOf(second)]).toEqual([[], [json.id]]);
    await patch(json, { upgrades_from: [...offer(first, 500), ...offer(second, 400)] });
    await seller.call('POST', `/v1/products/${json.id}/publish`, { body: { publish: false } });
    expect([await upgradesOf(first), await upgradesOf(second)]).toEqual([[json.id], [json.id]]);
    // Left out, they stay; a draft is live to itself.
    await patch(json, { description: 'Other.' });
    expect(await upgradesOf(first)).toEqual([json.id]);
    await patch(json, { upgrades_from: [] });
    expect([await upgradesOf(first), await upgradesOf(second)]).toEqual([[], []]);
  });
});
