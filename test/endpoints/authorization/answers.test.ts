import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Item } from '../../../shared/db/table.ts';
import { newId } from '../../../shared/ids.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { readContents } from '../../support/engines/table-contents.ts';
import { httpFunctions } from '../../support/http/service.ts';
import { taskOfQueue } from '../../support/samples/job-tasks.ts';
import { keyringText } from '../../support/samples/licenses.ts';
import { sessionEvent, sign } from '../../support/samples/provider-events.ts';
import {
  type Market,
  type Marketplace,
  openMarketplace,
  type Shop,
  startMarket,
  webhookSecrets,
} from '../../support/scenes/marketplace.ts';
import { endpoints, type Found, type Headers, headersOf, prepare } from './endpoints.ts';
import { idsOf } from './requests.ts';

const keys = {
  LICENSE_PEPPERS: keyringText('p1'),
  ENCRYPTION_KEYS: keyringText('e1'),
  TOKEN_KEYS: keyringText('t1'),
  LEASE_KEYS: keyringText('l1'),
};
interface Answer {
  shop: Shop;
  /** The ids in the path. */
  ids: Record<string, string>;
  expected: number;
  reply: { status: number; text: string; headers: Record<string, string> };
}
let market: Market;
let scene: Marketplace;
let contents: Item[];
/** What each endpoint answered to who may call, or why it did not. What changes things had a shop of its own. */
const answers = new Map<string, Answer | Error>();

const callerOf = ({ access }: Found, { userId }: Shop): Headers => {
  if (access.audience === 'anyone') return {};
  return headersOf(access.audience === 'admin' ? 'admin' : userId);
};

async function ask(found: Found, shop: Shop): Promise<Answer> {
  const { ids, send, status } = await prepare(found, shop, scene);
  return { shop, ids, expected: status, reply: await send(callerOf(found, shop)) };
}

/** What no endpoint is asked above, so that each function comes to all of its settings. */
async function askBesides(): Promise<void> {
  const { own, call, table, now } = scene;
  await call('POST', '/v1/licenses/validate', { body: { product_id: own.product.id, license_key: 'LIC1-UNKNOWN-KEY' } });
  await call('GET', `/p/${own.product.slug}?code=ANY`);
  await call('POST', '/v1/orders/search', { headers: headersOf('alice'), body: { buyer_email: own.buyerEmail } });
  const site = { site_url: 'https://new.example', contact_email: 'new@example.com', support_email: 'new@example.com' };
  await call('POST', '/v1/sellers', { headers: headersOf('newcomer'), body: { display_name: 'New', ...site } });
  await call('POST', '/v1/sellers/payment/account-link', { headers: headersOf('newcomer') });
  const event = sessionEvent({ ...own.order, id: newId('order') }, 'completed');
  const body = JSON.stringify(event);
  const headers = { 'Content-Type': 'application/json', 'Payment-Signature': sign(body, webhookSecrets.platform, Date.parse(scene.at)) };
  await call('POST', '/v1/payment/webhook', { body, headers });
  for (const task of taskOfQueue) {
    await table.write(addJob({ now }, task));
    await call('POST', '/v1/admin/jobs/redrive', { headers: headersOf('admin'), body: { job_id: jobId(task) } });
  }
}

beforeAll(async () => {
  market = await startMarket();
  const signIn = { CONSOLE_CLIENT_ID: 'console', OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_AUDIENCE: 'console' };
  scene = await openMarketplace(market, { ...signIn, ...keys });
  const shops = await Promise.all(
    endpoints.map(({ endpoint }, at) => (endpoint.method === 'GET' ? scene.own : scene.openShop(`seller-${at}`))),
  );
  // The provider looks at the clock too: of a session half an hour must be left.
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.parse(scene.at));
  for (const [at, found] of endpoints.entries()) answers.set(found.name, await ask(found, shops[at]!).catch((error: Error) => error));
  await askBesides();
  clock.mockRestore();
  contents = await readContents(scene);
}, 600_000);
afterAll(() => market.stop());

function answerTo({ name }: Found): Answer {
  const answer = answers.get(name);
  if (answer === undefined || answer instanceof Error) throw answer;
  return answer;
}

