import { createHash, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { mintCompletionToken } from '../../../shared/buyer-access/completion-token.ts';
import { buyerEmailHashes } from '../../../shared/buyer-email/buyer-email.ts';
import { type SettingName, type Settings, settingNames } from '../../../shared/config.ts';
import { sealText } from '../../../shared/crypto/sealed-text.ts';
import * as functionParts from '../../../shared/function-parts.ts';
import { type EndpointId, newId, type SellerId } from '../../../shared/ids.ts';
import type { JobKind } from '../../../shared/jobs/job.ts';
import { activationIdOf } from '../../../shared/licenses/license.ts';
import { deviceHashOf } from '../../../shared/licenses/license-lookup.ts';
import { takeSeat } from '../../../shared/licenses/license-repository.ts';
import { createOrder, removeOrderExpiry } from '../../../shared/orders/order-repository.ts';
import { createStripeClient } from '../../../shared/payments/provider/stripe-client.ts';
import { picturePathOf } from '../../../shared/pictures/picture.ts';
import { getLiveFiles } from '../../../shared/product-files/live-file-repository.ts';
import { createPartStore } from '../../../shared/product-files/parts/part-store.ts';
import { type ProductFileRecord, storageKeyOf } from '../../../shared/product-files/product-file.ts';
import { createFile } from '../../../shared/product-files/product-file-repository.ts';
import { createObjectStore } from '../../../shared/product-files/storage/object-store.ts';
import type { ProductRecord } from '../../../shared/products/product.ts';
import { addProduct } from '../../../shared/products/product-repository.ts';
import { createJobSender } from '../../../shared/queue/job-sender.ts';
import { queueOfJob } from '../../../shared/queue/messages.ts';
import type { SellerEvent } from '../../../shared/seller-events/seller-event.ts';
import { addSeller, countProduct, linkAccount } from '../../../shared/sellers/seller-repository.ts';
import { generateLicenseKey, normalizeLicenseKey } from '../../../shared/text/license-key.ts';
import { addDelivery } from '../../../shared/webhook-endpoints/deliveries/delivery-repository.ts';
import { startTestObjectStore, testBucket } from '../engines/test-object-store.ts';
import { createTestTable } from '../engines/test-table.ts';
import type { RequestOptions } from '../http/http-event.ts';
import { allFunctions, callService, type ServiceFunction } from '../http/service.ts';
import { consoleAssets, pageAssets } from '../page-assets.ts';
import { issueTestLicense } from '../samples/licenses.ts';
import { csv, multipart } from '../samples/multipart.ts';
import { sampleFile } from '../samples/sample-file.ts';
import { sampleProduct } from '../samples/sample-product.ts';
import { sampleSeller, sellingSeller } from '../samples/sample-seller.ts';
import { sampleSettings } from '../samples/sample-settings.ts';
import { createTestQueue, sampleOrder, silentLogger } from './projection-harness.ts';
import { startQuietProvider } from './quiet-provider.ts';

const makers = new Map<string, (start: any) => object>(Object.entries(functionParts));
export const rateLimits = settingNames.filter((name) => name.startsWith('RATE_LIMIT_'));
/** Every rate limit, turned off. */
export const withoutLimits = Object.fromEntries(rateLimits.map((name) => [name, '0']));

export const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');
export const installer = Buffer.from('an installer');
export const webhookSecrets = { platform: 'whsec_test_platform', connect: 'whsec_test_connect' };

/** The documentation, as small as it can be. */
export const site = new Map(
  Object.entries({
    'openapi.json': '{"openapi":"3.1.0"}',
    'index.en.html': '<title>Guide to https://api.example.com</title>',
    'sellers.en.html': '<title>Guide for sellers</title>',
    'updates.en.html': '<title>Guide to updates</title>',
    'guide-0123456789.css': 'body{}',
    'clients/license-client.ts': 'export {};',
  }).map(([name, text]) => [name, { contentType: contentTypeOf(name), gzipped: gzipSync(text) }]),
);

function contentTypeOf(name: string): string {
  if (name.endsWith('.json')) return 'application/json';
  if (name.endsWith('.ts')) return 'text/plain; charset=utf-8';
  return name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/html; charset=utf-8';
}

/** The states of a file that is shown and given out. */
const approved = {
  status: 'approved',
  visibility: 'buyer_visible',
  hashStatus: 'verified',
  scanStatus: 'clean',
  scanTrustedClean: true,
  scanTrustSource: 'scanner',
} as const;

/** The engines that every marketplace uses. */
export async function startMarket() {
  const [objectStore, provider] = await Promise.all([startTestObjectStore(), startQuietProvider()]);
  /** Of the first two sellers of each marketplace, and one that all others share. */
  const [own, other, shared] = [await provider.openAccount(), await provider.openAccount(), await provider.openAccount()];
  const accounts = new Map(Object.entries({ alice: own, bob: other }));
  return { objectStore, provider, accounts, shared, stop: () => Promise.all([objectStore.stop(), provider.stop()]) };
}
export type Market = Awaited<ReturnType<typeof startMarket>>;

/** Every HTTP function over a table of its own, on which two sellers have one of everything. The clock stands still, unless it is set. */
export async function openMarketplace(
  { objectStore, accounts, shared, provider: { endpoint } }: Market,
  environment: Partial<Record<SettingName, string>> = {},
) {
  const place = await createTestTable();
  const { table } = place;
  const at = new Date();
  let passed = 0;
  const now = () => new Date(at.getTime() + passed);
  const settings = sampleSettings(settingNames, {
    PAYMENT_API_BASE: endpoint,
    PAYMENT_WEBHOOK_SECRET: webhookSecrets.platform,
    PAYMENT_CONNECT_WEBHOOK_SECRET: webhookSecrets.connect,
    BUCKET_NAME: testBucket,
    ...withoutLimits,
    ...environment,
  });
  const reads = new Map(allFunctions.map(({ name }) => [name, new Set<SettingName>()]));
  /** What a function finds of the settings: those that it declares. What it reads is noted. */
  function settingsOf({ name, settingNames }: ServiceFunction): Partial<Settings> {
    const own = Object.fromEntries(settingNames.map((setting) => [setting, settings[setting]]));
    return new Proxy(own, {
      get(target, setting) {
        reads.get(name)?.add(setting as SettingName);
        return Reflect.get(target, setting);
      },
    });
  }
  const queue = createTestQueue();
  const misdirected: string[] = [];
  /** Sends jobs to the queue that the function's settings name for them, and fails where that is another. */
  const senderOf = (queues: Partial<Settings>) =>
    createJobSender({
      queues,
      logger: silentLogger,
      sendMessage: async ({ QueueUrl, MessageBody }) => {
        const { jobId } = JSON.parse(MessageBody) as { jobId: string };
        const setting = queueOfJob[jobId.split(':')[0] as JobKind];
        if (QueueUrl === settings[setting]) queue.sent.push(jobId);
        else misdirected.push(jobId);
      },
    });
  const store = createObjectStore({ bucketName: testBucket, client: objectStore.client, now });
  const outside = {
    logger: silentLogger,
    table,
    now,
    store,
    downloadSigner: store,
    partStore: createPartStore({ bucketName: testBucket, client: objectStore.client, now }),
    provider: createStripeClient({ secretKey: settings.PAYMENT_SECRET_KEY, apiBase: endpoint }),
    site,
    assets: pageAssets,
    consoleAssets,
    createTableProbe: () => async () => undefined,
    createQueueProbe: () => async () => undefined,
    createBucketProbe: () => async () => undefined,
    createSecretsProbe: () => async () => undefined,
  };
  /** Starts a function with its own settings, the parts that it declares, and those of the marketplace in their place. */
  function start(declared: ServiceFunction, changes: object = {}) {
    const own = { settings: settingsOf(declared), logger: silentLogger };
    const made = declared.parts.map((part) => makers.get(part)?.(own));
    return declared.compose(Object.assign({}, ...made, outside, own, { sender: senderOf(own.settings) }, changes));
  }
  const call = callService(start);

  let minutes = 0;
  /** Everything is made a minute after what was made before it. */
  const next = () => {
    minutes += 1;
    return new Date(Date.parse('2026-01-31T09:00:00.000Z') + minutes * 60_000);
  };

  async function offer(sellerId: SellerId, fields: Partial<ProductRecord>): Promise<ProductRecord> {
    const made = next();
    const createdAt = made.toISOString();
    const product = sampleProduct({ id: newId('product', made), sellerId, status: 'approved', createdAt, updatedAt: createdAt, ...fields });
    await table.transact([countProduct(sellerId, { most: 100, mostUnapproved: 10 }), ...addProduct(product)]);
    return product;
  }

  async function addFile({ id: productId, sellerId }: ProductRecord, change: Partial<ProductFileRecord> = {}): Promise<ProductFileRecord> {
    const made = next();
    const id = newId('file', made);
    const at = made.toISOString();
    const file = sampleFile({
      id,
      productId,
      sellerId,
      fileName: 'setup.zip',
      sizeBytes: installer.length,
      sha256Hex: sha256(installer),
      status: 'pending_review',
      storageBucket: testBucket,
      storageKey: storageKeyOf({ productId, fileId: id }),
      versionId: 'v1',
      createdAt: at,
      uploadExpiresAt: new Date(made.getTime() + 900_000).toISOString(),
      uploadedAt: at,
      ...change,
    });
    await table.transact(createFile(file, file.purpose === 'release' ? undefined : await getLiveFiles(table, productId), made));
    return file;
  }

  /** An approved picture of the product; the store holds three bytes of it. */
  async function addPicture(product: ProductRecord): Promise<{ file: ProductFileRecord; path: string }> {
    const bytes = Buffer.from('PNG');
    const storageKey = `pictures/${product.id}/sample`;
    const versionId = await store.putObject(storageKey, { bytes, contentType: 'image/png' });
    const described = { contentType: 'image/png', width: 1, height: 1, sizeBytes: 3, sha256Hex: sha256(bytes) } as const;
    const picture = { ...described, storageKey, versionId };
    const file = await addFile(product, { ...approved, purpose: 'image', fileName: 'screen.png', picture });
    return { file, path: picturePathOf({ productId: product.id, fileId: file.id }, picture) };
  }

  /** A seller with a product and its files, a sale of it with a license on one device, a product for codes with an import, and a webhook endpoint. */
  async function openShop(userId: string) {
    const made = next();
    const account = accounts.get(userId);
    const seller = sampleSeller({
      ...sellingSeller,
      id: newId('seller', made),
      ownerUserId: userId,
      paymentConnectedAccountId: account ?? shared,
      createdAt: made.toISOString(),
      updatedAt: made.toISOString(),
    });
    await table.transact([...addSeller(seller), ...(account ? [linkAccount(seller.id, account)] : [])]);
    const product = await offer(seller.id, {});
    const csvProduct = await offer(seller.id, { licenseIssuanceMode: 'imported_csv' });
    const file = await addFile(product);
    const downloadable = await addFile(product, approved);
    const sold = next();
    const key = generateLicenseKey('LIC1', randomBytes);
    const terms = { productId: product.id, sellerId: seller.id, orderId: newId('order', sold) };
    const id = newId('license', sold);
    const sealedKey = sealText(key, id, settings.ENCRYPTION_KEYS);
    const { license } = await issueTestLicense(table, {
      ...terms,
      id,
      key,
      sealedKey,
      peppers: settings.LICENSE_PEPPERS,
      offlineFileDays: 30,
    });
    const device = `device of ${userId}`;
    const deviceHash = deviceHashOf(device, normalizeLicenseKey(key));
    await table.transact(takeSeat(license, { deviceHash, deviceLabel: 'Desk', device: undefined, now: sold }));
    const buyerEmail = `buyer-of-${userId}@example.com`;
    const order = sampleOrder({
      id: terms.orderId,
      sellerId: seller.id,
      productId: product.id,
      status: 'paid',
      paymentStatus: 'succeeded',
      checkout: { paidAt: sold.toISOString() },
      licenseId: license.id,
      sealedBuyerEmail: sealText(buyerEmail, terms.orderId, settings.ENCRYPTION_KEYS),
      createdAt: sold.toISOString(),
      ttl: undefined,
    });
    const [emailHash] = buyerEmailHashes(buyerEmail, settings.ENCRYPTION_KEYS);
    await table.transact(createOrder(order));
    await table.transact(removeOrderExpiry(order, emailHash));
    const expiresAt = new Date(at.getTime() + 3600_000);
    const token = await mintCompletionToken({ orderId: order.id, use: 'mail', expiresAt }, at, settings.TOKEN_KEYS);
    const form = await multipart([
      ['idempotency_key', `first of ${userId}`],
      ['file', csv(`code\n${userId.toUpperCase()}-CODE-0001\n`)],
    ]);
    const ask = async (path: string, { headers, body }: RequestOptions = {}) =>
      (await call('POST', `/v1/${path}`, { headers: { ...headers, 'X-User-ID': userId }, body })).json;
    const batch = await ask(`products/${csvProduct.id}/code-batches`, form);
    const hook = await ask('webhook-endpoints', { body: { url: `https://hooks.example.com/${userId}` } });
    const testKey = await ask(`products/${product.id}/test-keys`);
    const percents = { code: 'of-friends', percent_off: 15, max_redemptions: 40 };
    const discount = await ask(`products/${product.id}/discounts`, { body: percents });
    const scopes = { name: `Build of ${userId}`, scopes: ['releases:read'], expires_in_days: 1 };
    const apiToken = await ask('api-tokens', { body: scopes });
    const endpoint = { id: hook.id as EndpointId };
    const event: SellerEvent = { id: newId('event', sold), sellerId: seller.id, type: 'order.paid', at: at.toISOString(), data: {} };
    await table.transact(addDelivery(endpoint.id, event, at));
    return {
      userId,
      seller,
      product,
      csvProduct,
      file,
      downloadable,
      license,
      key,
      device,
      activationId: activationIdOf({ deviceHash }),
      order,
      buyerEmail,
      token,
      soldAt: sold.toISOString(),
      batch: batch as { id: string },
      testKey: testKey as { license_id: string },
      discount: discount as { id: string },
      apiToken: apiToken as { id: string },
      endpoint,
    };
  }

  const own = await openShop('alice');
  const other = await openShop('bob');
  return {
    ...place,
    openShop,
    start,
    /** The settings that each function has read. */
    reads,
    /** Jobs that were sent to another queue than that of their kind. */
    misdirected,
    /** Moves the clock to this long after the opening. */
    setTime(milliseconds: number) {
      passed = milliseconds;
    },
    settings,
    now,
    call,
    at: at.toISOString(),
    addFile,
    addPicture,
    queue,
    own,
    other,
  };
}
export type Marketplace = Awaited<ReturnType<typeof openMarketplace>>;
export type Shop = Marketplace['own'];
