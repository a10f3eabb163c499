import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { conformingFetch } from '../interface/conformance.ts';
import { startStack } from './stack.ts';

/** The parsed body of a reply; tests read what they expect of it. */
type Json = any;

export interface SentMail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Who calls, and what is sent: JSON, or a form. */
interface CallOptions {
  as?: 'seller' | 'admin';
  body?: unknown;
  form?: { body: Buffer; headers: Record<string, string> };
  headers?: Record<string, string> | undefined;
}

/** A local stack with a seller on it, as buyers and tests use it. */
export interface StackHarness {
  baseUrl: string;
  /** Everything the stack wrote to its output. */
  output(): string;
  /** Calls the API, as its seller, its admin or nobody; fails the test on an unexpected status. */
  call(method: string, path: string, options?: CallOptions): Promise<Json>;
  /** Sets a test control of the fake payment provider. */
  provider(path: string, body?: unknown): Promise<Json>;
  /** The newest mail to this address, once there are `count` of them. */
  mailTo(address: string, count?: number): Promise<SentMail>;
  stop(): Promise<unknown>;
  /** Ends the stack's process at once, and starts another on the same data and port, once `meanwhile` is done. */
  killAndRestart(meanwhile?: () => Promise<void>): Promise<void>;
}

/** A stack of its own on which an approved seller can take payments. */
export async function startStackHarness(changes: Record<string, string> = {}): Promise<StackHarness> {
  const settings = { RATE_LIMIT_SELLER: '0', ...changes };
  let stack = await startStack(settings);
  const { address: baseUrl } = stack;
  const identities = {
    // On a named engine stacks find what others left there.
    seller: { 'X-User-ID': `seller-${randomUUID()}`, 'X-User-Email': 'seller@example.com' },
    admin: { 'X-User-ID': 'admin-1', 'X-User-Email': 'admin@example.com' },
  };

  async function call(method: string, path: string, { as, body, form, headers: further }: CallOptions = {}): Promise<Json> {
    const headers = {
      ...(as && identities[as]),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...form?.headers,
      ...further,
    };
    const content = form ? new Uint8Array(form.body) : JSON.stringify(body);
    const response = await conformingFetch(new URL(path, baseUrl), { method, headers, body: content });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  const providerOrigin = await admitSeller(call);
  return {
    baseUrl,
    output: () => stack.output(),
    call,
    provider: (path, body = {}) => call('POST', `${providerOrigin}${path}`, { body }),
    mailTo: (address, count = 1) =>
      eventually(`a mail to ${address}`, 30, async () => {
        const { items }: { items: SentMail[] } = await call('GET', '/__local/outbox');
        const mails = items.filter(({ to }) => to === address);
        return mails.length >= count ? mails.at(-1) : undefined;
      }),
    stop: () => stack.stop(),
    async killAndRestart(meanwhile) {
      await stack.stop('SIGKILL');
      await meanwhile?.();
      stack = await startStack({ ...settings, PORT: new URL(baseUrl).port });
    },
  };
}

/** Applies, is approved and connects an account; resolves to where the fake payment provider is. */
async function admitSeller(call: StackHarness['call']): Promise<string> {
  const application = {
    display_name: 'みなと工房',
    contact_email: 'seller@example.com',
    support_email: 'support@minato.example',
    site_url: 'https://minato.example',
  };
  const { id } = await call('POST', '/v1/sellers', { as: 'seller', body: application });
  await call('PATCH', `/v1/admin/sellers/${id}/review`, { as: 'admin', body: { decision: 'approve' } });
  const { url } = await call('POST', '/v1/sellers/payment/account-link', { as: 'seller' });
  const { origin } = new URL(url);
  const { payment_connected_account_id: account } = await call('GET', '/v1/sellers/me', { as: 'seller' });
  await call('POST', `${origin}/test/accounts/${account}/onboarding`, { body: { outcome: 'complete' } });
  await call('POST', '/v1/sellers/payment/refresh', { as: 'seller' });
  return origin;
}

/** Repeats `look` until it finds something. */
export async function eventually<T>(what: string, seconds: number, look: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + seconds * 1000;
  while (Date.now() < deadline) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(100);
  }
  throw new Error(`It did not happen within ${seconds} s that ${what}.`);
}

/** A product on sale. */
export async function offerProduct(harness: StackHarness, changes: Record<string, unknown> = {}): Promise<{ id: string; slug: string }> {
  const draft = {
    name: '波形エディター Pro',
    description: '録音した音を切り出し、整え、仕上げるためのソフトウェアです。',
    price_amount: 4800,
    currency: 'JPY',
    support_email: 'support@minato.example',
    refund_policy: '購入から14日以内であれば全額を返金します。',
    software_operating_environment: 'macOS 14 以降、Windows 11',
    activation_limit: 3,
    features: ['スペクトル編集', '一括処理'],
    ...changes,
  };
  const { id, slug } = await harness.call('POST', '/v1/products', { as: 'seller', body: draft });
  await harness.call('POST', `/v1/products/${id}/submit-review`, { as: 'seller' });
  await harness.call('PATCH', `/v1/admin/products/${id}/review`, { as: 'admin', body: { decision: 'approve' } });
  return { id, slug };
}

/** Uploads a file of the product and finalizes it. Returns its id. */
export async function uploadFile(
  harness: StackHarness,
  productId: string,
  filename: string,
  bytes: Buffer,
  change: { content_type?: string; purpose?: string } = {},
): Promise<string> {
  const declared = { size_bytes: bytes.length, sha256_hex: createHash('sha256').update(bytes).digest('hex') };
  const files = `/v1/products/${productId}/files`;
  const intent = await harness.call('POST', `${files}/upload-intent`, {
    as: 'seller',
    body: { filename, content_type: 'application/octet-stream', ...change, ...declared },
  });
  const { ['content-length']: _, ...headers } = Object.fromEntries(
    Object.entries<string>(intent.required_headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const upload = await fetch(intent.upload_url, { method: 'PUT', headers, body: new Uint8Array(bytes) });
  if (!upload.ok) throw new Error(`The upload answered ${upload.status}: ${await upload.text()}`);
  await harness.call('POST', `${files}/${intent.product_file_id}/finalize`, { as: 'seller', body: declared });
  return intent.product_file_id;
}

/** A file of the product that buyers can download, or a picture of it: uploaded, hashed, marked clean and approved. Returns its id. */
export async function publishFile(
  harness: StackHarness,
  productId: string,
  filename: string,
  bytes: Buffer,
  change: { content_type?: string; purpose?: string } = {},
): Promise<string> {
  const id = await uploadFile(harness, productId, filename, bytes, change);
  const review = `/v1/admin/products/${productId}/files/${id}/review`;
  await harness.call('PATCH', review, { as: 'admin', body: { decision: 'manual_clean', manual_scan_clean_reason: 'Checked by hand' } });
  await eventually('the file is hashed', 30, async () => {
    const { items } = await harness.call('GET', `/v1/products/${productId}/files`, { as: 'seller' });
    return items[0].hash_status === 'verified' || undefined;
  });
  await harness.call('PATCH', review, { as: 'admin', body: { decision: 'approve' } });
  return id;
}
