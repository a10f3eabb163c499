import { randomUUID } from 'node:crypto';
import { DeleteCommand, DynamoDBDocumentClient, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { readStackFile } from '../../../infra/local/stack-file.ts';
import { createDynamoClient } from '../../../shared/db/dynamo/sdk-dynamo.ts';
import type { Item } from '../../../shared/db/table.ts';
import { callOps } from '../call-command.ts';
import { csv, multipart } from '../samples/multipart.ts';
import { temporaryFolder } from './stack.ts';
import { eventually, offerProduct, publishFile, type StackHarness, startStackHarness } from './stack-harness.ts';

/** A stack whose data is kept in a folder, and its table as operators reach it. */
export async function startKeptStack(settings: Record<string, string> = {}) {
  const folder = await temporaryFolder();
  const harness = await startStackHarness({ DATA_DIR: folder.path, RATE_LIMIT_CHECKOUT: '0', RATE_LIMIT_COMPLETE: '0', ...settings });

  async function openTable() {
    const { tableName, dynamodbEndpoint } = await readStackFile(folder.path);
    const client = createDynamoClient({
      endpoint: dynamodbEndpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    });
    const documents = DynamoDBDocumentClient.from(client);
    return {
      client,
      tableName,
      put: (item: Item) => documents.send(new PutCommand({ TableName: tableName, Item: item })),
      remove: ({ pk, sk }: Item) => documents.send(new DeleteCommand({ TableName: tableName, Key: { pk, sk } })),
      async readAll(): Promise<Item[]> {
        const { Items = [] } = await documents.send(new ScanCommand({ TableName: tableName, ConsistentRead: true }));
        return Items;
      },
    };
  }

  /** `npm run ops` on the stack, or where `env` leads. */
  const ops = (args: readonly string[], env: NodeJS.ProcessEnv = {}) => callOps(args, { DATA_DIR: folder.path, STAGE: '', ...env });

  return {
    folder,
    harness,
    openTable,
    ops,
    async stop() {
      await harness.stop();
      await folder.remove();
    },
  };
}
export type KeptStack = Awaited<ReturnType<typeof startKeptStack>>;

/** Begins a checkout. */
export async function beginSale({ call }: StackHarness, slug: string): Promise<{ orderId: string; session: string; email: string }> {
  const { order_id, checkout_url } = await call('POST', `/v1/public/products/${slug}/checkout`, { body: {} });
  return { orderId: order_id, session: new URL(checkout_url).pathname.split('/').at(-1) ?? '', email: `${randomUUID()}@example.com` };
}

/** Buys at the fake provider, and waits for the license. */
export async function sell(harness: StackHarness, slug: string, begun?: Awaited<ReturnType<typeof beginSale>>) {
  const sale = begun ?? (await beginSale(harness, slug));
  await harness.provider(`/test/checkout/${sale.session}/pay`, { email: sale.email });
  return { ...sale, ...(await licenseOf(harness, sale.orderId)) };
}

/** The license of an order once it has one, and its key as the completion page shows it. */
export async function licenseOf({ call }: StackHarness, orderId: string): Promise<{ licenseId: string; key: string; token: string }> {
  const licenseId: string = await eventually('a paid order has its license', 60, async () => {
    const { license_id } = await call('GET', `/v1/admin/orders/${orderId}`, { as: 'admin' });
    return license_id;
  });
  const { completion_token: token } = await call('POST', `/v1/admin/orders/${orderId}/completion-token`, { as: 'admin' });
  const { license } = await call('POST', '/v1/purchases/complete', { body: { token } });
  return { licenseId, key: license.license_key, token };
}

/** Sellers, products, files, codes, sales, devices, refunds and deliveries: some of each kind, made through the interface alone. */
export async function sellSomeOfEach({ harness }: KeptStack) {
  const { call, provider, baseUrl } = harness;
  const product = await offerProduct(harness);
  await publishFile(harness, product.id, 'setup.zip', Buffer.from('an installer'));
  const declared = { size_bytes: 3, sha256_hex: '0'.repeat(64) };
  const upload = { filename: 'next.zip', content_type: 'application/zip', part_size_bytes: 8_388_608, ...declared };
  await call('POST', `/v1/products/${product.id}/files/upload-intent`, { as: 'seller', body: upload });
  await call('POST', '/v1/webhook-endpoints', { as: 'seller', body: { url: 'http://127.0.0.1:9/nobody-listens' } });
  await call('POST', '/v1/webhook-endpoints', { as: 'seller', body: { url: `${baseUrl}/__local/receiver/all` } });

  const codes = await offerProduct(harness, {
    name: 'Codes',
    license_issuance_mode: 'imported_csv',
    upgrades_from: [{ product_id: product.id, price_amount: 1200 }],
  });
  const seller = (await call('GET', '/v1/sellers/me', { as: 'seller' })).owner_user_id;
  const form = await multipart([
    ['idempotency_key', 'first import'],
    ['file', csv('code\nCODE-AAAA-0001\nCODE-AAAA-0002\nCODE-AAAA-0003\n')],
  ]);
  const accepted = await fetch(`${baseUrl}/v1/products/${codes.id}/code-batches`, {
    method: 'POST',
    headers: { ...form.headers, 'X-User-ID': seller },
    body: new Uint8Array(form.body),
  });
  const batch = (await accepted.json()) as { id: string };
  await eventually('the codes are imported', 30, async () => {
    const { status } = await call('GET', `/v1/products/${codes.id}/code-batches/${batch.id}`, { as: 'seller' });
    return status === 'completed' || undefined;
  });
  await sell(harness, codes.slug);

  const sale = await sell(harness, product.slug);
  const device = (device_fingerprint: string) => ({ body: { product_id: product.id, license_key: sale.key, device_fingerprint } });
  for (const name of ['desk', 'lap', 'lab']) await call('POST', '/v1/licenses/activate', device(name));
  await call('POST', '/v1/licenses/deactivate', device('lap'));
  const { devices } = await call('POST', '/v1/purchases/devices', { body: { token: sale.token } });
  await call('POST', `/v1/purchases/devices/${devices[0].activation_id}/release`, { body: { token: sale.token } });
  await call('POST', '/v1/purchases/resend-link', { body: { buyer_email: sale.email } });
  await call('POST', `/v1/products/${product.id}/preview`, { as: 'seller' });

  const replaced = await sell(harness, product.slug);
  await call('POST', '/v1/purchases/replace-key', { body: { token: replaced.token } });
  const refunded = await sell(harness, product.slug);
  await provider(`/test/payments/${refunded.session}/refund`);
  await eventually('the order is refunded', 30, async () => {
    const { status } = await call('GET', `/v1/admin/orders/${refunded.orderId}`, { as: 'admin' });
    return status === 'refunded' || undefined;
  });
  const unpaid = await fetch(`${baseUrl}/v1/public/products/${product.slug}/checkout`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() },
    body: '{}',
  });
  await unpaid.arrayBuffer();
  await call('POST', `/v1/orders/${sale.orderId}/buyer-email-request`, { as: 'seller', body: { buyer_email: 'right@example.com' } });
  const mint = () => call('POST', `/v1/products/${product.id}/test-keys`, { as: 'seller' });
  const [, ended] = [await mint(), await mint()];
  await call('POST', `/v1/products/${product.id}/test-keys/${ended.license_id}/end`, { as: 'seller' });
  const discount = (code: string) =>
    call('POST', `/v1/products/${product.id}/discounts`, { as: 'seller', body: { code, percent_off: 25, max_redemptions: 3 } });
  const [, over] = [await discount('STAYS'), await discount('ENDED')];
  await call('POST', `/v1/products/${product.id}/discounts/${over.id}/end`, { as: 'seller' });
  const newToken = () =>
    call('POST', '/v1/api-tokens', { as: 'seller', body: { name: 'Build', scopes: ['releases:write'], expires_in_days: 30 } });
  const [, revoked] = [await newToken(), await newToken()];
  await call('POST', `/v1/api-tokens/${revoked.id}/revoke`, { as: 'seller' });
  return { product, sale };
}
