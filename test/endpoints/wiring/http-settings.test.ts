import { globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeProtectedHeader } from 'jose';
import { settingNames as docsSettings } from '../../../functions/docs/declaration.ts';
import type { SettingName } from '../../../shared/config.ts';
import { newId } from '../../../shared/ids.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import { createStripeClient } from '../../../shared/payments/provider/stripe-client.ts';
import { queueSettings } from '../../../shared/queue/messages.ts';
import { readContents } from '../../support/engines/table-contents.ts';
import { createCaller, type RequestOptions } from '../../support/http/http-event.ts';
import { keyringText } from '../../support/samples/licenses.ts';
import { csv, multipart } from '../../support/samples/multipart.ts';
import { sessionEvent, sign } from '../../support/samples/provider-events.ts';
import { sampleSettings } from '../../support/samples/sample-settings.ts';
import { httpFunctions, installer, otherBucket, sha256, site, webhookSecrets } from '../../support/scenes/marketplace.ts';
import { createTestQueue, silentLogger } from '../../support/scenes/projection-harness.ts';
import { consoleEffects } from '../console/console-settings.ts';
import { addressEffects } from './address-settings.ts';
import { additionEffects, buyerEffects } from './buyer-settings.ts';
import { eventEffects } from './event-settings.ts';
import { redriveEffects } from './job-settings.ts';
import { licenseEffects } from './license-settings.ts';
import { adminDeskEffects, adminRole, orderEffects } from './order-settings.ts';
import { invoiceEffects, pageEffects } from './page-settings.ts';
import { pictureEffects } from './picture-settings.ts';
import { releaseEffects } from './release-settings.ts';
import { secretsToSet } from './secret-settings.ts';
import { backLinks, connectAccount, newSeller } from './seller-settings.ts';
import {
  asAdmin,
  asOwner,
  type Call,
  countUntilLimited,
  d,
  differ,
  type Effect,
  guarded,
  hoursBetween,
  identity,
  limit,
  newCaller,
  originSecret,
  queue,
  refusals,
  shows,
  sizeOf,
  stage,
  startEffects,
  stopEffects,
  table,
  twice,
} from './setting-effects.ts';
import { updateEffects } from './update-settings.ts';

beforeAll(startEffects);
afterAll(stopEffects);

const paramsOf = (body: string) => Object.fromEntries(new URLSearchParams(body));
/** What the payment provider was asked for the last checkout. */
async function checkoutAt(call: Call, method: string, target: string, options: RequestOptions) {
  const before = d.provider.received.length;
  const reply = await call(method, target, { sourceIp: newCaller(), ...options });
  expect([201, 303]).toContain(reply.status);
  const [asked] = d.provider.received.slice(before);
  return asked === undefined ? undefined : ({ authorization: asked.authorization, ...paramsOf(asked.body) } as Record<string, string>);
}

/** The stage that the payment provider is told, so that stages can share an account; another stage than local needs its own provider. */
const stageTold = (see: (call: Call) => Promise<unknown>): Effect => {
  return async (name, setting) => {
    await stage(name, setting);
    const { routes, compose } = httpFunctions.find((found) => found.name === name)!;
    const provider = createStripeClient({ secretKey: 'sk_test_deployed', apiBase: d.provider.endpoint });
    for (const STAGE of ['local', 'staging', 'production']) {
      const settings = { ...d.settings, RATE_LIMIT_CHECKOUT: 0, PUBLIC_BASE_URL: 'https://shop.example', STAGE };
      const told = await see(
        createCaller(compose({ settings, logger: silentLogger, table: d.table, provider, sender: createTestQueue() }), routes),
      );
      expect([told].flat()).toContain(STAGE);
      expect(new Set([told].flat()).size).toBe(1);
    }
  };
};

