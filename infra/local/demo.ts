import { setTimeout as sleep } from 'node:timers/promises';

/**
 * `npm run demo`: the whole story against a running local stack, step by step, with
 * what was sent and what came back. Keys, tokens and links are masked.
 */
const base = process.env['BASE_URL'] ?? `http://127.0.0.1:${process.env['PORT'] ?? 3000}`;
const story = Date.now().toString(36);

const sellerHeaders = { 'X-User-ID': `demo-seller-${story}`, 'X-User-Email': 'seller@example.com' };
const adminHeaders = { 'X-User-ID': 'demo-admin', 'X-User-Email': process.env['ADMIN_EMAIL'] ?? 'admin@example.com' };
const buyerEmail = `buyer-${story}@example.com`;

type Json = Record<string, unknown>;
interface Call {
  headers?: Record<string, string>;
  body?: Json;
  expect?: number;
}

const summary: string[] = [];

function chapter(title: string): void {
  console.log(`\n\x1b[1m${title}\x1b[0m`);
}

async function call(method: string, url: string, { headers = {}, body, expect = 200 }: Call = {}): Promise<Json> {
  const target = url.startsWith('http') ? url : base + url;
  const response = await fetch(target, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  console.log(`  ${method} ${masked(url)}${body ? ` ${masked(JSON.stringify(body))}` : ''}`);
  console.log(`    → ${response.status} ${masked(text).slice(0, 400)}`);
  if (response.status !== expect) throw new Error(`${method} ${url} answered ${response.status}, not ${expect}.`);
  return text === '' ? {} : asObject(JSON.parse(text));
}

const asObject = (value: unknown): Json => Object.fromEntries(Object.entries(value ?? {}));
const textOf = (object: Json, ...path: string[]): string => String(path.reduce<unknown>((value, name) => asObject(value)[name], object));

function masked(text: string): string {
  return text
    .replaceAll(/[A-Z][A-Z0-9]{0,11}(-[0-9A-Z]{5}){5}/g, (key) => `${key.slice(0, 9)}…`)
    .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'eyJ…')
    .replaceAll(/acctlink_\w+/g, 'acctlink_…');
}

/** Repeats `look` until it finds something: what a queue carries arrives a moment later. */
async function eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(150);
  }
  throw new Error(`${what} did not happen within 15 s.`);
}

async function becomeSeller(): Promise<string> {
  chapter('1. A seller applies and connects a payment account');
  const application = {
    display_name: 'Demo Software',
    contact_email: 'seller@example.com',
    support_email: 'support@example.com',
    site_url: 'https://shop.example.com',
  };
  const seller = await call('POST', '/v1/sellers', { headers: sellerHeaders, body: application, expect: 201 });
  const link = await call('POST', '/v1/sellers/payment/account-link', { headers: sellerHeaders });
  const me = await call('GET', '/v1/sellers/me', { headers: sellerHeaders });
  const provider = new URL(textOf(link, 'url')).origin;
  await call('POST', `${provider}/test/accounts/${textOf(me, 'payment_connected_account_id')}/onboarding`, {
    body: { outcome: 'complete' },
  });
  const refreshed = await call('POST', '/v1/sellers/payment/refresh', { headers: sellerHeaders });
  summary.push(`seller ${textOf(seller, 'id')}: ${textOf(refreshed, 'payment_onboarding_status')}`);
  await call('PATCH', `/v1/admin/sellers/${textOf(seller, 'id')}/review`, { headers: adminHeaders, body: { decision: 'approve' } });
  return textOf(seller, 'id');
}

