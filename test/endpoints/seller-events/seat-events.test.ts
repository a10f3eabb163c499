import { beforeAll, describe, expect, test } from '@jest/globals';
import { createEventLog, told } from '../../support/scenes/events/event-log.ts';
import { type Buyer, type BuyerScene, openBuyerScene, seatDevices } from '../../support/scenes/licenses/buyer-scene.ts';

let scene: BuyerScene;
let events: ReturnType<typeof createEventLog>;
beforeAll(async () => {
  scene = await openBuyerScene();
  events = createEventLog({ table: scene.table });
});

const idsOf = ({ license: { id, orderId, productId } }: Buyer) => ({ licenseId: id, orderId, productId });

/** What the seller is told of since the purchase, each without the ids that all have. */
async function toldOf(buyer: Buyer) {
  const recorded = await events.recordedOf(buyer.license.sellerId);
  return recorded.map((event) => {
    const { licenseId, orderId, productId, ...rest } = told(event) as Record<string, unknown>;
    expect({ licenseId, orderId, productId }).toEqual(idsOf(buyer));
    return rest;
  });
}

const created = (activationId: string, activationCount: number, activationLimit = 2) => ({
  type: 'activation.created',
  activationId,
  activationCount,
  activationLimit,
});
const released = (activationId: string, activationCount: number, activationLimit = 2) => ({
  ...created(activationId, activationCount, activationLimit),
  type: 'activation.released',
  releasedCount: 1,
});
const refused = { type: 'activation.refused', code: 'activation_limit_exceeded', activationCount: 2, activationLimit: 2 };

describe('what the seller is told of a seat', () => {
  test('that a device took it and left it, once each, and nothing of what changed nothing', async () => {
    const buyer = await scene.buy();
    const desk = buyer.activationId('desk');
    for (const verb of ['validate', 'activate', 'activate', 'validate', 'deactivate', 'deactivate'] as const) await buyer.app(verb, 'desk');
    expect(await toldOf(buyer)).toEqual([created(desk, 1), released(desk, 0)]);
    await buyer.app('activate', 'desk', { label: 'Ann’s desk' });
    expect(await toldOf(buyer)).toEqual([created(desk, 1), released(desk, 0), created(desk, 1)]);
  });

  test('that there was none left, each time, and again what is free', async () => {
    const buyer = await scene.buy();
    await seatDevices(scene, buyer, 'desk', 'laptop');
    for (let time = 0; time < 2; time += 1) {
      expect(await buyer.app('activate', 'phone')).toMatchObject({ status: 409, json: { code: 'activation_limit_exceeded' } });
    }
    const seated = [created(buyer.activationId('desk'), 1), created(buyer.activationId('laptop'), 2)];
    expect(await toldOf(buyer)).toEqual([...seated, refused, refused]);
    await buyer.app('deactivate', 'desk');
    await buyer.app('activate', 'phone');
    expect((await toldOf(buyer)).slice(4)).toEqual([released(buyer.activationId('desk'), 1), created(buyer.activationId('phone'), 2)]);
  });

  test('nothing of a device that is refused for another reason, or has its seat already', async () => {
    const buyer = await scene.buy({ activationLimit: 1, deactivationAllowed: false });
    await buyer.app('activate', 'desk');
    expect((await buyer.app('activate', 'desk')).json.code).toBe('already_activated');
    expect((await buyer.app('deactivate', 'desk')).json.code).toBe('deactivation_not_allowed');
    await buyer.app('activate', 'desk', { of: 'LIC1-AAAAA-AAAAA-AAAAA-AAAAA-AAAAA' });
    await buyer.hold('disputed');
    expect((await buyer.app('activate', 'phone')).json.code).toBe('license_disputed');
    expect(await toldOf(buyer)).toEqual([created(buyer.activationId('desk'), 1, 1)]);
  });

  test('that an offline device took it', async () => {
    const buyer = await scene.buy({ offlineFileDays: 30, activationLimit: 1 });
    const ask = (device: string) => {
      const code = Buffer.from(JSON.stringify({ p: buyer.license.productId, d: device })).toString('base64url');
      return scene.activateOffline({ license_key: buyer.firstKey, request_code: `LAR1.${code}` });
    };
    expect([(await ask('mine')).status, (await ask('mine')).status, (await ask('plant')).status]).toEqual([200, 200, 409]);
    const full = { ...refused, activationCount: 1, activationLimit: 1 };
    expect(await toldOf(buyer)).toEqual([created(buyer.activationId('mine'), 1, 1), full]);
  });

  test('that an admin or the buyer freed it, once', async () => {
    const buyer = await scene.buy();
    await seatDevices(scene, buyer, 'desk', 'laptop');
    for (let time = 0; time < 2; time += 1) {
      const path = `/activations/${buyer.activationId('desk')}/release`;
      expect((await buyer.admin('POST', path)).status).toBe(200);
      expect((await buyer.release('laptop')).status).toBe(200);
    }
    expect((await toldOf(buyer)).slice(2)).toEqual([released(buyer.activationId('desk'), 1), released(buyer.activationId('laptop'), 0)]);
  });

  test('that every one was freed at once when the key was replaced, and nothing when there was none to free', async () => {
    const buyer = await scene.buy();
    await seatDevices(scene, buyer, 'desk', 'laptop');
    expect((await buyer.replaceKey()).status).toBe(200);
    const all = { type: 'activation.released', releasedCount: 2, activationCount: 0, activationLimit: 2 };
    expect((await toldOf(buyer)).slice(2)).toEqual([all]);
    const unused = await scene.buy();
    expect((await unused.replaceKey()).status).toBe(200);
    expect(await toldOf(unused)).toEqual([]);
  });
});

describe('what the seller is told of a status', () => {
  test.each([
    ['active', {}],
    ['suspended', { suspendedAt: '2026-01-31T12:00:00.000Z' }],
  ])('that an admin revoked the license, once, and that it was %s', async (previousStatus, facts) => {
    const buyer = await scene.buy(facts);
    for (let time = 0; time < 2; time += 1) expect((await buyer.admin('POST', '/revoke')).status).toBe(200);
    expect(await toldOf(buyer)).toEqual([{ type: 'license.status_changed', previousStatus, status: 'revoked' }]);
  });
});

test('an event is a job that carries ids, counts and statuses alone: no key, label, fingerprint or address', async () => {
  const buyer = await scene.buy();
  await buyer.app('activate', 'the fingerprint', { label: 'Ann’s desk' });
  const [event] = await events.recordedOf(buyer.license.sellerId);
  expect(event).toEqual({
    id: expect.stringMatching(/^evt_[0-9A-Z]{26}$/),
    sellerId: buyer.license.sellerId,
    type: 'activation.created',
    at: scene.now().toISOString(),
    data: { ...idsOf(buyer), activationId: buyer.activationId('the fingerprint'), activationCount: 1, activationLimit: 2 },
  });
});
