import { beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '../../../shared/ids.ts';
import { takeSeat } from '../../../shared/licenses/license-repository.ts';
import { type BuyerScene, labelsIn, openBuyerScene, seatDevices } from '../../support/scenes/licenses/buyer-scene.ts';

let scene: BuyerScene;
beforeEach(async () => {
  scene = await openBuyerScene();
});

describe('the devices of a buyer', () => {
  test('are those that have a seat, the newest first, with what the buyer may do', async () => {
    const buyer = await scene.buy({ activationLimit: 5 });
    await seatDevices(scene, buyer, 'desk');
    const deskAt = scene.now().toISOString();
    await seatDevices(scene, buyer, 'tablet', 'laptop');
    await buyer.app('deactivate', 'tablet');
    const reply = await buyer.devices();
    expect(reply.status).toBe(200);
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.json).toEqual({
      license_id: buyer.license.id,
      activation_limit: 5,
      activation_count: 2,
      devices: [
        { activation_id: buyer.activationId('laptop'), device_label: 'the laptop', activated_at: scene.now().toISOString() },
        { activation_id: buyer.activationId('desk'), device_label: 'the desk', activated_at: deskAt },
      ],
      moves_left: 5,
    });
    scene.passDays(1);
    await buyer.app('activate', 'tablet');
    expect(labelsIn(await buyer.devices())).toEqual(['the tablet', 'the laptop', 'the desk']);
  });

  test('without a label have none', async () => {
    const buyer = await scene.buy();
    await buyer.app('activate', 'desk');
    const { devices } = (await buyer.devices()).json;
    expect(devices).toEqual([{ activation_id: buyer.activationId('desk'), activated_at: scene.now().toISOString() }]);
  });

  test('fill exactly one page without a next one', async () => {
    const buyer = await scene.buy({ activationLimit: 50 });
    await Promise.all(Array.from({ length: 50 }, (_, device) => buyer.app('activate', `${device}`)));
    const { json } = await buyer.devices();
    expect(json.devices).toHaveLength(50);
    expect(json).not.toHaveProperty('next_cursor');
  });

  test('are read without those that had a seat before', async () => {
    let read = 0;
    const counting = async <T>(name: string, make: () => Promise<T>) => {
      const reply = await make();
      if (name === 'Query') read += (reply as { items: unknown[] }).items.length;
      return reply;
    };
    scene = await openBuyerScene({ faults: { call: counting } });
    const buyer = await scene.buy({ activationLimit: 3 });
    const former = Array.from({ length: 12 }, (_, device) => `former ${device}`);
    for (const device of former) for (const verb of ['activate', 'deactivate'] as const) await buyer.app(verb, device);
    await seatDevices(scene, buyer, 'desk', 'former 7');
    await seatDevices(scene, buyer, 'tablet');
    await buyer.release('tablet');
    read = 0;
    expect(labelsIn(await buyer.devices())).toEqual(['the former 7', 'the desk']);
    expect(read).toBe(2);
  });

  test.each(['abc', 'x'.repeat(1025)])('of a cursor that is none are refused', async (cursor) => {
    const buyer = await scene.buy();
    expect(await buyer.devices(cursor)).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
  });

  test('of the cursor of another license are refused', async () => {
    const [one, other] = [await scene.buy({ activationLimit: 60 }), await scene.buy({ activationLimit: 60 })];
    await Promise.all(Array.from({ length: 51 }, (_, device) => one.app('activate', `${device}`)));
    const { next_cursor } = (await one.devices()).json;
    expect((await one.devices(next_cursor)).json.devices).toHaveLength(1);
    expect(await other.devices(next_cursor)).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
  });

  test('are shown, and released, whatever became of the license', async () => {
    const then = '2026-01-31T12:00:00.000Z';
    const stops = { paymentHold: 'refunded', suspendedAt: then, revokedAt: then, revokedBy: 'admin-1', expiresAt: then } as const;
    const buyer = await scene.buy(stops);
    await scene.table.transact(takeSeat(buyer.license, { deviceHash: 'A'.repeat(26), now: scene.now() }).slice(0, 1));
    await scene.table.write({
      update: {
        Key: { pk: `LICENSE#${buyer.license.lookup}`, sk: 'LICENSE' },
        UpdateExpression: 'SET activationCount = :one',
        ExpressionAttributeValues: { ':one': 1 },
      },
    });
    expect((await buyer.devices()).json.devices).toHaveLength(1);
    expect(await buyer.ask(`devices/act_${'A'.repeat(26)}/release`)).toMatchObject({ status: 200, json: { activation_count: 0 } });
    expect((await buyer.devices()).json).toMatchObject({ devices: [], activation_count: 0 });
  });
});

describe('who may', () => {
  const paths = (id: string) => ['devices', `devices/${id}/release`, 'replace-key'];

  test('are the holders of a token of any use', async () => {
    for (const use of ['mail', 'redirect', 'admin'] as const) {
      const buyer = await scene.buy();
      await seatDevices(scene, buyer, 'laptop');
      const token = await scene.tokenOf(buyer.order.id, use);
      for (const path of paths(buyer.activationId('laptop'))) expect((await scene.call(path, { token })).status).toBe(200);
    }
  });

  test('are not those with the older form, or with none', async () => {
    const buyer = await scene.buy();
    for (const path of paths(newId('activation'))) {
      const older = { buyer_email: 'buyer@example.com', completion_token: buyer.token };
      for (const body of [older, {}, { token: ' ' }, { token: 7 }]) {
        const reply = await scene.call(path, body);
        expect(reply).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
        expect(reply.headers['cache-control']).toBe('no-store');
      }
    }
  });

  test('are not those whose license is still to come', async () => {
    const buyer = await scene.buy({}, { licenseId: undefined });
    for (const path of paths(newId('activation'))) {
      expect(await buyer.ask(path)).toMatchObject({ status: 403, json: { code: 'license_not_usable' } });
    }
  });

  test('is counted with completions, and refused without a cache', async () => {
    scene = await openBuyerScene({ environment: { RATE_LIMIT_COMPLETE: '3' } });
    const buyer = await scene.buy();
    for (const path of paths(newId('activation'))) await buyer.ask(path);
    for (const path of [...paths(newId('activation')), 'complete']) {
      const reply = await buyer.ask(path);
      expect(reply).toMatchObject({ status: 429, json: { code: 'rate_limited' } });
      expect(reply.headers['cache-control']).toBe('no-store');
    }
  });
});
