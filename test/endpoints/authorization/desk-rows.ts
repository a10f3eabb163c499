import { expect } from '@jest/globals';
import type { Shop } from '../../support/scenes/marketplace.ts';
import { licenseBody, ofFile, ok, orderBody, type Row } from './rows.ts';

const ofOrder = ({ order }: Shop) => ({ ids: { order_id: order.id } });

/** Of what sellers do about their sales, and admins to find an order or see a file. */
export const deskRows: Record<string, Row> = {
  'sellers: getMe': {
    reply: ({ userId, seller }) => ok({ user_id: userId, email: `${userId}@example.com`, roles: ['seller'], seller_id: seller.id }),
    toNobodysSeller: (_, __, caller) => ok({ user_id: caller, email: `${caller}@example.com`, roles: caller === 'admin' ? ['admin'] : [] }),
  },
  'orders: getSoldOrder': {
    ask: ofOrder,
    reply: (shop) => {
      const license = { ...licenseBody(shop), activations: [{ id: shop.activationId, activated_at: shop.soldAt }] };
      return ok({ ...orderBody(shop.order, shop), license });
    },
  },
  'orders: searchOrders': {
    ask: ({ key }) => ({ body: { license_key: key } }),
    reply: (shop) => ok({ items: [orderBody(shop.order, shop)] }),
    toNobodysSeller: () => ok({ items: [] }),
  },
  'orders: resendSoldOrderLink': { ask: ofOrder, reply: () => ok({}, 202) },
  'orders: releaseSoldActivation': {
    ask: ({ order, activationId }) => ({ ids: { order_id: order.id, activation_id: activationId } }),
    reply: (shop) => ok(licenseBody(shop, { activation_count: 0 })),
  },
  'orders: suspendLicense': {
    ask: (shop) => ({ ...ofOrder(shop), body: { reason: 'Unpaid invoice.' } }),
    reply: (shop) => ok(licenseBody(shop, { status: 'suspended' })),
  },
  'orders: reinstateLicense': { ask: ofOrder, reply: (shop) => ok(licenseBody(shop)) },
  'orders: changeLicense': {
    ask: (shop) => ({ ...ofOrder(shop), body: { activation_limit: 5 } }),
    reply: (shop) => ok(licenseBody(shop, { activation_limit: 5 })),
  },
  'code-batches: getCodeStock': {
    ask: ({ csvProduct }) => ({ ids: { product_id: csvProduct.id } }),
    // The import was accepted, and nobody did it yet.
    reply: () => ok({ available: 0, sold: 0, waiting_orders: 0 }),
  },
  'test-keys: mintTestKey': {
    ask: ({ product }) => ({ ids: { product_id: product.id } }),
    reply: (_, { at }) =>
      ok(
        {
          license_id: expect.stringMatching(/^lic_[0-9A-Z]{26}$/),
          license_key: expect.stringMatching(/^LIC1(-[0-9A-Z]{5}){5}$/),
          expires_at: new Date(Date.parse(at) + 90 * 24 * 3600_000).toISOString(),
        },
        201,
      ),
  },
  'test-keys: listTestKeys': {
    ask: ({ product }) => ({ ids: { product_id: product.id } }),
    reply: ({ testKey: { license_key: key, ...shown } }, { at }) =>
      ok({ items: [{ ...shown, license_key_hint: key.slice(-4), created_at: at }] }),
  },
  'test-keys: endTestKey': {
    ask: ({ product, testKey }) => ({ ids: { product_id: product.id, license_id: testKey.license_id } }),
    reply: ({ testKey }) => ok({ license_id: testKey.license_id }),
  },
  'admin: searchAllOrders': {
    ask: ({ buyerEmail }) => ({ body: { buyer_email: buyerEmail } }),
    reply: (shop) => ok({ items: [orderBody(shop.order, shop)] }),
  },
  'admin: createReviewDownloadIntent': {
    ask: ofFile,
    reply: ({ product, file }, { at }) =>
      ok({
        download_url: expect.stringMatching(
          new RegExp(`^http.*/files/files/${product.id}/${file.id}\\?.*X-Amz-Expires=300&.*versionId=v1`),
        ),
        expires_at: new Date(Date.parse(at) + 5 * 60_000).toISOString(),
      }),
  },
};
