import { beforeAll, describe, expect, test } from '@jest/globals';
import { compose } from '../../../functions/discounts/compose.ts';
import { settingNames } from '../../../functions/discounts/declaration.ts';
import { routes } from '../../../functions/discounts/routes.ts';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import { addDiscount, maxLiveDiscounts, readyForDiscount } from '../../../shared/discounts/discount-repository.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { sampleSettings } from '../../support/samples/sample-settings.ts';
import { type CatalogHarness, createCatalogHarness, productRequest } from '../../support/scenes/catalog-harness.ts';
import { sampleDiscount } from '../../support/scenes/products/sample-discount.ts';

const error = (status: number, code: string) => ({ status, json: { code } });
const invalid = (message: string) => ({ status: 400, json: { code: 'invalid_request', message } });

describe('discounts', () => {
  let catalog: CatalogHarness;
  let desk: ReturnType<typeof createCaller>;
  let names = 0;

  beforeAll(async () => {
    catalog = await createCatalogHarness();
    const { table, now } = catalog;
    const logger = createLogger({}, (line) => catalog.logged.push(line));
    desk = createCaller(compose({ settings: sampleSettings(settingNames), logger, table, now }), routes);
  });

  /** A draft of a seller who waits for approval, and what its owner does with discounts. */
  const draft = async (fields: Record<string, unknown> = {}) => {
    const { seller, call } = await catalog.newSeller({ internalReviewStatus: 'pending_review' });
    const body = { ...productRequest, name: `Deal ${++names}`, ...fields };
    const { json: product } = await call('POST', '/v1/products', { body });
    const as = { headers: { 'X-User-ID': seller.ownerUserId } };
    const path = `/v1/products/${product.id}/discounts`;
    return {
      seller,
      product,
      make: (request: object) => desk('POST', path, { ...as, body: { percent_off: 20, ...request } }),
      list: async (query = '') => (await desk('GET', `${path}${query}`, as)).json,
      end: (id: string) => desk('POST', `${path}/${id}/end`, as),
    };
  };

  test('are made, listed and ended, and leave a trace', async () => {
    const { seller, product, make, list, end } = await draft({ currency: 'usd' });
    const at = catalog.now().toISOString();
    const made = await make({
      code: 'launch-25',
      percent_off: undefined,
      amount_off: 4800,
      max_redemptions: 3,
      starts_at: '2026-02-01T09:00:00+09:00',
      ends_at: '2026-03-01T00:00:00.5-05:00',
      description: '',
    });
    expect(made).toMatchObject({ status: 201 });
    expect(made.json).toEqual({
      id: expect.stringMatching(/^dis_/),
      code: 'LAUNCH-25',
      amount_off: 4800,
      currency: 'usd',
      max_redemptions: 3,
      starts_at: '2026-02-01T00:00:00.000Z',
      ends_at: '2026-03-01T05:00:00.500Z',
      description: '',
      redeemed: 0,
      reserved: 0,
      created_at: at,
    });
    const second = (await make({ code: 'x-1' })).json;
    expect(second).toMatchObject({ code: 'X-1', percent_off: 20, starts_at: at });
    expect(await list()).toEqual({ items: [second, made.json] });
    const first = await list('?limit=1');
    expect(first.items).toEqual([second]);
    expect(await list(`?limit=1&cursor=${first.next_cursor}`)).toEqual({ items: [made.json] });

    catalog.pass(3);
    const ended = await end(made.json.id);
    expect(ended).toMatchObject({ status: 200, json: { ...made.json, ended_at: catalog.now().toISOString() } });
    catalog.pass(3);
    expect((await end(made.json.id)).json).toEqual(ended.json);
    expect(await list()).toEqual({ items: [second, ended.json] });
    expect(await make({ code: 'Launch-25' })).toMatchObject(error(409, 'discount_code_taken'));
    const { items } = await listAudit(catalog.table, { targetId: made.json.id, limit: 9 });
    expect(items.map(({ actor, action, after }) => [actor, action, after])).toEqual([
      [seller.ownerUserId, 'discount.end', undefined],
      [
        seller.ownerUserId,
        'discount.create',
        {
          productId: product.id,
          code: 'LAUNCH-25',
          amountOff: 4800,
          currency: 'usd',
          maxRedemptions: 3,
          startsAt: made.json.starts_at,
          endsAt: made.json.ends_at,
        },
      ],
    ]);
  });

  test('are refused for each field that is wrong', async () => {
    const { make } = await draft();
    const codeRule = 'code must be 3 to 32 of A-Z, 0-9 and -';
    for (const code of ['AB', 'A'.repeat(33), 'A'.repeat(100_000), 'SPRING 20', 'É-20', 'ſale', 'SALE\n', ''])
      expect(await make({ code })).toMatchObject(invalid(codeRule));
    const wrong: [object, string][] = [
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
    for (const [request, message] of wrong) expect(await make({ code: 'FINE', ...request })).toMatchObject(invalid(message));
    const free = await draft({ price_amount: 0 });
    expect(await free.make({ code: 'ONE', percent_off: undefined, amount_off: 1 })).toMatchObject({ status: 400 });
    expect(await free.make({ code: 'ALL', percent_off: 100 })).toMatchObject({ status: 201 });
  });

  test('know what seller and product may', async () => {
    const { seller, product, make, end } = await draft();
    const { id } = (await make({ code: 'BEFORE' })).json;
    await catalog.adminCall('PATCH', `/v1/admin/products/${product.id}/review`, { body: { decision: 'suspend' } });
    expect(await make({ code: 'AFTER' })).toMatchObject(error(403, 'product_suspended'));
    expect(await make({ code: 'AFTER', percent_off: undefined, amount_off: 9999 })).toMatchObject(error(403, 'product_suspended'));
    await catalog.setSellerStatus(seller.id, 'rejected');
    expect(await make({ code: 'AFTER' })).toMatchObject(error(403, 'seller_not_eligible'));
    expect(await make({ code: 'A' })).toMatchObject(error(400, 'invalid_request'));
    expect(await end(id)).toMatchObject(error(403, 'seller_not_eligible'));
    await catalog.setSellerStatus(seller.id, 'approved_limited');
    const other = await draft();
    for (const unknown of ['dis_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'x', (await other.make({ code: 'OTHER' })).json.id])
      expect(await end(unknown)).toMatchObject(error(404, 'discount_not_found'));
    expect(await end(id)).toMatchObject({ status: 200 });
  });

  test('are as many as there is room for, however many come at once', async () => {
    const { product, make, list, end } = await draft();
    const { table, now } = catalog;
    await readyForDiscount(table, product.id, now());
    const fill = async (count: number, fields: object) => {
      for (let made = 0; made < count; made += 1)
        await table.transact(addDiscount(sampleDiscount({ productId: product.id, sellerId: product.seller_id, ...fields })));
    };
    const endsAt = new Date(now().getTime() + 60_000).toISOString();
    await fill(3, { endsAt });
    await fill(maxLiveDiscounts - 13, {});
    const racing = Array.from({ length: 50 }, (_, at) => make({ code: `RACE-${Math.floor(at / 2)}` }));
    const statuses = (await Promise.all(racing)).map(({ status, json }) => (json.code === 'discount_code_taken' ? 409 : status));
    expect(new Set(statuses)).toEqual(new Set([201, 400, 409]));
    expect(statuses.filter((status) => status === 201)).toHaveLength(10);
    expect(await make({ code: 'MORE' })).toMatchObject(error(400, 'too_many_discounts'));
    // Those past their end take no place; used up or not yet begun, the others do.
    catalog.pass(61);
    const more = await Promise.all(['LATER-1', 'LATER-2', 'LATER-3', 'LATER-4'].map((code) => make({ code })));
    expect(more.map(({ status }) => status).sort()).toEqual([201, 201, 201, 400]);
    const [latest] = (await list('?limit=1')).items;
    await end(latest.id);
    expect(await make({ code: 'FREED' })).toMatchObject({ status: 201 });
    expect(await make({ code: 'FULL' })).toMatchObject(error(400, 'too_many_discounts'));
  });
});
