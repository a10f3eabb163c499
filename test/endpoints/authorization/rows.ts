import { expect } from '@jest/globals';
import { mintCompletionToken } from '../../../shared/buyer-access/completion-token.ts';
import { newId } from '../../../shared/ids.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { getOrder, replaceOrder } from '../../../shared/orders/order-repository.ts';
import type { ProductFileRecord } from '../../../shared/product-files/product-file.ts';
import type { ProductRecord } from '../../../shared/products/product.ts';
import type { RequestOptions } from '../../support/http/http-event.ts';
import { requestCodeOf } from '../../support/samples/leases.ts';
import { csv, multipart } from '../../support/samples/multipart.ts';
import { sign } from '../../support/samples/provider-events.ts';
import { productRequest } from '../../support/scenes/catalog-harness.ts';
import { installer, type Marketplace, type Shop, sha256, webhookSecrets } from '../../support/scenes/marketplace.ts';

type Json = Record<string, unknown>;
interface Ask extends RequestOptions {
  /** Path parameters. */
  ids?: Record<string, string>;
  query?: string;
}
type Expected = { status: number; json?: unknown; text?: unknown };

export interface Row {
  /** A request about this shop. */
  ask?: (shop: Shop, market: Marketplace) => Ask | Promise<Ask>;
  /** The whole reply to whoever may call. */
  reply: (shop: Shop, market: Marketplace) => Expected;
  /** Where each user has things of their own: the reply to a user without a seller, whose name this is. */
  toNobodysSeller?: (shop: Shop, market: Marketplace, caller: string) => Expected;
}

export const id = (kind: string) => expect.stringMatching(new RegExp(`^${kind}_[0-9A-Z]{26}$`));
export const error = (status: number, code: string): Expected => ({
  status,
  json: { code, message: expect.any(String), request_id: expect.any(String) },
});
export const ok = (json: unknown, status = 200): Expected => ({ status, json });

export const sellerBody = ({ seller }: Shop, changes: Json = {}) => ({
  id: seller.id,
  owner_user_id: seller.ownerUserId,
  display_name: 'Example Shop',
  contact_email: 'owner@example.com',
  support_email: 'support@example.com',
  site_url: 'https://shop.example.com',
  internal_review_status: 'approved',
  payment_connected_account_id: seller.paymentConnectedAccountId,
  payment_onboarding_status: 'payouts_enabled',
  payment_charges_enabled: true,
  payment_payouts_enabled: true,
  revision: 1,
  created_at: seller.createdAt,
  ...changes,
});

/** Until when what waits since then is to be decided, as no setting says otherwise. */
export const dueAt = (since = '') => new Date(Date.parse(since) + 72 * 3_600_000).toISOString();

const terms = { offline_days: 14, offline_file_days: 0, updates_days: 36_500 };
const soldAs = { max_quantity: 1, addition_prices: {}, upgrades_from: [] };

const blockersOf = ({ licenseIssuanceMode }: ProductRecord, { status = 'approved' }: Json) => [
  ...(status === 'approved' ? [] : [status === 'suspended' ? 'suspended' : 'not_approved']),
  ...(licenseIssuanceMode === 'imported_csv' ? ['out_of_stock'] : []),
];

export const productBody = (product: ProductRecord, changes: Json = {}) => ({
  ...productRequest,
  id: product.id,
  seller_id: product.sellerId,
  slug: product.slug,
  name: product.slug,
  status: 'approved',
  review_status: 'approved',
  url: `http://127.0.0.1:3000/p/${changes['slug'] ?? product.slug}`,
  on_sale: blockersOf(product, changes).length === 0,
  sale_blockers: blockersOf(product, changes),
  forbidden_category_acknowledged: false,
  ...terms,
  ...soldAs,
  tax_percent: 10,
  license_issuance_mode: product.licenseIssuanceMode,
  license_key_prefix: 'LIC1',
  activation_limit: 1,
  features: [],
  deactivation_allowed: true,
  created_at: product.createdAt,
  updated_at: product.createdAt,
  revision: 1,
  ...changes,
});

