import { buyerEmailHashes } from '../../../../shared/buyer-email/buyer-email.ts';
import { sealText } from '../../../../shared/crypto/sealed-text.ts';
import type { Order } from '../../../../shared/orders/order.ts';
import { getOrder, removeOrderExpiry, replaceOrder } from '../../../../shared/orders/order-repository.ts';
import type { ProductRecord } from '../../../../shared/products/product.ts';
import type { InternalReviewStatus } from '../../../../shared/sellers/seller.ts';
import { keyringOf } from '../../samples/licenses.ts';
import { asAdmin, openBuyerScene } from './buyer-scene.ts';

export type DeskScene = Awaited<ReturnType<typeof openDeskScene>>;
export type Shop = Awaited<ReturnType<DeskScene['openShop']>>;
export type Sale = Awaited<ReturnType<Shop['sell']>>;

/** Sellers and admins at their desks, beside the buyers and apps of `openBuyerScene`. */
export async function openDeskScene(options: Parameters<typeof openBuyerScene>[0] = {}) {
  const scene = await openBuyerScene(options);
  const { table, as } = scene;

  /** A user who sells one product. */
  async function openShop(userId: string) {
    const seller = await scene.addSeller({ ownerUserId: userId });
    const ask = (method: string, path: string, body?: unknown) => scene.asUser(userId)(method, `/v1/orders${path}`, { body });
    const addOwn = (fields: Partial<ProductRecord> = {}) => scene.addProduct({ sellerId: seller.id, ...fields });
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
        /** Gives the order its buyer and the place in their list, as its payment does. */
        async bill(email: string, encryptionVersion = 'e1') {
          const keys = keyringOf(encryptionVersion);
          const sealedBuyerEmail = sealText(email, id, keys);
          const [emailHash] = buyerEmailHashes(email, keys);
          const order = await getOrder(table, id);
          await table.transact([replaceOrder(order, { ...order, sealedBuyerEmail }), ...removeOrderExpiry(order, emailHash)]);
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
      review: (status: InternalReviewStatus) => scene.setSellerStatus(seller.id, status),
    };
  }

  return {
    ...scene,
    openShop,
    searchAll: (body: unknown, headers: Record<string, string> = asAdmin) => as(headers)('POST', '/v1/admin/orders/search', { body }),
    /** What an admin reads of the sales of all. */
    readAsAdmin: (path: string) => as(asAdmin)('GET', `/v1/admin/orders${path}`),
    auditOf: scene.audited,
  };
}

export const idsIn = ({ json }: { json: { items: { id: string }[] } }) => json.items.map(({ id }) => id);
