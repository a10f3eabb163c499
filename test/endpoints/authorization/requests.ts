import { mintCompletionToken } from '../../../shared/buyer-access/completion-token.ts';
import { leaseJob, markJobDead } from '../../../shared/jobs/job-lease-repository.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { mintUpdateTicket } from '../../../shared/leases/update-ticket.ts';
import { getOrder, replaceOrder } from '../../../shared/orders/order-repository.ts';
import { getFile, replaceFile } from '../../../shared/product-files/product-file-repository.ts';
import type { ProductRecord } from '../../../shared/products/product.ts';
import { getProduct, replaceProduct } from '../../../shared/products/product-repository.ts';
import type { RequestOptions } from '../../support/http/http-event.ts';
import { requestCodeOf } from '../../support/samples/leases.ts';
import { csv, multipart } from '../../support/samples/multipart.ts';
import { sign } from '../../support/samples/provider-events.ts';
import { productRequest } from '../../support/scenes/catalog-harness.ts';
import { installer, type Marketplace, type Shop, sha256, webhookSecrets } from '../../support/scenes/marketplace.ts';
import { bringRelease, type Stage, sentOf } from '../../support/scenes/releases/market-releases.ts';

export interface Ask extends RequestOptions {
  /** Path parameters that are not the shop's own. */
  ids?: Record<string, string>;
  query?: string;
  /** What it is answered, where that is not its success. */
  status?: number;
}
type AskOf = (shop: Shop, market: Marketplace) => Ask | Promise<Ask>;

/** What the paths of the interface name of a shop. */
export const idsOf = (shop: Shop): Record<string, string> => ({
  seller_id: shop.seller.id,
  product_id: shop.product.id,
  slug: shop.product.slug,
  file_id: shop.file.id,
  order_id: shop.order.id,
  license_id: shop.license.id,
  activation_id: shop.activationId,
  batch_id: shop.batch.id,
  endpoint_id: shop.endpoint.id,
  token_id: shop.apiToken.id,
  discount_id: shop.discount.id,
});

const asUser = ({ userId }: Shop) => ({ 'X-User-ID': userId });
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const declared = {
  purpose: 'release',
  filename: 'setup.zip',
  content_type: 'application/zip',
  size_bytes: installer.length,
  sha256_hex: sha256(installer),
};
const device = (device_fingerprint?: string): AskOf => {
  return (shop) => ({
    body: { product_id: shop.product.id, license_key: shop.key, device_fingerprint: device_fingerprint ?? shop.device },
  });
};
const withToken: AskOf = ({ token }) => ({ body: { token } });
const nothing: AskOf = () => ({ body: {} });
const live: AskOf = () => ({ body: { version: 'live' } });
const ofCodes: AskOf = ({ csvProduct }) => ({ ids: { product_id: csvProduct.id } });
const mayBe = (status: number): AskOf => {
  return () => ({ status });
};

/** The product with these terms, as if they had been reviewed. */
async function sell({ id }: ProductRecord, terms: Partial<ProductRecord>, { table }: Marketplace): Promise<void> {
  const product = await getProduct(table, id);
  await table.transact(replaceProduct(product, { ...product, ...terms, revision: product.revision + 1 }));
}

/** The token of the success URL, as if the order had been paid just now. */
async function redirectTokenOf({ order: { id: orderId } }: Shop, { table, settings, at }: Marketplace): Promise<string> {
  const read = await getOrder(table, orderId);
  await table.transact([replaceOrder(read, { ...read, checkout: { paidAt: at } })]);
  const expiresAt = new Date(Date.parse(at) + 3600_000);
  return mintCompletionToken({ orderId, use: 'redirect', expiresAt }, new Date(at), settings.TOKEN_KEYS);
}

/** A job of the shop that is dead. */
async function giveUp({ file }: Shop, { table, at }: Marketplace): Promise<string> {
  const c = { table, now: () => new Date(at) };
  const task = { kind: 'hash-file', productId: file.productId, fileId: file.id } as const;
  await table.write(addJob(c, task));
  const leased = await leaseJob(c, jobId(task), 60);
  if (leased) await markJobDead(c, leased, 'object_unreadable');
  return jobId(task);
}

const requestEmail = (shop: Shop, { call }: Marketplace) =>
  call('POST', `/v1/orders/${shop.order.id}/buyer-email-request`, { headers: asUser(shop), body: { buyer_email: 'right@example.com' } });

/** A file whose upload can begin. */
async function declareFile(shop: Shop, { call }: Marketplace, fields: object = {}) {
  const path = `/v1/products/${shop.product.id}/files/upload-intent`;
  const { json } = await call('POST', path, { headers: asUser(shop), body: { ...declared, ...fields } });
  return { intent: json, ids: { file_id: json.product_file_id as string } };
}

const inParts = new WeakMap<Shop, ReturnType<typeof declareFile>>();
/** The shop's one file that is uploaded in parts. */
async function fileInParts(shop: Shop, market: Marketplace) {
  const file = inParts.get(shop) ?? declareFile(shop, market, { part_size_bytes: 8_388_608 });
  inParts.set(shop, file);
  return { ids: (await file).ids };
}