const fileStates = (file: ProductFileRecord, { status = file.status }: Json) => ({
  ...(status === 'pending_review' && { review_due_at: dueAt(file.uploadedAt) }),
  product_id: file.productId,
  seller_id: file.sellerId,
  content_type: 'application/zip',
  size_bytes: installer.length,
  sha256_hex: sha256(installer),
  hash_status: file.hashStatus,
  scan_status: file.scanStatus,
  status: file.status,
  visibility: file.visibility,
  scan_trust_source: file.scanTrustSource,
  scan_trusted_clean: file.scanTrustedClean,
  created_at: file.createdAt,
  uploaded_at: file.uploadedAt,
});
const fileBody = (file: ProductFileRecord, changes: Json = {}) => ({
  id: file.id,
  purpose: 'download',
  file_name: 'setup.zip',
  storage_provider: 'objstore',
  ...fileStates(file, changes),
  ...changes,
});
export const adminFileBody = (file: ProductFileRecord, changes: Json = {}) => ({
  file_id: file.id,
  purpose: 'download',
  filename: 'setup.zip',
  ...fileStates(file, changes),
  ...changes,
});

export const orderBody = (order: Order, { license, soldAt }: Shop) => ({
  kind: 'license',
  quantity: 1,
  unit_amount: order.amount,
  id: order.id,
  status: 'paid',
  payment_status: 'succeeded',
  product_id: order.productId,
  seller_id: order.sellerId,
  amount: 1200,
  currency: 'JPY',
  created_at: soldAt,
  paid_at: soldAt,
  license_id: license.id,
  license_status: 'active',
  license_key_hint: license.keyHint,
});
export const licenseBody = ({ license, order }: Shop, changes: Json = {}) => ({
  id: license.id,
  order_id: order.id,
  product_id: license.productId,
  seller_id: license.sellerId,
  status: 'active',
  license_issuance_mode: 'generated_server_validated',
  license_key_hint: license.keyHint,
  activation_limit: 2,
  activation_count: 1,
  features: ['pro'],
  deactivation_allowed: true,
  issued_at: license.issuedAt,
  ...changes,
});
const runtimeBody = ({ license }: Shop, { at }: Marketplace, changes: Json) => ({
  valid: true,
  checked_at: at,
  license_id: license.id,
  status: 'active',
  activation_limit: 2,
  activation_count: 1,
  features: ['pro'],
  issued_at: license.issuedAt,
  ...changes,
});
const batchBody = ({ csvProduct, userId }: Shop, { at }: Marketplace, changes: Json = {}) => ({
  id: id('bat'),
  product_id: csvProduct.id,
  status: 'accepted',
  idempotency_key: `first of ${userId}`,
  total_rows: 1,
  imported_count: 0,
  duplicate_count: 0,
  rejected_count: 0,
  errors: [],
  created_at: at,
  ...changes,
});

export const ofProduct = ({ product }: Shop) => ({ ids: { product_id: product.id } });
export const ofFile = ({ product, file }: Shop) => ({ ids: { product_id: product.id, file_id: file.id } });
const ofLicense = ({ license }: Shop) => ({ ids: { license_id: license.id } });
const device = ({ product, key, device: device_fingerprint }: Shop) => ({
  body: { product_id: product.id, license_key: key, device_fingerprint },
});
const hook = (endpoint: keyof typeof webhookSecrets, at: string) => {
  const body = '{"id":"evt_1","type":"something.else"}';
  const headers = { 'Content-Type': 'application/json', 'Payment-Signature': sign(body, webhookSecrets[endpoint], Date.parse(at)) };
  return { body, headers };
};
const page = (text: string): Expected => ({ status: 200, text: expect.stringContaining(text) });
/** The token of the success URL, as if the order had been paid just now. */
async function redirectTokenOf({ id: orderId }: Order, { table, settings, at }: Marketplace): Promise<string> {
  const read = await getOrder(table, orderId);
  await table.transact([replaceOrder(read, { ...read, checkout: { paidAt: at } })]);
  const expiresAt = new Date(Date.parse(at) + 3600_000);
  return mintCompletionToken({ orderId, use: 'redirect', expiresAt }, new Date(at), settings.TOKEN_KEYS);
}
const declared = { filename: 'setup.zip', content_type: 'application/zip', size_bytes: installer.length, sha256_hex: sha256(installer) };
const moment = expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/);

