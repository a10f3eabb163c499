import { listAudit } from '../../../../shared/audit/audit-repository.ts';
import { buyerEmailHashes } from '../../../../shared/buyer-email/buyer-email.ts';
import type { Order } from '../../../../shared/orders/order.ts';
import { removeOrderExpiry } from '../../../../shared/orders/order-repository.ts';
import type { ProductRecord } from '../../../../shared/products/product.ts';
import { addProduct } from '../../../../shared/products/product-repository.ts';
import type { InternalReviewStatus } from '../../../../shared/sellers/seller.ts';
import { addSeller, getSeller, recordReview } from '../../../../shared/sellers/seller-repository.ts';
import { keyringOf } from '../../samples/licenses.ts';
import { sampleProduct } from '../../samples/sample-product.ts';
import { sampleSeller } from '../../samples/sample-seller.ts';
import { asAdmin, openBuyerScene } from './buyer-scene.ts';

export type DeskScene = Awaited<ReturnType<typeof openDeskScene>>;
export type Shop = Awaited<ReturnType<DeskScene['openShop']>>;
export type Sale = Awaited<ReturnType<Shop['sell']>>;

/** Sellers and admins at their desks, beside the buyers and apps of `openBuyerScene`. */
export async function openDeskScene(options: Parameters<typeof openBuyerScene>[0] = {}) {
  const scene = await openBuyerScene(options);
  const { table, desks } = scene;

  /** A user who sells one product. */
  async function openShop(userId: string) {
    const seller = sampleSeller({ ownerUserId: userId, internalReviewStatus: 'approved' });
    await table.transact(addSeller(seller));
    const ask = (method: string, path: string, body?: unknown) =>
      desks().seller(method, `/v1/orders${path}`, { headers: { 'X-User-ID': userId }, ...(body !== undefined && { body }) });

    async function addOwn(fields: Partial<ProductRecord> = {}): Promise<ProductRecord> {
      const added = sampleProduct({ sellerId: seller.id, status: 'approved', ...fields });
      await table.transact(addProduct(added));
      return added;
    }
    const product = await addOwn();

    /** A paid order of the shop with its license, and what its seller asks about it. */
    async function sell(facts: Parameters<typeof scene.buy>[0] = {}, change: Partial<Order> = {}) {
      const buyer = await scene.buy(facts, { sellerId: seller.id, productId: facts?.productId ?? product.id, ...change });
      const { id } = buyer.order;
      return {
        ...buyer,
        id,
        show: (query = '') => ask('GET', `/${id}${query}`),
        releaseSeat: (device: string, of = buyer.firstKey) => ask('POST', `/${id}/activations/${buyer.activationId(device, of)}/release`),
        suspend: (body?: unknown) => ask('POST', `/${id}/license/suspend`, body),
        reinstate: () => ask('POST', `/${id}/license/reinstate`),
        limit: (activation_limit: unknown) => ask('PATCH', `/${id}/license`, { activation_limit }),
        extend: (updates_until: unknown, more: object = {}) => ask('PATCH', `/${id}/license`, { updates_until, ...more }),
        resend: () => ask('POST', `/${id}/resend-link`),
        /** Puts the order on the list of a buyer, as its payment does. */
        async bill(email: string, encryptionVersion = 'e1') {
          const [emailHash] = buyerEmailHashes(email, keyringOf(encryptionVersion));
          await table.transact(removeOrderExpiry(buyer.order, emailHash));
        },
      };
    }

    return {
      seller,
      product,
      addProduct: addOwn,
      sell,
      ask,
      search: (body: unknown) => ask('POST', '/search', body),
      review: async (status: InternalReviewStatus) =>
        void (await table.write(recordReview(scene, await getSeller(table, seller.id), { status }))),
    };
  }

  return {
    ...scene,
    openShop,
    /** A request about sales, with a body as it is. */
    askAs: (headers: Record<string, string>, method: string, path: string, body: unknown) =>
      desks().seller(method, path, { headers, body }),
    searchAll: (body: unknown, headers: Record<string, string> = asAdmin) =>
      desks().admin('POST', '/v1/admin/orders/search', { headers, body }),
    /** What an admin reads of the sales of all. */
    readAsAdmin: (path: string) => desks().admin('GET', `/v1/admin/orders${path}`, { headers: asAdmin }),
    auditOf: async (targetId: string) => (await listAudit(table, { targetId, limit: 100 })).items,
  };
}

export const idsIn = ({ json }: { json: { items: { id: string }[] } }) => json.items.map(({ id }) => id);
