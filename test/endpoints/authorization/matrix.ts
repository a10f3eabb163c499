import { describe, expect, test } from '@jest/globals';
import type { Audience } from '../../../shared/http/endpoint.ts';
import { readContents } from '../../support/engines/table-contents.ts';
import type { TestReply } from '../../support/http/http-event.ts';
import { httpFunctions, type Market, type Marketplace, openMarketplace, type Shop } from '../../support/scenes/marketplace.ts';
import { rows } from './all-rows.ts';

export const endpoints = httpFunctions.flatMap(({ name, routes }) =>
  routes.map((endpoint) => ({ name: `${name}: ${endpoint.operationId}`, endpoint })),
);
export type Found = (typeof endpoints)[number];

/** A user with another seller is `stranger`, one without a seller `outsider`. */
export const headersOf = {
  nobody: {},
  outsider: { 'X-User-ID': 'outsider', 'X-User-Email': 'outsider@example.com' },
  stranger: { 'X-User-ID': 'bob', 'X-User-Email': 'bob@example.com' },
  owner: { 'X-User-ID': 'alice', 'X-User-Email': 'alice@example.com' },
  admin: { 'X-User-ID': 'admin', 'X-User-Email': 'admin@example.com' },
};
export type Caller = keyof typeof headersOf;
const everyone = Object.keys(headersOf) as Caller[];

/** Whom the interface has an endpoint for, whatever its declaration says: the first of these whose paths it is on. */
const audiences: readonly [Audience, RegExp][] = [
  ['admin', /^\/v1\/admin\//],
  ['seller', /^\/v1\/(sellers|products|orders|me|overview|webhook-endpoints|api-tokens)(\/|$)/],
  ['anyone', /^/],
];
export const audienceOf = ({ endpoint }: Found): Audience => audiences.find(([, paths]) => paths.test(endpoint.path))?.[0] ?? 'anyone';

const isOwned = (found: Found) => audienceOf(found) === 'seller' && /\{(product|order)_id\}/.test(found.endpoint.path);
const isPersonal = (found: Found) => audienceOf(found) === 'seller' && !isOwned(found);

/** Who is refused, and with what. */
function refusalsOf(found: Found): [Caller, number, string][] {
  const forbidden = (callers: Caller[]) => callers.map((caller): [Caller, number, string] => [caller, 403, 'forbidden']);
  if (audienceOf(found) === 'admin') return forbidden(['nobody', 'outsider', 'stranger', 'owner']);
  if (isOwned(found)) return [['nobody', 401, 'unauthenticated'], ...forbidden(['outsider', 'stranger', 'admin'])];
  return isPersonal(found) ? [['nobody', 401, 'unauthenticated']] : [];
}

const scenes = new WeakMap<Market, Promise<Marketplace>>();

/** A marketplace for requests that change nothing; which each test of them asserts. */
export function sceneOfRefusals(market: Market): Promise<Marketplace> {
  const scene = scenes.get(market) ?? openMarketplace(market);
  scenes.set(market, scene);
  return scene;
}

/** Asks for things of `shop`, with other ids in the place of some of its own. */
export async function prepare({ endpoint, name }: Found, shop: Shop, scene: Marketplace) {
  const { ids = {}, query = '', ...options } = (await rows[name]?.ask?.(shop, scene)) ?? {};
  return {
    ids,
    send(caller: Caller, changes: Record<string, string> = {}): Promise<TestReply> {
      const path = endpoint.path.replaceAll(/\{(\w+)\+?\}/g, (_, id) => encodeURIComponent({ ...ids, ...changes }[id as string] ?? ''));
      return scene.call(endpoint.method, path + query, { ...options, headers: { ...options.headers, ...headersOf[caller] } });
    },
  };
}

/** Asks every endpoint of an audience as each of the callers. */
export function describeEndpoints(audience: Audience, market: () => Market): void {
  const ofAudience = endpoints.filter((found) => audienceOf(found) === audience);
  describe.each(ofAudience)('$name', (found) => describeEndpoint(found, market));
}

function describeEndpoint(found: Found, market: () => Market): void {
  const { reply: expected, toNobodysSeller } = rows[found.name] ?? { reply: () => ({ status: 0 }) };
  const refusals = refusalsOf(found);

  if (refusals.length > 0) {
    test(`refuses ${refusals.map(([caller]) => caller).join(', ')}, and writes nothing`, async () => {
      const scene = await sceneOfRefusals(market());
      const { send } = await prepare(found, scene.own, scene);
      const before = await readContents(scene);
      const sent = scene.queue.sent.length;
      for (const [caller, status, code] of refusals) {
        const reply = await send(caller);
        const body = { code, message: expect.any(String), request_id: expect.any(String) };
        expect({ caller, status: reply.status, json: reply.json }).toEqual({ caller, status, json: body });
        expect(reply.headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
      }
      expect(await readContents(scene)).toEqual(before);
      expect(scene.queue.sent).toHaveLength(sent);
    });
  }

  const refused = refusals.map(([caller]) => caller);
  const allowed = everyone.filter((caller) => !refused.includes(caller));
  // What is only read can be read by each of them in turn.
  const groups = found.endpoint.method === 'GET' ? [allowed] : allowed.map((caller) => [caller]);
  test.each(groups.map((callers) => [callers.join(', '), callers] as const))(
    'answers %s with exactly what is theirs',
    async (_, callers) => {
      const scene = await openMarketplace(market(), { CONSOLE_CLIENT_ID: 'console' });
      for (const caller of callers) {
        const shop = caller === 'stranger' && isPersonal(found) ? scene.other : scene.own;
        const { send } = await prepare(found, shop, scene);
        const hasNone = isPersonal(found) && (caller === 'outsider' || caller === 'admin');
        const wanted = hasNone && toNobodysSeller ? toNobodysSeller(shop, scene, caller) : expected(shop, scene);
        const { status, json, text } = await send(caller);
        expect({ caller, status, ...('text' in wanted ? { text } : { json }) }).toEqual({ caller, ...wanted });
      }
    },
  );
}
