import { expect } from '@jest/globals';
import { taskIds } from '../../../shared/sellers/seller.ts';
import type { Marketplace, Shop } from '../../support/scenes/marketplace.ts';
import { licenseBody, ofFile, ok, orderBody, type Row, sellerBody } from './rows.ts';

const ofOrder = ({ order }: Shop) => ({ ids: { order_id: order.id } });

const requestEmail = ({ order, userId }: Shop, { call }: Marketplace) =>
  call('POST', `/v1/orders/${order.id}/buyer-email-request`, {
    headers: { 'X-User-ID': userId },
    body: { buyer_email: 'right@example.com' },
  });

const preview = () =>
  ok({ preview_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:3000\/preview\/[\w-]{43}$/), expires_at: expect.any(String) });

/** The path of a preview that the shop's owner made, in its parts. */
async function previewOf({ product, userId }: Shop, { call }: Marketplace) {
  const { json } = await call('POST', `/v1/products/${product.id}/preview`, { headers: { 'X-User-ID': userId } });
  return { token: new URL(json.preview_url).pathname.split('/')[2] ?? '' };
}

/** Of what sellers do about their sales, and admins to find an order or see a file. */
export const deskRows: Record<string, Row> = {
  'sellers: getMe': {
    reply: ({ userId, seller }) => ok({ user_id: userId, email: `${userId}@example.com`, roles: ['seller'], seller_id: seller.id }),
    toNobodysSeller: (_, __, caller) => ok({ user_id: caller, email: `${caller}@example.com`, roles: caller === 'admin' ? ['admin'] : [] }),
  },
  'sellers: getOverview': {
    reply: (shop) =>
      ok({
        seller: sellerBody(shop, { next_steps: [] }),
        tasks: taskIds.map((id) => ({ id, state: 'done', ...(id !== 'apply' && id !== 'payments' && { target_id: shop.product.id }) })),
        // Of those that were imported, which nobody did yet.
        attention: [{ kind: 'codes_short', target_id: shop.csvProduct.id, since: shop.csvProduct.createdAt }],
      }),
    toNobodysSeller: () =>
      ok({
        tasks: taskIds.map((id) => ({ id, state: id === 'apply' ? 'todo' : 'blocked' })),
        attention: [],
      }),
  },
  'orders: getSoldOrder': {
    ask: ofOrder,
    reply: (shop) => {
      const license = { ...licenseBody(shop), activations: [{ id: shop.activationId, name: 'device 1', activated_at: shop.soldAt }] };
      return ok({ ...orderBody(shop.order, shop), license, manage_url: expect.stringMatching(/\/manage$/) });
    },
  },
  'orders: listOrderHistory': {
    ask: ofOrder,
    reply: (shop) =>
      ok({
        items: expect.arrayContaining([
          { at: shop.order.createdAt, action: 'order.created', actor: 'buyer' },
          { at: shop.soldAt, action: 'activation.created', actor: 'app' },
        ]),
      }),
  },
  'orders: searchOrders': {
    ask: ({ key }) => ({ body: { license_key: key } }),
    reply: (shop) => ok({ items: [orderBody(shop.order, shop)] }),
    toNobodysSeller: () => ok({ items: [] }),
  },
  'orders: resendSoldOrderLink': { ask: ofOrder, reply: () => ok({}, 202) },
  'orders: requestEmailCorrection': {
    ask: (shop) => ({ ...ofOrder(shop), body: { buyer_email: 'right@example.com' } }),
    reply: () => ok({}, 202),
  },
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
  'products: createProductPreview': {
    ask: ({ product }) => ({ ids: { product_id: product.id }, body: { version: 'live' } }),
    reply: preview,
  },
  'admin: createReviewPreview': {
    ask: ({ product }) => ({ ids: { product_id: product.id }, body: { version: 'live' } }),
    reply: preview,
  },
  'pages: showPreview': {
    ask: async (shop, market) => ({ ids: await previewOf(shop, market) }),
    reply: ({ product }) => ({ status: 200, text: expect.stringContaining(product.slug) }),
  },
  'pictures: getPreviewImage': {
    async ask(shop, market) {
      const [, , , file_id = '', name = ''] = (await market.addPicture(shop.product)).path.split('/');
      return { ids: { ...(await previewOf(shop, market)), file_id, name } };
    },
    reply: () => ({ status: 200, text: 'PNG' }),
  },
  'code-batches: getCodeStock': {
    ask: ({ csvProduct }) => ({ ids: { product_id: csvProduct.id } }),
    // The import was accepted, and nobody did it yet.
    reply: () => ok({ available: 0, sold: 0, waiting_orders: 0 }),
  },
  'admin: listAllOrders': {
    reply: (_, { own, other }) => ok({ items: [orderBody(other.order, other), orderBody(own.order, own)] }),
  },
  'admin: getOrder': {
    ask: ofOrder,
    reply: (shop) =>
      ok({
        ...orderBody(shop.order, shop),
        product_name: 'Sample App',
        application_fee_amount: 120,
        expires_at: shop.order.expiresAt,
        checkout_session_id: shop.order.checkoutSessionId,
        payment_facts: { paid_at: shop.soldAt, refunded_amount: 0, disputes: [] },
      }),
  },
  'admin: createCompletionToken': {
    ask: ofOrder,
    reply: ({ order }, { at }) =>
      ok({
        order_id: order.id,
        completion_token: expect.any(String),
        completion_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:3000\/complete#token=/),
        expires_at: new Date(Date.parse(at) + 15 * 60_000).toISOString(),
      }),
  },
  'admin: correctOrderEmail': {
    ask: ({ order }) => ({ ids: { order_id: order.id }, body: { buyer_email: 'corrected@example.com' } }),
    reply: ({ order }) => ok({ order_id: order.id }),
  },
  'admin: resendOrderLink': { ask: ofOrder, reply: () => ok({}, 202) },
  'admin: listEmailRequests': {
    ask: async (shop, market) => {
      await requestEmail(shop, market);
      return {};
    },
    reply: ({ order, seller }, { at }) =>
      ok({
        items: [
          { order_id: order.id, seller_id: seller.id, requested_at: at, current_masked: 'b…@example.com', wanted_masked: 'r…@example.com' },
        ],
      }),
  },
  'admin: decideEmailRequest': {
    ask: async (shop, market) => {
      await requestEmail(shop, market);
      return { ids: { order_id: shop.order.id }, body: { decision: 'reject', note: 'Not asked for.' } };
    },
    reply: ({ order }) => ok({ order_id: order.id, decision: 'reject' }),
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
  'discounts: createDiscount': {
    ask: ({ product }) => ({ ids: { product_id: product.id }, body: { code: 'Spring-20', amount_off: 300 } }),
    reply: ({ product }, { at }) =>
      ok(
        {
          id: expect.stringMatching(/^dis_[0-9A-Z]{26}$/),
          code: 'SPRING-20',
          amount_off: 300,
          currency: product.currency,
          starts_at: at,
          redeemed: 0,
          reserved: 0,
          created_at: at,
        },
        201,
      ),
  },
  'discounts: listDiscounts': {
    ask: ({ product }) => ({ ids: { product_id: product.id } }),
    reply: ({ discount }) => ok({ items: [discount] }),
  },
  'discounts: endDiscount': {
    ask: ({ product, discount }) => ({ ids: { product_id: product.id, discount_id: discount.id } }),
    reply: ({ discount }, { at }) => ok({ ...discount, ended_at: at }),
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
