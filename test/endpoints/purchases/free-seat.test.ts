import { beforeEach, describe, expect, test } from '@jest/globals';
import { TransactionCancelled } from '../../../shared/db/dynamo/dynamo.ts';
import { readContents } from '../../support/engines/table-contents.ts';
import { type Buyer, type BuyerScene, openBuyerScene } from '../../support/scenes/licenses/buyer-scene.ts';

let scene: BuyerScene;
beforeEach(async () => {
  scene = await openBuyerScene();
});

const minute = 1 / (24 * 60);

/** Devices that take their seats one minute after another. */
async function seat(buyer: Buyer, ...devices: string[]) {
  for (const device of devices) {
    scene.passDays(minute);
    expect((await buyer.app('activate', device, { label: `the ${device}` })).json.code).toBe('activated');
  }
}

describe('a device that its buyer releases', () => {
  test('loses its seat, which counts a move, is audited and mailed', async () => {
    const buyer = await scene.buy({ activationLimit: 1 });
    await seat(buyer, 'laptop');
    const activationId = buyer.activationId('laptop');
    const reply = await buyer.release('laptop');
    expect(reply.status).toBe(200);
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.json).toEqual({ activation_id: activationId, activation_count: 0, moves_left: 4 });
    expect(await buyer.seats()).toEqual({ activationCount: 0, active: 0 });
    expect((await buyer.devices()).json).toMatchObject({ devices: [], moves_left: 4, moves_reset_at: '2026-03-03T00:01:00.000Z' });
    expect((await buyer.app('validate', 'laptop')).json).toMatchObject({ valid: true, device_activated: false });
    expect((await buyer.app('activate', 'desk')).json.code).toBe('activated');

    expect(await buyer.audited()).toEqual(['buyer license.release_activation']);
    const [mail, ...others] = await buyer.mails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ kind: 'device_released', deviceLabel: 'the laptop', state: 'pending' });
    expect(scene.queue.sent).toEqual([`send-mail:${buyer.order.id}/${mail!.mailId}`]);
  });

  test('again, or after its app did it, counts no move and tells nobody', async () => {
    const buyer = await scene.buy();
    await seat(buyer, 'laptop', 'desk');
    await buyer.app('deactivate', 'desk');
    expect((await buyer.release('desk')).json).toEqual({
      activation_id: buyer.activationId('desk'),
      activation_count: 1,
      moves_left: 5,
    });
    await buyer.release('laptop');
    expect(await buyer.release('laptop')).toMatchObject({ status: 200, json: { activation_count: 0, moves_left: 4 } });
    expect(await buyer.mails()).toHaveLength(1);
    expect(await buyer.audited()).toHaveLength(1);
  });

  test('is refused when the terms forbid it, whether or not it is known', async () => {
    const buyer = await scene.buy({ deactivationAllowed: false });
    await seat(buyer, 'laptop');
    const forbidden = { status: 400, json: { code: 'deactivation_not_allowed' } };
    expect(await buyer.release('laptop')).toMatchObject(forbidden);
    expect(await buyer.release('never seen')).toMatchObject(forbidden);
    expect(await buyer.seats()).toEqual({ activationCount: 1, active: 1 });
  });

  test('is refused after five in 30 days, until the first of them is 30 days old', async () => {
    const buyer = await scene.buy({ activationLimit: 10 });
    await seat(buyer, 'a', 'b', 'c', 'd', 'e', 'f', 'g');
    await buyer.release('a');
    const first = scene.now();
    scene.passDays(10);
    for (const device of ['b', 'c', 'd', 'e']) expect((await buyer.release(device)).status).toBe(200);
    const resetAt = new Date(first.getTime() + 30 * 24 * 3600_000).toISOString();
    expect((await buyer.devices()).json).toMatchObject({ moves_left: 0, moves_reset_at: resetAt, activation_count: 2 });
    const refused = await buyer.release('f');
    expect(refused).toMatchObject({ status: 403, json: { code: 'moves_exhausted' } });
    expect(refused.headers['cache-control']).toBe('no-store');
    expect((await buyer.release('a')).json).toEqual({ activation_id: buyer.activationId('a'), activation_count: 2, moves_left: 0 });
    expect((await buyer.release('never seen')).status).toBe(404);

    scene.passDays(20 - minute / 60);
    expect((await buyer.release('f')).status).toBe(403);
    scene.passDays(minute / 60);
    expect((await buyer.devices()).json).toMatchObject({
      moves_left: 1,
      moves_reset_at: new Date(first.getTime() + 40 * 24 * 3600_000).toISOString(),
    });
    expect((await buyer.release('f')).json).toMatchObject({ moves_left: 0, activation_count: 1 });
    expect((await buyer.release('g')).status).toBe(403);
    scene.passDays(30);
    expect((await buyer.devices()).json).toMatchObject({ moves_left: 5 });
    expect((await buyer.devices()).json).not.toHaveProperty('moves_reset_at');
  });

  test('while another spends the last move is told so after one try, however its transactions are crowded out', async () => {
    let tried = 0;
    let isCrowded = false;
    const crowd = async <T>(name: string, make: () => Promise<T>): Promise<T> => {
      if (!isCrowded || name !== 'TransactWriteItems') return make();
      tried += 1;
      isCrowded = false;
      if (tried === 1) expect((await buyer.release('desk')).json).toMatchObject({ moves_left: 0 });
      isCrowded = true;
      throw new TransactionCancelled([{ code: 'TransactionConflict', old: undefined }]);
    };
    scene = await openBuyerScene({ faults: { call: crowd }, environment: { BUYER_MOVES: '1' } });
    const buyer = await scene.buy();
    await seat(buyer, 'laptop', 'desk');
    isCrowded = true;
    expect(await buyer.release('laptop')).toMatchObject({ status: 403, json: { code: 'moves_exhausted' } });
    expect(tried).toBe(1);
  });

  test('by its app or by an admin counts no move', async () => {
    const buyer = await scene.buy({ activationLimit: 10 });
    await seat(buyer, 'a', 'b', 'c');
    await buyer.app('deactivate', 'a');
    expect((await buyer.admin('POST', `/activations/${buyer.activationId('b')}/release`)).status).toBe(200);
    expect((await buyer.devices()).json).toMatchObject({ moves_left: 5, activation_count: 1 });
    expect((await buyer.devices()).json).not.toHaveProperty('moves_reset_at');
  });

  test('leaves its label and fingerprint, the token and the key out of logs and messages', async () => {
    const buyer = await scene.buy();
    await seat(buyer, 'laptop');
    await buyer.devices();
    await buyer.release('laptop');
    await buyer.ask('devices/unknown/release');
    const told = [...scene.logged, ...scene.queue.sent].join('\n');
    for (const secret of ['the laptop', buyer.token, buyer.firstKey]) expect(told).not.toContain(secret);
    expect(JSON.stringify(await readContents(scene))).not.toContain(buyer.firstKey);
  });
});