test.each(endpoints)('$name answers who may call', (found) => {
  const { expected, reply } = answerTo(found);
  expect([reply.status, reply.status === expected || reply.text]).toEqual([expected, true]);
});

/** What tells one shop from another. */
const marksOf = (shop: Shop) => [
  ...Object.values(idsOf(shop)),
  shop.userId,
  shop.csvProduct.id,
  shop.downloadable.id,
  shop.key,
  shop.buyerEmail,
];

// An admin who asks for nobody's things is shown everybody's.
const ofOne = endpoints.filter(
  ({ access, endpoint }) => access.audience !== 'admin' || endpoint.path.includes('{') || endpoint.operationId === 'listAudit',
);
test.each(ofOne)('$name tells nothing of another shop', (found) => {
  const { reply, shop } = answerTo(found);
  const others = marksOf(scene.other).filter((mark) => !marksOf(shop).includes(mark));
  // Whole words: within a token chance draws so short a name as a user's.
  const isIn = (text: string, mark: string) => new RegExp(`(?<![\\w-])${mark}(?![\\w-])`).test(text);
  expect(others.filter((mark) => isIn(reply.text, mark) || isIn(JSON.stringify(reply.headers), mark))).toEqual([]);
});

/** The texts that are stored sealed or hashed, wherever they stand in an item. */
function sealedIn(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return /^(sealed|lookup|secret|hash$|emailHash|codeHash)/.test(name) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => sealedIn(inner, Array.isArray(value) ? name : key));
}

test('no answer shows what is stored sealed or hashed, nor a key of the service', () => {
  const stored = contents.flatMap((item) => sealedIn(item));
  const kept = Object.values(keys).map((text) => text.split(':')[1] ?? '');
  expect(stored.length).toBeGreaterThan(endpoints.length);
  const words = new Set(endpoints.flatMap((found) => answerTo(found).reply.text.split(/[^\w.+/=:-]+/)));
  expect([...stored, ...kept].filter((secret) => words.has(secret))).toEqual([]);
});

test('neither sellers nor admins see a license key or a buyer’s address', () => {
  for (const found of endpoints.filter(({ access }) => access.audience !== 'anyone')) {
    const { reply, shop } = answerTo(found);
    expect([
      found.name,
      [shop, scene.own, scene.other].filter(({ key, buyerEmail }) => reply.text.includes(key) || reply.text.includes(buyerEmail)),
    ]).toEqual([found.name, []]);
  }
});

test('who has the token of a purchase alone sees its key and its files', () => {
  const shown = endpoints.filter((found) => {
    const { reply, shop } = answerTo(found);
    return reply.text.includes(shop.key);
  });
  expect(shown.map(({ name }) => name)).toEqual(['POST /v1/purchases/complete']);
});

test('keys are used for what they are for', () => {
  const versions = (field: RegExp) => {
    const found = contents.flatMap((item) =>
      Object.entries(item).flatMap(([name, value]) => (field.test(name) ? [String(value).split('.')[0]] : [])),
    );
    return [...new Set(found)];
  };
  expect({ sealed: versions(/^sealed/), lookups: versions(/^lookup$/) }).toEqual({ sealed: ['e1'], lookups: ['p1'] });
});

test('every job was sent to the queue of its kind', () => {
  expect(scene.misdirected).toEqual([]);
});

test('functions read each of their settings', () => {
  const unread = httpFunctions.flatMap(({ name, settingNames }) =>
    settingNames.filter((setting) => !scene.reads.get(name)?.has(setting)).map((setting) => `${name}: ${setting}`),
  );
  // The others judge the stage where they start, and the console whether its tokens are taken.
  const byStage = httpFunctions.filter(({ name }) => scene.reads.get(name)?.has('STAGE')).map(({ name }) => name);
  expect(unread.filter((setting) => !setting.endsWith(': STAGE'))).toEqual(['console: AUTH_MODE', 'console: OIDC_AUDIENCE']);
  expect(byStage).toEqual(['additions', 'admin', 'pages', 'sellers', 'storefront', 'webhook-endpoints']);
});