async function offerProduct(): Promise<{ id: string; slug: string }> {
  chapter('2. The seller drafts a product, and an admin approves it');
  const draft = {
    name: `Demo Editor ${story}`,
    description: 'An editor that edits.',
    price_amount: 1200,
    currency: 'JPY',
    support_email: 'support@example.com',
    refund_policy: 'Refunds within 14 days.',
    software_operating_environment: 'Windows 11, macOS 15, Linux',
    activation_limit: 2,
    features: ['pro'],
  };
  const product = await call('POST', '/v1/products', { headers: sellerHeaders, body: draft, expect: 201 });
  const id = textOf(product, 'id');
  await call('POST', `/v1/products/${id}/submit-review`, { headers: sellerHeaders });
  await call('PATCH', `/v1/admin/products/${id}/review`, { headers: adminHeaders, body: { decision: 'approve' } });
  summary.push(`product ${textOf(product, 'slug')}: approved`);
  return { id, slug: textOf(product, 'slug') };
}

async function buy(slug: string): Promise<Json> {
  chapter('3. A buyer reads the product page, pays and gets a mail');
  await call('GET', `/v1/public/products/${slug}`);
  const checkout = await call('POST', `/v1/public/products/${slug}/checkout`, { body: { locale: 'en' }, expect: 201 });
  const hosted = new URL(textOf(checkout, 'checkout_url'));
  const session = hosted.pathname.split('/').at(-1) ?? '';
  await call('POST', `${hosted.origin}/test/checkout/${session}/pay`, { body: { email: buyerEmail } });
  const token = await eventually('the mail', async () => {
    const outbox = asObject(await (await fetch(`${base}/__local/outbox`)).json());
    const mails = Array.isArray(outbox['items']) ? outbox['items'].map(asObject) : [];
    const mail = mails.find(({ to }) => to === buyerEmail);
    return mail && /#token=([\w.-]+)/.exec(String(mail['text']))?.[1];
  });
  console.log('  The mail is in the outbox, with a completion link and no key.');
  return call('POST', '/v1/purchases/complete', { body: { token } });
}

async function useDevices(productId: string, licenseKey: string): Promise<void> {
  chapter('4. The app takes two seats, and is refused a third');
  const on = (device: string) => ({ product_id: productId, license_key: licenseKey, device_fingerprint: device });
  await call('POST', '/v1/licenses/activate', { body: on('laptop') });
  await call('POST', '/v1/licenses/activate', { body: on('desktop') });
  await call('POST', '/v1/licenses/activate', { body: on('laptop') });
  await call('POST', '/v1/licenses/activate', { body: on('tablet'), expect: 409 });
  await call('POST', '/v1/licenses/deactivate', { body: on('desktop') });
  await call('POST', '/v1/licenses/activate', { body: on('tablet') });
  const valid = await call('POST', '/v1/licenses/validate', { body: on('laptop') });
  summary.push(
    `license: ${textOf(valid, 'code')}, ${textOf(valid, 'activation_count')} of ${textOf(valid, 'activation_limit')} seats taken`,
  );
}

async function revoke(productId: string, licenseKey: string, licenseId: string): Promise<void> {
  chapter('5. An admin revokes the license, and the next validate knows');
  await call('POST', `/v1/admin/licenses/${licenseId}/revoke`, { headers: adminHeaders, body: { reason: 'End of the demo' } });
  const answer = await call('POST', '/v1/licenses/validate', { body: { product_id: productId, license_key: licenseKey } });
  summary.push(`after the revocation: valid ${textOf(answer, 'valid')}, ${textOf(answer, 'code')}`);
}

try {
  await becomeSeller();
  const product = await offerProduct();
  const purchase = await buy(product.slug);
  summary.push(`order ${textOf(purchase, 'order', 'id')}: ${textOf(purchase, 'order', 'status')}`);
  const licenseKey = textOf(purchase, 'license', 'license_key');
  await useDevices(product.id, licenseKey);
  await revoke(product.id, licenseKey, textOf(purchase, 'license', 'id'));
  chapter('Summary');
  for (const line of summary) console.log(`  ${line}`);
} catch (error) {
  const away = error instanceof TypeError && error.message === 'fetch failed';
  console.error(away ? `Nothing answers at ${base}. Start the service first: npm start` : error);
  process.exitCode = 1;
}