/** Each shop has one release of each stage, once it is asked for. */
const versions = { draft: '1.0.0', pending_review: '1.1.0', approved: '1.2.0', published: '1.3.0' } as const satisfies Record<
  Stage,
  string
>;
const released = (stage: Stage, ask: (shop: Shop) => Ask = () => ({})): AskOf => {
  return async (shop, market) => ({ ids: { release_id: await bringRelease(market, shop, stage, versions[stage]) }, ...ask(shop) });
};

const hook = (endpoint: keyof typeof webhookSecrets): AskOf => {
  return (_, { at }) => {
    const body = '{"id":"evt_1","type":"something.else"}';
    return {
      body,
      headers: { 'Content-Type': 'application/json', 'Payment-Signature': sign(body, webhookSecrets[endpoint], Date.parse(at)) },
    };
  };
};

/** The path of a preview that the shop's owner made. */
async function previewOf(shop: Shop, { call }: Marketplace) {
  const { json } = await call('POST', `/v1/products/${shop.product.id}/preview`, { headers: asUser(shop) });
  return { token: new URL(json.preview_url).pathname.split('/')[2] ?? '' };
}

/** The path of a feed, proven by a ticket of the license that the shop sold. */
const feed = (ids: Record<string, string>, status = 200): AskOf => {
  return ({ license, device }, { settings, at }) => ({
    ids: { proof: mintUpdateTicket(settings.TOKEN_KEYS, license, device, new Date(at)).ticket, ...ids },
    status,
  });
};
const place = { channel: 'stable', platform: 'windows', arch: 'x64' };

/**
 * What an endpoint is asked, by its operation, where that is more than the ids of a shop in its path and the example of
 * its description.
 */
