import { compose as composeAdmin } from '../../../../functions/admin/compose.ts';
import { settingNames as adminSettings } from '../../../../functions/admin/declaration.ts';
import { routes as adminRoutes } from '../../../../functions/admin/routes.ts';
import { compose } from '../../../../functions/orders/compose.ts';
import { settingNames } from '../../../../functions/orders/declaration.ts';
import { routes } from '../../../../functions/orders/routes.ts';
import { listAudit } from '../../../../shared/audit/audit-repository.ts';
import { buyerEmailHashes } from '../../../../shared/buyer-email/buyer-email.ts';
import type { SettingName } from '../../../../shared/config.ts';
import { createLogger } from '../../../../shared/logging/logger.ts';
import type { Order } from '../../../../shared/orders/order.ts';
import { removeOrderExpiry } from '../../../../shared/orders/order-repository.ts';
import type { ProductRecord } from '../../../../shared/products/product.ts';
import { addProduct } from '../../../../shared/products/product-repository.ts';
import type { InternalReviewStatus } from '../../../../shared/sellers/seller.ts';
import { addSeller, getSeller, recordReview } from '../../../../shared/sellers/seller-repository.ts';
import type { Faults } from '../../engines/faults.ts';
import { createCaller } from '../../http/http-event.ts';
import { keyringOf, keyringText } from '../../samples/licenses.ts';
import { sampleProduct } from '../../samples/sample-product.ts';
import { sampleSeller } from '../../samples/sample-seller.ts';
import { sampleSettings } from '../../samples/sample-settings.ts';
import { openBuyerScene } from './buyer-scene.ts';

type Environment = Partial<Record<SettingName, string>>;
export type DeskScene = Awaited<ReturnType<typeof openDeskScene>>;
export type Shop = Awaited<ReturnType<DeskScene['openShop']>>;
export type Sale = Awaited<ReturnType<Shop['sell']>>;

export const asAdmin = { 'X-User-ID': 'admin-1', 'X-User-Email': 'admin@example.com' };

/** Sellers and admins at their desks, beside the buyers and apps of `openBuyerScene`. Searches have no limit unless the environment sets one. */
export async function openDeskScene({ faults, environment = {} }: { faults?: Faults; environment?: Environment } = {}) {
  const scene = await openBuyerScene({ ...(faults && { faults }), environment });
  const { table, now, queue } = scene;
  const logged: string[] = [];
  const keys: Environment = { ENCRYPTION_KEYS: keyringText('e1'), LICENSE_PEPPERS: keyringText('1') };

  const composeDesks = (changes: Environment = {}) => {
    const settings = { RATE_LIMIT_SEARCH: '0', ...keys, ...environment, ...changes };
    const common = { table, logger: createLogger({}, (line) => logged.push(line)), now, sender: queue };
    return {
      seller: createCaller(compose({ settings: sampleSettings(settingNames, settings), ...common }), routes),
      admin: createCaller(composeAdmin({ settings: sampleSettings(adminSettings, settings), ...common, store: undefined }), adminRoutes),
    };
  };
  let desks = composeDesks();

  /** A user who sells one product. */
  async function openShop(userId: string) {
    const seller = sampleSeller({ ownerUserId: userId, internalReviewStatus: 'approved' });
    await table.transact(addSeller(seller));
    const ask = (method: string, path: string, body?: unknown) =>
      desks.seller(method, `/v1/orders${path}`, { headers: { 'X-User-ID': userId }, ...(body !== undefined && { body }) });

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
    logged,
    openShop,
    /** A request about sales, with a body as it is. */
    askAs: (headers: Record<string, string>, method: string, path: string, body: unknown) => desks.seller(method, path, { headers, body }),
    searchAs: (userId: string, body: unknown) => desks.seller('POST', '/v1/orders/search', { headers: { 'X-User-ID': userId }, body }),
    searchAll: (body: unknown, headers: Record<string, string> = asAdmin) =>
      desks.admin('POST', '/v1/admin/orders/search', { headers, body }),
    auditOf: async (targetId: string) => (await listAudit(table, { targetId, limit: 100 })).items,
    setPeppers(...versions: string[]) {
      scene.setPeppers(...versions);
      keys.LICENSE_PEPPERS = keyringText(...versions);
      desks = composeDesks();
    },
    setKeys(changes: Environment) {
      desks = composeDesks(changes);
    },
  };
}

export const idsIn = ({ json }: { json: { items: { id: string }[] } }) => json.items.map(({ id }) => id);