/** The settings of the functions that open checkouts. */
function checkoutSettings(ask: () => [string, string, RequestOptions], limited: () => [string, string]) {
  const field = (pick: (asked: Record<string, string>) => unknown) => async (call: Call) => {
    const asked = await checkoutAt(call, ...ask());
    return asked && pick(asked);
  };
  const tokenOf = ({ success_url = '' }: Record<string, string>) => success_url.split('#token=')[1] ?? '';
  const [limitedMethod, limitedTarget] = limited();
  return {
    STAGE: stageTold(field((asked) => [asked['metadata[stage]'], asked['payment_intent_data[metadata][stage]']])),
    PUBLIC_BASE_URL: shows(
      field(({ success_url, cancel_url }) => [success_url, cancel_url].map((url) => new URL(url!).origin)),
      {
        default: ['https://shop.example', 'https://shop.example'],
        'https://other.example': ['https://other.example', 'https://other.example'],
      },
    ),
    PLATFORM_FEE_BPS: shows(
      field((asked) => asked['payment_intent_data[application_fee_amount]']),
      { default: '480', '250': '120' },
    ),
    PAYMENT_SECRET_KEY: shows(
      field(({ authorization }) => authorization),
      { default: 'Bearer sk_test_deployed', sk_test_other: 'Bearer sk_test_other' },
    ),
    PAYMENT_API_BASE: (name: string) =>
      differ(
        name,
        field(() => 'asked here'),
        [
          [{}, 'asked here'],
          [{ PAYMENT_API_BASE: d.otherProvider.endpoint }, undefined],
        ],
      ),
    TOKEN_KEYS: shows(
      field((asked) => decodeProtectedHeader(tokenOf(asked)).kid),
      { default: 't1', [keyringText('t2', 't1')]: 't2' },
    ),
    ...invoiceEffects((call) => checkoutAt(call, ...ask())),
    RATE_LIMIT_CHECKOUT: limit(10, limitedMethod, limitedTarget),
    ...refusals(twice(limitedMethod, limitedTarget), { RATE_LIMIT_CHECKOUT: '1' }),
    ORIGIN_SECRET: originSecret('RATE_LIMIT_CHECKOUT', limitedMethod, limitedTarget),
  };
}

const docs = httpFunctions.find(({ name }) => name === 'docs')!;

const upload = () => ({
  headers: asOwner,
  body: { filename: 'setup.zip', content_type: 'application/zip', size_bytes: installer.length, sha256_hex: sha256(installer) },
});
const uploadPath = () => `/v1/products/${d.own.product.id}/files/upload-intent`;
async function uploadAndFinalize(call: Call): Promise<string> {
  const { json } = await call('POST', uploadPath(), upload());
  const { 'content-length': _, ...headers } = json.required_headers;
  await fetch(json.upload_url, { method: 'PUT', headers, body: new Uint8Array(installer) });
  const body = { size_bytes: installer.length, sha256_hex: sha256(installer) };
  const done = await call('POST', `/v1/products/${d.own.product.id}/files/${json.product_file_id}/finalize`, { headers: asOwner, body });
  expect(done.status).toBe(200);
  return json.product_file_id;
}

/** In how many hours the bytes of a file are to be deleted. */
async function hoursToDiscard(fileId: string): Promise<number> {
  const job = (await readContents(d)).find(({ pk }) => pk === `JOB#discard-upload:${d.own.product.id}/${fileId}`);
  return Math.round((Date.parse(String(job?.['createdAt'])) - Date.now()) / 900_000) / 4;
}

async function importCodes(call: Call) {
  const form = await multipart([
    ['idempotency_key', newId('batch')],
    ['file', csv(`code\n${newId('batch')}\n`)],
  ]);
  const reply = await call('POST', `/v1/products/${d.own.csvProduct.id}/code-batches`, {
    ...form,
    headers: { ...form.headers, ...asOwner },
  });
  expect(reply.status).toBe(202);
  return reply.json.id as string;
}

/** The stored license of a new test key. */
async function mintedLicense(call: Call) {
  const { json } = await call('POST', `/v1/products/${d.own.product.id}/test-keys`, { headers: asOwner });
  const contents: Record<string, any>[] = await readContents(d);
  return contents.find(({ id, lookup }) => id === json.license_id && lookup !== undefined)!;
}

async function sendEvent(call: Call, path: string, secret: string, event: unknown = { id: newId('audit'), type: 'something.else' }) {
  const body = JSON.stringify(event);
  const headers = { 'Content-Type': 'application/json', 'Payment-Signature': sign(body, secret) };
  return (await call('POST', path, { body, headers })).status;
}
const platform = '/v1/payment/webhook';
const connect = '/v1/payment/connect/webhook';
const newOrder = async () => ({ ...d.own.order, id: newId('order'), checkoutSessionId: 'cs_test_x' });

const complete = { body: { token: 'x.y.z' } };
const download = () => `/v1/purchases/files/${d.own.downloadable.id}/download-intent`;