export const requests: Readonly<Record<string, AskOf>> = {
  createAddition: async (shop, market) => {
    await sell(shop.product, { additionPrices: { seat: 700 } }, market);
    return { body: { token: shop.token, kind: 'seats', quantity: 3 } };
  },
  createUpgrade: async ({ product, csvProduct, token }, market) => {
    const upgradesFrom = [{ productId: product.id, priceAmount: 900 }];
    await sell(csvProduct, { upgradesFrom, licenseIssuanceMode: 'generated_server_validated' }, market);
    return { body: { token, product_id: csvProduct.id } };
  },

  createReviewPreview: live,
  reviewProduct: () => ({ body: { decision: 'suspend' } }),
  reviewSeller: () => ({ body: { decision: 'suspend' } }),
  reviewProductFile: () => ({ body: { decision: 'reject', rejected_reason: 'Broken.' } }),
  rescanProductFile: async ({ downloadable }, { table }) => {
    const file = await getFile(table, downloadable.productId, downloadable.id);
    await table.transact(await replaceFile(table, file, { ...file, scanStatus: 'error' }));
    return { ids: { file_id: file.id } };
  },
  reviewRelease: released('pending_review', () => ({ body: { decision: 'reject', rejection_reason: 'No' } })),
  listReleasesForReview: released('pending_review'),
  searchAllOrders: ({ key }) => ({ body: { license_key: key } }),
  listEmailRequests: async (shop, market) => {
    await requestEmail(shop, market);
    return {};
  },
  decideEmailRequest: async (shop, market) => {
    await requestEmail(shop, market);
    return { body: { decision: 'reject', note: 'Not asked for.' } };
  },
  listJobs: async (shop, market) => {
    await giveUp(shop, market);
    return {};
  },
  redriveJob: async (shop, market) => ({ body: { job_id: await giveUp(shop, market) } }),
  // That it was made is audited.
  listAudit: ({ apiToken }) => ({ query: `?target_id=${apiToken.id}` }),

  createApiToken: ({ product }) => ({ body: { name: 'CI', scopes: ['releases:write'], product_ids: [product.id], expires_in_days: 366 } }),
  importCodes: async ({ csvProduct }) => {
    const parts = await multipart([
      ['idempotency_key', 'second'],
      ['file', csv('code\nAAAA-BBBB-1\nAAAA-BBBB-2\n')],
    ]);
    return { ids: { product_id: csvProduct.id }, ...parts };
  },
  listCodeBatches: ofCodes,
  getCodeBatch: ofCodes,
  getCodeStock: ofCodes,
  endTestKey: ({ testKey }) => ({ ids: { license_id: testKey.license_id } }),

  showScreen: () => ({ ids: { path: 'admin' } }),
  // Nobody says where one signs in.
  getConsoleConfig: mayBe(503),
  getConsoleAsset: () => ({ ids: { name: 'icon.000000000000.svg' } }),
  getDocsAsset: () => ({ ids: { asset: 'guide-0123456789.css' } }),
  getClientFile: () => ({ ids: { client_file: 'license-client.ts' } }),

  validateLicense: device(),
  activateLicense: device('another device'),
  deactivateLicense: device(),
  activateOfflineDevice: ({ product, key }) => ({
    body: { license_key: key, request_code: requestCodeOf({ p: product.id, d: 'a device without network' }) },
  }),

  searchOrders: ({ key }) => ({ body: { license_key: key } }),
  reinstateLicense: async (shop, { call }) => {
    await call('POST', `/v1/orders/${shop.order.id}/license/suspend`, { headers: asUser(shop) });
    return {};
  },

  changeLicense: () => ({ body: { activation_limit: 5 } }),

  startCheckout: () => ({ headers: form, body: 'revision=1&request_key=0123456789abcdef' }),
  requestLinks: () => ({ headers: form, body: 'buyer_email=someone%40example.com' }),
  showPreview: async (shop, market) => ({ ids: await previewOf(shop, market) }),
  showReleases: released('published'),
  getAsset: () => ({ ids: { name: 'icon.000000000000.svg' } }),
  getProductImage: async ({ product }, { addPicture }) => {
    const [, , , file_id = '', name = ''] = (await addPicture(product)).path.split('/');
    return { ids: { file_id, name } };
  },
  getPreviewImage: async (shop, market) => {
    const [, , , file_id = '', name = ''] = (await market.addPicture(shop.product)).path.split('/');
    return { ids: { ...(await previewOf(shop, market)), file_id, name } };
  },

  receivePlatformEvent: hook('platform'),
  receiveConnectEvent: hook('connect'),

  createProductFileUploadIntent: () => ({ body: declared }),
  signProductFileParts: async (shop, market) => ({
    ...(await fileInParts(shop, market)),
    body: { parts: [{ part_number: 1, sha256_hex: 'a'.repeat(64) }] },
  }),
  listProductFileParts: fileInParts,
  finalizeProductFile: async (shop, market) => {
    const { intent, ids } = await declareFile(shop, market);
    const { 'content-length': _, ...headers } = intent.required_headers;
    await fetch(intent.upload_url, { method: 'PUT', headers, body: new Uint8Array(installer) });
    return { ids, body: { size_bytes: declared.size_bytes, sha256_hex: declared.sha256_hex } };
  },

  createProduct: () => ({ body: productRequest }),
  updateProduct: ({ product }) => ({ body: { ...productRequest, name: product.name, price_amount: 100 } }),
  createProductPreview: live,
  publishProduct: () => ({ body: { publish: false } }),
  submitProduct: async (shop, { call }) => {
    await call('POST', `/v1/products/${shop.product.id}/publish`, { headers: asUser(shop), body: { publish: false } });
    return { body: {} };
  },

  completePurchase: withToken,
  createFileDownloadIntent: ({ downloadable, token }) => ({ ids: { file_id: downloadable.id }, body: { token } }),
  correctBuyerEmail: async (shop, market) => ({
    body: { token: await redirectTokenOf(shop, market), buyer_email: 'corrected@example.com' },
  }),
  listBuyerDevices: withToken,
  releaseBuyerDevice: withToken,
  replaceLicenseKey: withToken,
  listPurchasedReleases: released('published', ({ token }) => ({ body: { token } })),

  saveRelease: () => ({ body: sentOf(versions.draft) }),
  listReleases: released('draft'),
  getRelease: released('draft'),
  addArtifacts: async (shop, market) => {
    const file = await market.addFile(shop.product, { purpose: 'release' });
    const artifacts = [{ file_id: file.id, platform: 'any', arch: 'any', kind: 'full' }];
    return { ids: { release_id: await bringRelease(market, shop, 'draft', versions.draft) }, body: { artifacts } };
  },
  submitRelease: released('draft', () => ({ body: {} })),
  withdrawRelease: released('pending_review', () => ({ body: {} })),
  publishRelease: released('approved'),
  yankRelease: released('published', () => ({ body: { reason: 'Broken' } })),
  // Another draft than the one that is handed in.
  deleteRelease: async (shop, market) => ({ ids: { release_id: await bringRelease(market, shop, 'draft', '1.4.0') } }),

  // Who sells does not apply again.
  createSeller: mayBe(403),
  quotePrice: nothing,
  createCheckout: nothing,
  listPublicReleases: released('published'),

  checkUpdate: feed(place),
  getAppcast: feed(place),
  getTauriUpdate: feed({ channel: 'stable', target: 'windows', arch: 'x86_64', current_version: '1.0.0' }, 204),
  getElectronFeed: feed({ file_name: 'latest.yml' }),
  getVelopackFile: feed({ ...place, file_name: 'releases.win.json' }),
  getUpdateFile: async (shop, market) => {
    await bringRelease(market, shop, 'published', versions.published);
    return feed({ version: versions.published, target: 'any-any', file_name: shop.file.fileName }, 302)(shop, market);
  },

  createWebhookEndpoint: () => ({ body: { url: 'https://hooks.example.com/', event_types: ['order.paid'] } }),
  updateWebhookEndpoint: () => ({ body: { enabled: false } }),
  replayEvents: ({ soldAt }) => ({ body: { since: soldAt } }),
};
