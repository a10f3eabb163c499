import { getProduct, replaceProduct } from '../../../shared/products/product-repository.ts';
import type { SellerRecord } from '../../../shared/sellers/seller.ts';
import { ok } from '../http/http-event.ts';
import { type Environment, openMarket } from './market.ts';

type Json = Record<string, unknown>;

/** A product as a seller sends it. */
export const productRequest = {
  name: 'Photo Studio',
  description: 'Edits photos.',
  price_amount: 4800,
  currency: 'JPY',
  support_email: 'help@example.com',
  refund_policy: 'Within 14 days.',
  software_operating_environment: 'Windows 11',
};

/** What sellers, admins and the public do with products. */
export async function createCatalogHarness(environment: Environment = {}) {
  const market = await openMarket({ at: '2026-01-31T09:00:00.000Z', environment: { CURRENCIES: 'JPY,USD', ...environment } });
  const { table, call, adminCall } = market;
  const review = (id: string, body: Json, headers = {}) => adminCall('PATCH', `/v1/admin/products/${id}/review`, { body, headers });
  let names = 0;

  const catalog = {
    ...market,
    publicCall: call,
    review,
    /** What the public gets at a slug. */
    shown: async (slug: string) => (await call('GET', `/v1/public/products/${slug}`)).json,

    /** A seller on the table, calls in the name of its owner, and what it does with products. */
    async newSeller(fields: Partial<SellerRecord> = {}) {
      const seller = await market.addSeller(fields);
      const ask = market.asUser(seller.ownerUserId);
      const owner = {
        seller,
        call: ask,
        /** A new product, of a name that no other has. */
        send: (given: Json = {}) => ask('POST', '/v1/products', { body: { ...productRequest, name: `Product ${++names}`, ...given } }),
        create: async (given?: Json) => ok(await owner.send(given)).json,
        read: async (id: string) => (await ask('GET', `/v1/products/${id}`)).json,
        async patch(id: string, given: Json) {
          const { name } = await owner.read(id);
          return ask('PATCH', `/v1/products/${id}`, { body: { ...productRequest, name, ...given } });
        },
        submit: (id: string, body?: unknown) => ask('POST', `/v1/products/${id}/submit-review`, { body }),
        withdraw: (id: string) => ask('POST', `/v1/products/${id}/publish`, { body: { publish: false } }),
        /** Hands it in, and has it approved. */
        async goLive(id: string) {
          await owner.submit(id);
          return ok(await review(id, { decision: 'approve' })).json;
        },

        /** A new product on sale, as its seller sees it. No way leads to published, so that is written. */
        async offered(given: Json = {}, status: 'approved' | 'published' = 'approved') {
          const { id } = await owner.create(given);
          await owner.goLive(id);
          if (status === 'published') {
            const product = await getProduct(table, id);
            await table.transact(replaceProduct(product, { ...product, status, revision: product.revision + 1 }));
          }
          catalog.pass(60);
          return owner.read(id);
        },

        /** A new product on sale with a pending revision of this status, which has a price of its own. */
        async edited(pendingStatus: string, status: 'approved' | 'published' = 'approved', given: Json = {}) {
          const { id } = await owner.offered({}, status);
          ok(await owner.patch(id, { price_amount: 9900, ...given }));
          if (pendingStatus !== 'draft') ok(await owner.submit(id));
          if (pendingStatus === 'rejected') ok(await review(id, { decision: 'reject', rejection_reason: 'Too dear.' }));
          catalog.pass(60);
          return owner.read(id);
        },
      };
      return owner;
    },
  };
  return catalog;
}

export type CatalogHarness = Awaited<ReturnType<typeof createCatalogHarness>>;
export type Owner = Awaited<ReturnType<CatalogHarness['newSeller']>>;
