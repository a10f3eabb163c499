import { beforeAll, describe, expect, test } from '@jest/globals';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import { addDiscount, maxLiveDiscounts, readyForDiscount } from '../../../shared/discounts/discount-repository.ts';
import { type CatalogHarness, createCatalogHarness } from '../../support/scenes/catalog-harness.ts';
import { sampleDiscount } from '../../support/scenes/products/sample-discount.ts';

const error = (status: number, code: string) => ({ status, json: { code } });

let catalog: CatalogHarness;
beforeAll(async () => {
  catalog = await createCatalogHarness();
});

/** A draft of a seller who waits for approval, and what its owner does with discounts. */
const draft = async (fields: Record<string, unknown> = {}) => {
  const { seller, call, create } = await catalog.newSeller({ internalReviewStatus: 'pending_review' });
  const product = await create(fields);
  const path = `/v1/products/${product.id}/discounts`;
  return {
    seller,
    product,
    make: (request: object) => call('POST', path, { body: { percent_off: 20, ...request } }),
    list: async (query = '') => (await call('GET', `${path}${query}`)).json,
    end: (id: string) => call('POST', `${path}/${id}/end`),
  };
};

describe('discounts', () => {
  test('are made, listed and ended, and leave a trace', async () => {
    const { seller, product, make, list, end } = await draft({ currency: 'usd' });
    const at = catalog.now().toISOString();
    const limits = { amount_off: 4800, max_redemptions: 3, description: '' };
    const times = { starts_at: '2026-02-01T09:00:00+09:00', ends_at: '2026-03-01T00:00:00.5-05:00' };
    const made = await make({ code: 'launch-25', percent_off: undefined, ...limits, ...times });
    const [starts_at, ends_at] = ['2026-02-01T00:00:00.000Z', '2026-03-01T05:00:00.500Z'];
    const shown = { code: 'LAUNCH-25', currency: 'usd', ...limits, starts_at, ends_at, redeemed: 0, reserved: 0, created_at: at };
    expect(made).toMatchObject({ status: 201 });
    expect(made.json).toEqual({ id: expect.stringMatching(/^dis_/), ...shown });
    const second = (await make({ code: 'x-1' })).json;
    expect(second).toMatchObject({ code: 'X-1', percent_off: 20, starts_at: at });
    const first = await list('?limit=1');
    expect(first.items).toEqual([second]);
    expect(await list(`?limit=1&cursor=${first.next_cursor}`)).toEqual({ items: [made.json] });

    catalog.pass(3);
    const ended = await end(made.json.id);
    expect(ended.json).toEqual({ ...made.json, ended_at: catalog.now().toISOString() });
    catalog.pass(3);
    expect((await end(made.json.id)).json).toEqual(ended.json);
    expect(await list()).toEqual({ items: [second, ended.json] });
    expect(await make({ code: 'Launch-25' })).toMatchObject(error(409, 'discount_code_taken'));
    const { items } = await listAudit(catalog.table, { targetId: made.json.id, limit: 9 });
    const price = { amountOff: 4800, currency: 'usd', maxRedemptions: 3 };
    const after = { productId: product.id, code: 'LAUNCH-25', ...price, startsAt: starts_at, endsAt: ends_at };
    expect(items.map(({ actor, action, after }) => [actor, action, after])).toEqual([
      [seller.ownerUserId, 'discount.end', undefined],
      [seller.ownerUserId, 'discount.create', after],
    ]);
  });

  test('are refused for each field that is wrong', async () => {
    const { make } = await draft();
    const codeRule = 'code must be 3 to 32 of A-Z, 0-9 and -';
    const wrong: [object, string][] = [
      [{ code: 'A'.repeat(100_000) }, codeRule],
      [{ code: 'É-20' }, codeRule],
      [{ code: '' }, codeRule],
      [{ code: 7 }, 'code must be text'],
      [{ percent_off: undefined }, 'amount_off is missing, and percent_off too: one of them is needed'],
      [{ amount_off: 1 }, 'amount_off must be left out beside percent_off'],
      [{ percent_off: 101 }, 'percent_off must be at most 100'],
      [{ percent_off: 0 }, 'percent_off must be at least 1'],
      [{ percent_off: 2.5 }, 'percent_off must be a whole number'],
      [{ percent_off: undefined, amount_off: 0 }, 'amount_off must be at least 1'],
      [{ percent_off: undefined, amount_off: 4801 }, 'amount_off must be at most the price, which is 4800'],
      [{ max_redemptions: 0 }, 'max_redemptions must be at least 1'],
      [{ max_redemptions: 1_000_001 }, 'max_redemptions must be at most 1000000'],
      [{ ends_at: catalog.now().toISOString() }, 'ends_at must be in the future'],
      [{ starts_at: '2027-01-01T00:00:00Z', ends_at: '2027-01-01T09:00:00+09:00' }, 'ends_at must be after starts_at'],
      [{ starts_at: 'soon' }, 'starts_at must be a time such as 2026-01-31T09:00:00.000Z'],
      [{ description: 'x'.repeat(201) }, 'description must be at most 200 characters long'],
    ];
    for (const [request, message] of wrong)
      expect((await make({ code: 'FINE', ...request })).json).toMatchObject({ code: 'invalid_request', message });
    const free = await draft({ price_amount: 0 });
    expect((await free.make({ code: 'ONE', percent_off: undefined, amount_off: 1 })).status).toBe(400);
    expect((await free.make({ code: 'ALL', percent_off: 100 })).status).toBe(201);
  });

  test('know what seller and product may', async () => {
    const { seller, product, make, end } = await draft();
    const { id } = (await make({ code: 'BEFORE' })).json;
    await catalog.review(product.id, { decision: 'suspend' });
    for (const change of [{}, { percent_off: undefined, amount_off: 9999 }])
      expect(await make({ code: 'AFTER', ...change })).toMatchObject(error(403, 'product_suspended'));
    await catalog.setSellerStatus(seller.id, 'rejected');
    expect(await make({ code: 'AFTER' })).toMatchObject(error(403, 'seller_not_eligible'));
    expect(await make({ code: 'A' })).toMatchObject(error(400, 'invalid_request'));
    expect(await end(id)).toMatchObject(error(403, 'seller_not_eligible'));
    await catalog.setSellerStatus(seller.id, 'approved_limited');
    expect((await end(id)).status).toBe(200);
  });

  test('are as many as there is room for, however many come at once', async () => {
    const { product, make, list, end } = await draft();
    const { table, now } = catalog;
    await readyForDiscount(table, product.id, now());
    const fill = async (count: number, fields: object) => {
      for (let made = 0; made < count; made += 1)
        await table.transact(addDiscount(sampleDiscount({ productId: product.id, sellerId: product.seller_id, ...fields })));
    };
    await fill(3, { endsAt: new Date(now().getTime() + 60_000).toISOString() });
    await fill(maxLiveDiscounts - 13, {});
    const racing = await Promise.all(Array.from({ length: 50 }, (_, at) => make({ code: `RACE-${Math.floor(at / 2)}` })));
    const statuses = racing.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([201, 400, 409]));
    expect(statuses.filter((status) => status === 201)).toHaveLength(10);
    expect(await make({ code: 'MORE' })).toMatchObject(error(400, 'too_many_discounts'));
    // Those past their end take no place; used up or not yet begun, the others do.
    catalog.pass(61);
    const more = await Promise.all(['LATER-1', 'LATER-2', 'LATER-3', 'LATER-4'].map((code) => make({ code })));
    expect(more.map(({ status }) => status).sort()).toEqual([201, 201, 201, 400]);
    await end((await list('?limit=1')).items[0].id);
    expect((await make({ code: 'FREED' })).status).toBe(201);
    expect(await make({ code: 'FULL' })).toMatchObject(error(400, 'too_many_discounts'));
  });
});
