import { beforeAll, expect, test } from '@jest/globals';
import type { License } from '../../../shared/licenses/license.ts';
import { type LeaseScene, openLeaseScene } from '../../support/scenes/lease-scene.ts';

let scene: LeaseScene;
beforeAll(async () => {
  scene = await openLeaseScene();
});

const buy = async (facts: Partial<License> = {}) => {
  const { license, on } = await scene.buy(facts);
  const ask = async (verb: 'validate' | 'activate' | 'deactivate', more: object = {}, device = 'laptop') =>
    (await scene.ask(verb, { ...on(device), update_feed: true, ...more })).json;
  return { license, ask };
};
const feedOf = ({ update_feed_url, update_feed_expires_at }: Record<string, unknown>) => update_feed_url ?? update_feed_expires_at;

test('a device with a seat gets the address of its feeds for a day, and the reply is kept nowhere', async () => {
  const { license, ask } = await buy();
  const base = `${scene.issuer}/v1/updates/${license.productId}/`;
  for (const verb of ['activate', 'validate'] as const) {
    const reply = await scene.ask(verb, { ...(await scene.buy()).on('laptop'), update_feed: true });
    expect(reply.headers['cache-control']).toBe('no-store');
    const { update_feed_url, update_feed_expires_at } = await ask(verb);
    expect(update_feed_url).toMatch(new RegExp(`^${base}[\\w-]+\\.[\\w-]+\\.[\\w-]+$`));
    expect(update_feed_expires_at).toBe('2026-02-02T00:00:00.000Z');
  }
});

test('nobody else gets one', async () => {
  const { ask } = await buy();
  expect(feedOf(await ask('validate'))).toBeUndefined();
  expect(feedOf(await ask('activate', { update_feed: false }))).toBeUndefined();
  expect(feedOf(await ask('activate', { update_feed: undefined }))).toBeUndefined();
  expect(feedOf(await ask('validate', {}, 'another device'))).toBeUndefined();
  expect(feedOf(await ask('deactivate'))).toBeUndefined();
  const suspended = await buy({ suspendedAt: '2026-01-31T09:00:00.000Z' });
  expect(feedOf(await suspended.ask('activate'))).toBeUndefined();
});

test('a license without leases has feeds, and a test key has none', async () => {
  const [plain, test] = [await buy({ offlineDays: 0 }), await buy()];
  expect(feedOf(await plain.ask('activate'))).toBeDefined();
  await scene.forget(test.license, 'orderId');
  expect(await test.ask('activate')).toMatchObject({ test: true, lease: expect.any(String) });
  expect(feedOf(await test.ask('validate'))).toBeUndefined();
});

test.each(['validate', 'activate', 'deactivate'] as const)('%s takes nothing but true and false', async (verb) => {
  const { ask } = await buy();
  expect(await ask(verb, { update_feed: 'yes' })).toMatchObject({ code: 'invalid_request', message: 'update_feed must be true or false' });
});