const sellersIdentity = identity(asOwner, () => ['GET', '/v1/sellers/me'], 200, 401);
const effects: Record<string, Partial<Record<SettingName, Effect>>> = {
  admin: {
    ...identity(asAdmin, () => ['GET', '/v1/admin/sellers'], 200, 403),
    TABLE_NAME: table(sizeOf('/v1/admin/products', asAdmin), 4, 0),
    ADMIN_ALLOWLIST: shows(sizeOf('/v1/admin/products', asAdmin), {
      'other@example.com,admin@example.com': 4,
      'other@example.com': '',
      '': '',
    }),
    ...addressEffects,
    ...adminDeskEffects,
    ...redriveEffects,
    DISCARD_AFTER_HOURS: shows(
      async (call: Call) => {
        const fileId = await uploadAndFinalize(await d.http('product-files'));
        const body = { decision: 'reject', rejected_reason: 'No' };
        await call('PATCH', `/v1/admin/products/${d.own.product.id}/files/${fileId}/review`, { headers: asAdmin, body });
        return hoursToDiscard(fileId);
      },
      { default: 24, '2': 2 },
    ),
    REVIEW_DUE_HOURS: shows(
      async (call: Call) => {
        await uploadAndFinalize(await d.http('product-files'));
        return hoursBetween((await call('GET', '/v1/admin/product-files?limit=1', { headers: asAdmin })).json.items[0]);
      },
      { default: 72, '5': 5 },
    ),
    PUBLIC_BASE_URL: shows(
      async (call: Call) => {
        const { json } = await call('POST', `/v1/admin/orders/${d.own.order.id}/completion-token`, { headers: asAdmin });
        return new URL(json.completion_url).origin;
      },
      { default: 'https://shop.example', 'https://other.example/': 'https://other.example' },
    ),
    TOKEN_KEYS: shows(
      async (call: Call) => {
        const { json } = await call('POST', `/v1/admin/orders/${d.own.order.id}/completion-token`, { headers: asAdmin });
        const purchases = await d.http('purchases', { RATE_LIMIT_COMPLETE: '0' });
        return (await purchases('POST', '/v1/purchases/complete', { body: { token: json.completion_token } })).status;
      },
      { default: 200, [keyringText('t2')]: 403 },
    ),
  },
  'code-batches': {
    ...identity(asOwner, () => ['GET', `/v1/products/${d.own.csvProduct.id}/code-batches`], 200, 401),
    TABLE_NAME: table(
      sizeOf(() => `/v1/products/${d.other.csvProduct.id}/code-batches`, { 'X-User-ID': 'bob' }),
      1,
      '',
    ),
    ENCRYPTION_KEYS: shows(
      async (call: Call) => {
        const id = await importCodes(call);
        const piece = (await readContents(d)).find(({ pk }) => String(pk).startsWith(`UPLOAD#${id}`));
        return JSON.stringify(piece).match(/"(e\d)\./)?.[1];
      },
      { default: 'e1', [keyringText('e2', 'e1')]: 'e2' },
    ),
    IMPORT_QUEUE_URL: queue('import-codes', importCodes),
  },
  console: consoleEffects(),
  docs: {
    STAGE: stage,
    ...guarded(async (_, changes) =>
      docs.compose({ settings: sampleSettings(docsSettings, changes), logger: createLogger({ function: 'docs' }), site }),
    ),
    PUBLIC_BASE_URL: async () => {
      const { routes, compose } = docs;
      for (const PUBLIC_BASE_URL of ['https://shop.example', 'https://other.example']) {
        const call = createCaller(compose({ settings: { ...d.settings, PUBLIC_BASE_URL }, logger: silentLogger, site }), routes);
        expect((await call('GET', '/docs')).text).toBe(`<title>Guide to ${PUBLIC_BASE_URL}</title>`);
      }
    },
  },
  health: {
    STAGE: stage,
    SECRETS_TO_SET: secretsToSet,
    RATE_LIMIT_HEALTH: limit(120, 'GET', '/healthz'),
    ...refusals(twice('GET', '/healthz'), { RATE_LIMIT_HEALTH: '1' }),
    ORIGIN_SECRET: originSecret('RATE_LIMIT_HEALTH', 'GET', '/healthz'),
    ...Object.fromEntries(
      (['TABLE_NAME', 'BUCKET_NAME', ...queueSettings] as const).map((setting) => {
        const gone = setting.endsWith('URL') ? 'http://127.0.0.1:9/000000000000/gone' : 'there-is-none';
        return [
          setting,
          shows(async (call) => (await call('GET', '/readyz', { sourceIp: newCaller() })).status, { default: 200, [gone]: 503 }),
        ];
      }),
    ),
  },
  licenses: licenseEffects,
  updates: updateEffects,
  'api-tokens': {
    ...identity(asOwner, () => ['GET', '/v1/api-tokens'], 200, 401),
    TABLE_NAME: table(sizeOf('/v1/api-tokens', { 'X-User-ID': 'bob' }), 1, 0),
    MAIL_QUEUE_URL: queue('send-token-notice', (call) =>
      call('POST', '/v1/api-tokens', { headers: asOwner, body: { name: 'CI', scopes: ['releases:read'], expires_in_days: 1 } }),
    ),
  },
  discounts: {
    ...identity(asOwner, () => ['GET', `/v1/products/${d.own.product.id}/discounts`], 200, 401),
    TABLE_NAME: table(
      sizeOf(() => `/v1/products/${d.other.product.id}/discounts`, { 'X-User-ID': 'bob' }),
      1,
      '',
    ),
  },
  'test-keys': {
    ...identity(asOwner, () => ['GET', `/v1/products/${d.own.product.id}/test-keys`], 200, 401),
    TABLE_NAME: table(
      sizeOf(() => `/v1/products/${d.other.product.id}/test-keys`, { 'X-User-ID': 'bob' }),
      1,
      '',
    ),
    LICENSE_PEPPERS: shows(async (call: Call) => (await mintedLicense(call)).lookup.split('.')[0], {
      default: 'p1',
      [keyringText('p2', 'p1')]: 'p2',
    }),
    ENCRYPTION_KEYS: shows(async (call: Call) => (await mintedLicense(call)).sealedKey.split('.')[0], {
      default: 'e1',
      [keyringText('e2', 'e1')]: 'e2',
    }),
  },
  orders: {
    ...identity(asOwner, () => ['GET', '/v1/orders'], 200, 401),
    TABLE_NAME: table(sizeOf('/v1/orders', { 'X-User-ID': 'bob' }), 1, 0),
    ...orderEffects,
  },
  pages: {
    ...checkoutSettings(
      () => [
        'POST',
        `/p/${d.own.product.slug}/checkout`,
        { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: `revision=1&request_key=${newId('order')}` },
      ],
      () => ['POST', '/p/nothing/checkout'],
    ),
    ...pageEffects(),
    TABLE_NAME: table(async (call) => (await call('GET', `/p/${d.own.product.slug}`)).status, 200, 404),
  },
  'payment-webhooks': {
    ...refusals((call, options) => call('POST', platform, { ...options, body: {} })),
    STAGE: stage,
    TABLE_NAME: table(
      async (call) => {
        const id = `evt_${newId('audit')}`;
        await sendEvent(call, platform, webhookSecrets.platform, { id, type: 'something.else' });
        return (await readContents(d)).some(({ pk }) => pk === `EVENT#${id}`);
      },
      true,
      false,
    ),
    PAYMENT_WEBHOOK_SECRET: shows(
      async (call: Call) => [
        await sendEvent(call, platform, webhookSecrets.platform),
        await sendEvent(call, platform, 'whsec_other_platform'),
        await sendEvent(call, platform, webhookSecrets.connect),
      ],
      {
        default: [200, 400, 400],
        whsec_other_platform: [400, 200, 400],
        [`whsec_other_platform,${webhookSecrets.platform}`]: [200, 200, 400],
      },
    ),
    PAYMENT_CONNECT_WEBHOOK_SECRET: shows(
      async (call: Call) => [
        await sendEvent(call, connect, webhookSecrets.connect),
        await sendEvent(call, connect, 'whsec_other_connect'),
        await sendEvent(call, connect, webhookSecrets.platform),
      ],
      { default: [200, 400, 400], whsec_other_connect: [400, 200, 400] },
    ),
    WEBHOOK_QUEUE_URL: queue('project-event', async (call) =>
      sendEvent(call, platform, webhookSecrets.platform, sessionEvent(await newOrder(), 'completed')),
    ),
    ENCRYPTION_KEYS: shows(
      async (call: Call) => {
        const event = sessionEvent(await newOrder(), 'completed');
        await sendEvent(call, platform, webhookSecrets.platform, event);
        const stored = (await readContents(d)).find(({ pk }) => pk === `EVENT#${event.id}`);
        return JSON.stringify(stored).match(/"sealedBuyerEmail":"(\w+)\./)?.[1];
      },
      { default: 'e1', [keyringText('e2', 'e1')]: 'e2' },
    ),
  },
  'product-files': {
    ...identity(asOwner, () => ['GET', `/v1/products/${d.own.product.id}/files`], 200, 401),
    TABLE_NAME: table(
      sizeOf(() => `/v1/products/${d.other.product.id}/files`, { 'X-User-ID': 'bob' }),
      2,
      '',
    ),
    BUCKET_NAME: shows(
      async (call) => (await call('POST', uploadPath(), upload())).json.upload_url.replace(/^http:..[^/]*.([^/]*).*/, '$1'),
      { default: 'files', [otherBucket]: otherBucket, '': 'about:blank' },
    ),
    HASH_QUEUE_URL: queue('hash-file', uploadAndFinalize),
    SELLER_STORAGE_BYTES: shows(async (call) => (await call('POST', uploadPath(), upload())).json.code ?? 'made', {
      default: 'made',
      '1': 'storage_quota_exceeded',
    }),
    DISCARD_AFTER_HOURS: shows(async (call) => hoursToDiscard((await call('POST', uploadPath(), upload())).json.product_file_id), {
      default: 24.25,
      '2': 2.25,
    }),
    REVIEW_DUE_HOURS: shows(
      async (call) => {
        const id = await uploadAndFinalize(call);
        const { items } = (await call('GET', `/v1/products/${d.own.product.id}/files`, { headers: asOwner })).json;
        return hoursBetween(items.find((file: { id: string }) => file.id === id));
      },
      { default: 72, '5': 5 },
    ),
    MAX_FILE_BYTES: () => {
      const see = (size_bytes: number) => async (call: Call) => {
        const { body, headers } = upload();
        return (await call('POST', uploadPath(), { headers, body: { ...body, size_bytes } })).status;
      };
      return differ(
        'product-files',
        async (call) => [await see(100)(call), await see(101)(call), await see(5 * 1024 ** 3)(call), await see(5 * 1024 ** 3 + 1)(call)],
        [
          [{}, [201, 201, 201, 400]],
          [{ MAX_FILE_BYTES: '100' }, [201, 400, 400, 400]],
        ],
      );
    },
  },
  products: {
    ...identity(asOwner, () => ['GET', `/v1/products/${d.own.product.id}`], 200, 401),
    TABLE_NAME: table(sizeOf('/v1/products', { 'X-User-ID': 'bob' }), 2, 0),
    PUBLIC_BASE_URL: shows(
      async (call) => new URL((await call('GET', `/v1/products/${d.own.product.id}`, { headers: asOwner })).json.url).origin,
      { 'https://shop.example': 'https://shop.example', 'https://other.example': 'https://other.example' },
    ),
    REVIEW_DUE_HOURS: shows(
      async (call) => {
        const post = (move: string, body?: object) =>
          call('POST', `/v1/products/${d.other.csvProduct.id}/${move}`, { headers: { 'X-User-ID': 'bob' }, ...(body && { body }) });
        await post('publish', { publish: false });
        return hoursBetween((await post('submit-review')).json);
      },
      { default: 72, '5': 5 },
    ),
    CURRENCIES: shows(
      async (call: Call) => {
        const { id: _, name, description, priceAmount, supportEmail, refundPolicy, softwareOperatingEnvironment } = d.own.product;
        const body = {
          name,
          description,
          price_amount: priceAmount,
          support_email: supportEmail,
          refund_policy: refundPolicy,
          software_operating_environment: softwareOperatingEnvironment,
        };
        const patch = (currency: string) =>
          call('PATCH', `/v1/products/${d.other.product.id}`, {
            headers: { 'X-User-ID': 'bob' },
            body: { ...body, name: d.other.product.name, currency },
          });
        return [(await patch('JPY')).status, (await patch('EUR')).status];
      },
      { default: [200, 200], 'USD,EUR': [400, 200], JPY: [200, 400] },
    ),
  },
  purchases: {
    ...refusals(twice('POST', '/v1/purchases/complete', complete.body), { RATE_LIMIT_COMPLETE: '1' }),
    STAGE: stage,
    TABLE_NAME: table(completed, 200, 404),
    BUCKET_NAME: shows(
      async (call: Call) => {
        const { json } = await call('POST', download(), { body: { token: d.own.token }, sourceIp: newCaller() });
        return json.code ?? new URL(json.download_url).pathname.split('/')[1];
      },
      { default: 'files', [otherBucket]: otherBucket, '': 'file_not_available' },
    ),
    MAIL_QUEUE_URL: queue('send-links', (call) =>
      call('POST', '/v1/purchases/resend-link', { body: { buyer_email: d.own.buyerEmail }, sourceIp: newCaller() }),
    ),
    TOKEN_KEYS: shows(completed, { default: 200, [keyringText('t2')]: 403, [keyringText('t2', 't1')]: 200 }),
    ENCRYPTION_KEYS: shows(completed, { default: 200, [keyringText('e2')]: 500, [keyringText('e2', 'e1')]: 200 }),
    ...buyerEffects,
    RATE_LIMIT_COMPLETE: limit(30, 'POST', '/v1/purchases/complete', complete.body),
    RATE_LIMIT_DOWNLOAD: limit(30, 'POST', '/v1/purchases/files/x/download-intent', complete.body),
    ORIGIN_SECRET: originSecret('RATE_LIMIT_COMPLETE', 'POST', '/v1/purchases/complete', complete.body),
  },
  sellers: {
    ...sellersIdentity,
    STAGE: async (name, setting) => {
      await sellersIdentity.STAGE(name);
      await stageTold(async (call) => (await connectAccount(call)).account.metadata.stage)(name, setting);
    },
    ADMIN_ALLOWLIST: adminRole,
    TABLE_NAME: table(async (call) => (await call('GET', '/v1/sellers/me', { headers: asOwner })).status, 200, 404),
    REVIEW_DUE_HOURS: shows(async (call) => hoursBetween(await newSeller(call)), { default: 72, '5': 5 }),
    CONSOLE_CLIENT_ID: shows(backLinks, {
      default: ['https://shop.example/onboarding/return?link=used', 'https://shop.example/onboarding/return'],
      console: ['https://shop.example/console/seller', 'https://shop.example/console/seller?returned'],
    }),
    PUBLIC_BASE_URL: shows(backLinks, {
      default: ['https://shop.example/onboarding/return?link=used', 'https://shop.example/onboarding/return'],
      'https://other.example': ['https://other.example/onboarding/return?link=used', 'https://other.example/onboarding/return'],
    }),
    PAYMENT_SECRET_KEY: shows(async (call) => (await connectAccount(call)).authorization, {
      default: 'Bearer sk_test_deployed',
      sk_test_other: 'Bearer sk_test_other',
    }),
    PAYMENT_API_BASE: () =>
      differ('sellers', async (call) => (await connectAccount(call)).account.display_name ?? '', [
        [{}, 'New'],
        [{ PAYMENT_API_BASE: d.otherProvider.endpoint }, ''],
      ]),
    PAYMENT_ACCOUNT_COUNTRY: shows(async (call) => (await connectAccount(call)).account.identity.country, { default: 'JP', US: 'US' }),
  },
  pictures: pictureEffects,
  releases: releaseEffects(),
  'webhook-endpoints': eventEffects,
  additions: additionEffects({ effects: checkoutSettings, checkoutAt }),
  storefront: {
    ...checkoutSettings(
      () => ['POST', `/v1/public/products/${d.own.product.slug}/checkout`, {}],
      () => ['POST', '/v1/public/products/nothing/checkout'],
    ),
    RATE_LIMIT_QUOTE: limit(30, 'POST', '/v1/public/products/nothing/quote'),
    TABLE_NAME: table(async (call) => (await call('GET', `/v1/public/products/${d.own.product.slug}`)).status, 200, 404),
  },
};

async function completed(call: Call) {
  return (await call('POST', '/v1/purchases/complete', { body: { token: d.own.token }, sourceIp: newCaller() })).status;
}

const root = join(import.meta.dirname, '..', '..', '..');
const named = await Promise.all(
  globSync('functions/*/routes.ts', { cwd: root }).map(async (file) => {
    const { settingNames } = (await import(join(root, dirname(file), 'declaration.ts'))) as { settingNames: readonly SettingName[] };
    return { name: basename(dirname(file)), settingNames };
  }),
);

describe.each(named)('$name', ({ name, settingNames }) => {
  test('has each of its settings and no other tested here', () => {
    expect(Object.keys(effects[name] ?? {}).sort()).toEqual([...new Set(settingNames)].sort());
  });

  test.each([...settingNames])('does what %s says', async (setting) => {
    await effects[name]?.[setting]?.(name, setting);
  });
});

test('a limit of one endpoint is not that of another', async () => {
  const call = await d.http('purchases', { RATE_LIMIT_COMPLETE: '2', RATE_LIMIT_DOWNLOAD: '4' });
  expect(await countUntilLimited(call, 'POST', '/v1/purchases/complete', complete)).toBe(2);
  expect(await countUntilLimited(call, 'POST', '/v1/purchases/files/x/download-intent', complete)).toBe(4);
});