/** What each endpoint is asked, and everything it answers to those who may ask, by its function and operation. */
export const rows: Record<string, Row> = {
  'admin: listProductsForReview': {
    reply: (_, { own, other }) =>
      ok({ items: [own.product, own.csvProduct, other.product, other.csvProduct].map((product) => productBody(product)) }),
  },
  'admin: reviewProduct': {
    ask: (shop) => ({ ...ofProduct(shop), body: { decision: 'suspend' } }),
    reply: ({ product }, { at }) =>
      ok(
        productBody(product, {
          status: 'suspended',
          review_status: 'suspended',
          reviewed_by: 'admin',
          reviewed_at: at,
          updated_at: at,
          revision: 2,
        }),
      ),
  },
  'admin: listSellers': { reply: (_, { own, other }) => ok({ items: [sellerBody(own), sellerBody(other)] }) },
  'admin: reviewSeller': {
    ask: ({ seller }) => ({ ids: { seller_id: seller.id }, body: { decision: 'suspend' } }),
    reply: (shop) => ok(sellerBody(shop, { internal_review_status: 'suspended', revision: 2 })),
  },
  'admin: getLicense': {
    ask: ofLicense,
    reply: (shop) => ok(licenseBody(shop, { activations: [{ id: shop.activationId, device_label: 'Desk', activated_at: shop.soldAt }] })),
  },
  'admin: revokeLicense': {
    ask: (shop) => ({ ...ofLicense(shop), body: { reason: 'stolen' } }),
    reply: (shop, { at }) =>
      ok({
        processed: true,
        license: licenseBody(shop, { status: 'revoked', revoked_at: at, revoked_by: 'admin', revoked_reason: 'stolen' }),
      }),
  },
  'admin: releaseActivation': {
    ask: ({ license, activationId }) => ({ ids: { license_id: license.id, activation_id: activationId } }),
    reply: (shop) => ok(licenseBody(shop, { activation_count: 0 })),
  },
  'admin: listProductFilesForReview': { reply: (_, { own, other }) => ok({ items: [adminFileBody(own.file), adminFileBody(other.file)] }) },
  'admin: reviewProductFile': {
    ask: (shop) => ({ ...ofFile(shop), body: { decision: 'reject', rejected_reason: 'Broken.' } }),
    reply: ({ file }, { at }) => ok(adminFileBody(file, { status: 'rejected', rejected_at: at, rejected_reason: 'Broken.' })),
  },
  'admin: listAudit': {
    ask: async ({ license }, { call, own, other }) => {
      const headers = { 'X-User-ID': 'auditor', 'X-User-Email': 'admin@example.com' };
      for (const shop of [own, other]) await call('POST', `/v1/admin/licenses/${shop.license.id}/revoke`, { headers });
      return { query: `?target_id=${license.id}` };
    },
    reply: ({ license }, { at }) =>
      ok({
        items: [
          {
            id: id('aud'),
            at,
            actor: 'auditor',
            action: 'license.revoke',
            target_id: license.id,
            before: { status: 'active' },
            after: { status: 'revoked' },
          },
        ],
      }),
  },

  'code-batches: importCodes': {
    ask: async ({ csvProduct }) => {
      const form = await multipart([
        ['idempotency_key', 'second'],
        ['file', csv('code\nAAAA-BBBB-1\nAAAA-BBBB-2\n')],
      ]);
      return { ids: { product_id: csvProduct.id }, ...form };
    },
    reply: (shop, market) => ok(batchBody(shop, market, { idempotency_key: 'second', total_rows: 2 }), 202),
  },
  'code-batches: listCodeBatches': {
    ask: ({ csvProduct }) => ({ ids: { product_id: csvProduct.id } }),
    reply: (shop, market) => ok({ items: [batchBody(shop, market, { id: shop.batch.id })] }),
  },
  'code-batches: getCodeBatch': {
    ask: ({ csvProduct, batch }) => ({ ids: { product_id: csvProduct.id, batch_id: batch.id } }),
    reply: (shop, market) => ok(batchBody(shop, market, { id: shop.batch.id })),
  },

  'docs: getOpenApi': { reply: () => ({ status: 200, text: '{"openapi":"3.1.0"}' }) },
  'docs: getDocs': { reply: () => ({ status: 200, text: '<title>Guide to http://127.0.0.1:3000</title>' }) },
  'docs: getSellerGuide': { reply: () => ({ status: 200, text: '<title>Guide for sellers</title>' }) },
  'docs: getUpdateGuide': { reply: () => ({ status: 200, text: '<title>Guide to updates</title>' }) },
  'docs: getDocsAsset': { ask: () => ({ ids: { asset: 'guide-0123456789.css' } }), reply: () => ({ status: 200, text: 'body{}' }) },
  'docs: getClientFile': { ask: () => ({ ids: { client_file: 'license-client.ts' } }), reply: () => ({ status: 200, text: 'export {};' }) },
  'health: getHealthz': { reply: () => ok({ status: 'ok' }) },
  'health: getReadyz': { reply: () => ok({ status: 'ok' }) },

  'licenses: validateLicense': {
    ask: device,
    reply: (shop, market) => ok(runtimeBody(shop, market, { code: 'valid', device_activated: true, lease: expect.any(String) })),
  },
  'licenses: activateLicense': {
    ask: ({ product, key }) => ({ body: { product_id: product.id, license_key: key, device_fingerprint: 'another device' } }),
    reply: (shop, market) =>
      ok(runtimeBody(shop, market, { code: 'activated', activation_count: 2, device_activated: true, lease: expect.any(String) })),
  },
  'licenses: deactivateLicense': {
    ask: device,
    reply: (shop, market) => ok(runtimeBody(shop, market, { code: 'deactivated', activation_count: 0, device_activated: false })),
  },

  'licenses: activateOfflineDevice': {
    ask: ({ product, key }) => ({
      body: { license_key: key, request_code: requestCodeOf({ p: product.id, d: 'a device without network' }) },
    }),
    reply: (shop, market) =>
      ok(runtimeBody(shop, market, { code: 'activated', activation_count: 2, device_activated: true, lease: expect.any(String) })),
  },
  'licenses: getLeaseKeys': { reply: () => ok({ keys: [expect.objectContaining({ kty: 'EC', alg: 'ES256' })] }) },

  'orders: listOrders': {
    reply: (shop) => ok({ items: [orderBody(shop.order, shop)] }),
    toNobodysSeller: () => ok({ items: [] }),
  },

  'pages: showProduct': { ask: ({ product }) => ({ ids: { slug: product.slug } }), reply: ({ product }) => page(product.slug) },
  'pages: showCheckout': { ask: ({ product }) => ({ ids: { slug: product.slug } }), reply: ({ product }) => page(product.slug) },
  'pages: startCheckout': {
    ask: ({ product }) => ({
      ids: { slug: product.slug },
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'revision=1&request_key=0123456789abcdef',
    }),
    reply: () => ({ status: 303, text: '' }),
  },
  'pages: showCompletion': { reply: () => page('<html') },
  'pages: showReceipt': { reply: () => page('<html') },
  'pages: showManage': { reply: () => page('<html') },
  'pages: requestLinks': {
    ask: () => ({ headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'buyer_email=someone%40example.com' }),
    reply: () => ({ status: 303, text: '' }),
  },
  'pages: showActivation': { reply: () => page('<html') },
  'pages: showCancelled': { reply: () => page('<html') },
  'pages: showOnboardingReturn': { reply: () => page('<html') },
  'pages: getAsset': { ask: () => ({ ids: { name: 'icon.000000000000.svg' } }), reply: () => page('<svg') },

  'pictures: getProductImage': {
    async ask({ product }, { addPicture }) {
      const [, , product_id = '', file_id = '', name = ''] = (await addPicture(product)).path.split('/');
      return { ids: { product_id, file_id, name } };
    },
    reply: () => ({ status: 200, text: 'PNG' }),
  },

  'payment-webhooks: receivePlatformEvent': {
    ask: (_, { at }) => hook('platform', at),
    reply: () => ok({ received: true, processed: false, ignored: true }),
  },
  'payment-webhooks: receiveConnectEvent': {
    ask: (_, { at }) => hook('connect', at),
    reply: () => ok({ received: true, processed: false }),
  },

  'product-files: createProductFileUploadIntent': {
    ask: (shop) => ({ ...ofProduct(shop), body: declared }),
    reply: ({ product }, { at }) =>
      ok(
        {
          product_file_id: id('fil'),
          upload_url: expect.stringContaining(`/files/files/${product.id}/fil_`),
          method: 'PUT',
          expires_at: new Date(Date.parse(at) + 15 * 60_000).toISOString(),
          max_size_bytes: 5 * 1024 ** 3,
          storage_provider: 'objstore',
          required_headers: expect.objectContaining({ 'content-type': 'application/zip', 'if-none-match': '*' }),
        },
        201,
      ),
  },
  'product-files: finalizeProductFile': {
    ask: async ({ product, userId }, { call }) => {
      const intent = await call('POST', `/v1/products/${product.id}/files/upload-intent`, {
        headers: { 'X-User-ID': userId },
        body: declared,
      });
      const { 'content-length': _, ...headers } = intent.json.required_headers;
      const put = await fetch(intent.json.upload_url, { method: 'PUT', headers, body: new Uint8Array(installer) });
      if (!put.ok) throw new Error(`PUT: ${put.status}`);
      const { size_bytes, sha256_hex } = declared;
      return { ids: { product_id: product.id, file_id: intent.json.product_file_id }, body: { size_bytes, sha256_hex } };
    },
    reply: ({ file }, { at }) => ok(fileBody(file, { id: id('fil'), created_at: at, uploaded_at: moment, review_due_at: moment })),
  },
  'product-files: withdrawProductFile': { ask: ofFile, reply: ({ file }) => ok(fileBody(file, { status: 'disabled' })) },
  'product-files: listProductFiles': {
    ask: ofProduct,
    reply: ({ file, downloadable }) => ok({ items: [fileBody(downloadable), fileBody(file)] }),
  },

  'products: createProduct': {
    ask: () => ({ body: productRequest }),
    reply: ({ product, seller }, { at }) =>
      ok(
        productBody(product, {
          ...productRequest,
          id: id('prd'),
          seller_id: seller.id,
          slug: 'photo-studio',
          status: 'draft',
          review_status: 'draft',
          created_at: at,
          updated_at: at,
        }),
        201,
      ),
    toNobodysSeller: () => error(400, 'seller_required'),
  },
  'products: listProducts': {
    reply: ({ product, csvProduct }) => ok({ items: [productBody(csvProduct), productBody(product)] }),
    toNobodysSeller: () => ok({ items: [] }),
  },
  'products: getProduct': { ask: ofProduct, reply: ({ product }) => ok(productBody(product)) },
  'products: updateProduct': {
    ask: (shop) => ({ ...ofProduct(shop), body: { ...productRequest, name: shop.product.name, price_amount: 100 } }),
    reply: ({ product }, { at }) =>
      ok(
        productBody(product, { pending: { status: 'draft', changes: { price_amount: 100 }, updated_at: at }, updated_at: at, revision: 2 }),
      ),
  },
  'products: publishProduct': {
    ask: (shop) => ({ ...ofProduct(shop), body: { publish: false } }),
    reply: ({ product }, { at }) => ok(productBody(product, { status: 'draft', review_status: 'draft', updated_at: at, revision: 2 })),
  },
  'products: submitProduct': {
    ask: async (shop, { call }) => {
      const headers = { 'X-User-ID': shop.userId };
      await call('POST', `/v1/products/${shop.product.id}/publish`, { headers, body: { publish: false } });
      return ofProduct(shop);
    },
    reply: ({ product }, { at }) =>
      ok(
        productBody(product, {
          status: 'pending_review',
          review_status: 'pending_review',
          submitted_at: at,
          review_due_at: dueAt(at),
          updated_at: at,
          revision: 3,
        }),
      ),
  },

  'purchases: completePurchase': {
    ask: ({ token }) => ({ body: { token } }),
    reply: ({ order, product, license, key, downloadable, tokenEnds, soldAt }) =>
      ok({
        order: {
          id: order.id,
          status: 'paid',
          kind: 'license',
          quantity: 1,
          unit_amount: 1200,
          amount: 1200,
          currency: 'JPY',
          payment_status: 'succeeded',
          amount_refunded: 0,
          paid_at: soldAt,
          paid_on: soldAt.slice(0, 10),
          time_zone: 'Asia/Tokyo',
        },
        product: {
          id: product.id,
          seller_id: product.sellerId,
          slug: 'sample-app',
          name: 'Sample App',
          seller_display_name: 'Sample Shop',
          support_email: 'support@shop.example',
          refund_policy: 'Within 14 days.',
          software_operating_environment: 'Any',
        },
        license: {
          id: license.id,
          status: 'active',
          license_key: key,
          activation_limit: 2,
          activation_count: 1,
          issued_at: license.issuedAt,
        },
        files: [
          {
            file_id: downloadable.id,
            file_name: 'setup.zip',
            content_type: 'application/zip',
            size_bytes: installer.length,
            sha256_hex: sha256(installer),
          },
        ],
        expires_at: tokenEnds,
      }),
  },
  'purchases: createFileDownloadIntent': {
    ask: ({ downloadable, token }) => ({ ids: { file_id: downloadable.id }, body: { token } }),
    reply: ({ downloadable, product }, { at }) =>
      ok({
        download_url: expect.stringContaining(`/files/files/${product.id}/${downloadable.id}?`),
        expires_at: new Date(Date.parse(at) + 5 * 60_000).toISOString(),
      }),
  },
  'purchases: correctBuyerEmail': {
    ask: async ({ order }, market) => ({ body: { token: await redirectTokenOf(order, market), buyer_email: 'corrected@example.com' } }),
    reply: () => ok({}, 202),
  },
  'purchases: listBuyerDevices': {
    ask: ({ token }) => ({ body: { token } }),
    reply: ({ license, activationId, soldAt }) =>
      ok({
        license_id: license.id,
        activation_limit: 2,
        activation_count: 1,
        devices: [{ activation_id: activationId, device_label: 'Desk', activated_at: soldAt }],
        moves_left: 5,
      }),
  },
  'purchases: releaseBuyerDevice': {
    ask: ({ token, activationId }) => ({ ids: { activation_id: activationId }, body: { token } }),
    reply: ({ activationId }) => ok({ activation_id: activationId, activation_count: 0, moves_left: 4 }),
  },
  'purchases: replaceLicenseKey': {
    ask: ({ token }) => ({ body: { token } }),
    reply: (shop, market) => {
      const { license, ...page } = rows['purchases: completePurchase']!.reply(shop, market).json as { license: Json };
      return ok({ ...page, license: { ...license, license_key: expect.stringMatching(/^SHOP7(-[0-9A-Z]{5}){5}$/), activation_count: 0 } });
    },
  },
  'purchases: resendLink': { ask: () => ({ body: { buyer_email: 'someone@example.com' } }), reply: () => ok({}, 202) },

  'storefront: getPublicProduct': {
    ask: ({ product }) => ({ ids: { slug: product.slug } }),
    reply: ({ product }) => {
      const { id: product_id, slug } = product;
      const shown = { ...productRequest, id: product_id, slug, name: slug, seller_display_name: 'Example Shop' };
      return ok({ ...shown, license_issuance_mode: 'generated_server_validated', activation_limit: 1, features: [], ...terms, ...soldAs });
    },
  },
  'storefront: createCheckout': {
    ask: ({ product }) => ({ ids: { slug: product.slug } }),
    reply: (_, { at }) =>
      ok(
        {
          order_id: id('ord'),
          checkout_url: expect.stringContaining('/c/pay/cs_test_'),
          expires_at: new Date(Date.parse(at) + 30 * 60_000 + 20_000).toISOString(),
          quantity: 1,
          unit_amount: 4800,
          amount: 4800,
          currency: 'JPY',
        },
        201,
      ),
  },
  'storefront: quotePrice': {
    ask: ({ product }) => ({ ids: { slug: product.slug } }),
    reply: () => ok({ currency: 'JPY', unit_amount: 4800, quantity: 1, discount_amount: 0, total: 4800 }),
  },
};

/** Ids under which there is nothing. */
export const unknownIds: Record<string, () => string> = {
  seller_id: () => newId('seller'),
  product_id: () => newId('product'),
  file_id: () => newId('file'),
  order_id: () => newId('order'),
  license_id: () => newId('license'),
  activation_id: () => newId('activation'),
  batch_id: () => newId('batch'),
  endpoint_id: () => newId('endpoint'),
  release_id: () => newId('release'),
  token_id: () => newId('token'),
  slug: () => 'no-such-product',
};
