import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { TransactionCancelled } from '../../../shared/db/dynamo/dynamo.ts';
import { licenseKey } from '../../../shared/db/keys.ts';
import { newId } from '../../../shared/ids.ts';
import { takeSeat } from '../../../shared/licenses/license-repository.ts';
import type { Faults } from '../../support/engines/faults.ts';
import { readContents } from '../../support/engines/table-contents.ts';
import { type Buyer, type BuyerScene, labelsIn, minute, openBuyerScene, seatDevices } from '../../support/scenes/licenses/buyer-scene.ts';

let scene: BuyerScene;
/** Stands between the functions and the table. */
let between: Faults['call'] | undefined;
beforeAll(async () => {
  scene = await openBuyerScene({ faults: { call: (name, make) => (between ? between(name, make) : make()) } });
});
beforeEach(() => {
  between = undefined;
  scene.queue.sent.length = 0;
});

const days = 24 * 3600_000;
const count = (activationCount: number) => ({
  UpdateExpression: 'SET activationCount = :count',
  ExpressionAttributeValues: { ':count': activationCount },
});

describe('the devices of a buyer', () => {
  test('are those that have a seat, the newest first, with what the buyer may do', async () => {
    const buyer = await scene.buy({ activationLimit: 5 });
    await buyer.app('activate', 'desk');
    const deskAt = scene.now().toISOString();
    await seatDevices(scene, buyer, 'tablet', 'laptop');
    await buyer.app('deactivate', 'tablet');
    const reply = await buyer.devices();
    expect([reply.status, reply.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(reply.json).toEqual({
      license_id: buyer.license.id,
      activation_limit: 5,
      activation_count: 2,
      devices: [
        { activation_id: buyer.activationId('laptop'), device_label: 'the laptop', activated_at: scene.now().toISOString() },
        { activation_id: buyer.activationId('desk'), activated_at: deskAt },
      ],
      moves_left: 5,
    });
    scene.passDays(1);
    await buyer.app('activate', 'tablet');
    expect(labelsIn(await buyer.devices())).toEqual(['the tablet', 'the laptop', undefined]);
  });

  test('come in pages of 50, each once, also those of one moment and of more than one read, under a cursor of this license alone', async () => {
    const [buyer, other] = [await scene.buy({ activationLimit: 120 }), await scene.buy({ activationLimit: 100 })];
    await scene.seatMany(buyer.license, 3, 40);
    await scene.table.write({ update: { Key: licenseKey(buyer.license.lookup), ...count(120) } });
    scene.takeRequestCounts();
    const pages = [await buyer.devices()];
    expect(scene.takeRequestCounts()['Query']).toBeGreaterThan(1);
    while (pages.at(-1)?.json.next_cursor) pages.push(await buyer.devices(pages.at(-1)?.json.next_cursor));
    expect(pages.map(({ json }) => json.devices.length)).toEqual([50, 50, 20]);
    expect(new Set(pages.flatMap(({ json }) => json.devices.map((device: any) => device.activation_id))).size).toBe(120);
    expect(pages.flatMap(labelsIn)).toEqual(['2', '1', '0'].flatMap((moment) => Array(40).fill(moment)));
    for (const cursor of [pages[0]?.json.next_cursor, 'abc', 'x'.repeat(1025)]) {
      expect(await other.devices(cursor)).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
    }
  });

  test('are read without those that had a seat before', async () => {
    const buyer = await scene.buy({ activationLimit: 3 });
    const former = Array.from({ length: 12 }, (_, device) => `former ${device}`);
    for (const device of former) for (const verb of ['activate', 'deactivate'] as const) await buyer.app(verb, device);
    await seatDevices(scene, buyer, 'desk', 'former 7');
    await seatDevices(scene, buyer, 'tablet');
    await buyer.release('tablet');
    let read = 0;
    between = async (name, make) => {
      const reply = await make();
      if (name === 'Query') read += (reply as { items: unknown[] }).items.length;
      return reply;
    };
    expect(labelsIn(await buyer.devices())).toEqual(['the former 7', 'the desk']);
    expect(read).toBe(2);
  });

  test('are shown, and released, whatever became of the license', async () => {
    const then = '2026-01-31T12:00:00.000Z';
    const stops = { paymentHold: 'refunded', suspendedAt: then, revokedAt: then, revokedBy: 'admin-1', expiresAt: then } as const;
    const buyer = await scene.buy(stops);
    await scene.table.transact(takeSeat(buyer.license, { deviceHash: 'A'.repeat(26), now: scene.now() }).slice(0, 1));
    await scene.table.write({ update: { Key: licenseKey(buyer.license.lookup), ...count(1) } });
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

  test('are not those with the older form or none, nor those whose license is still to come', async () => {
    const [buyer, waiting] = [await scene.buy(), await scene.buy({}, { licenseId: undefined })];
    for (const path of paths(newId('activation'))) {
      for (const body of [{ buyer_email: 'buyer@example.com', completion_token: buyer.token }, {}]) {
        expect(await scene.call(path, body)).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
      }
      expect(await waiting.ask(path)).toMatchObject({ status: 403, json: { code: 'license_not_usable' } });
    }
  });
});

describe('a device that its buyer releases', () => {
  const release = async (buyer: Buyer, device: string) => {
    const { status, json } = await buyer.release(device);
    return [status, json.code ?? json.moves_left];
  };

  test('loses its seat, which counts a move, is audited and mailed', async () => {
    const buyer = await scene.buy({ activationLimit: 1 });
    await seatDevices(scene, buyer, 'laptop');
    const activation_id = buyer.activationId('laptop');
    expect(await buyer.release('laptop')).toMatchObject({ status: 200, json: { activation_id, activation_count: 0, moves_left: 4 } });
    expect(await buyer.seats()).toEqual({ activationCount: 0, active: 0 });
    const moves_reset_at = new Date(scene.now().getTime() + 30 * days).toISOString();
    expect((await buyer.devices()).json).toMatchObject({ devices: [], moves_left: 4, moves_reset_at });
    expect((await buyer.app('validate', 'laptop')).json).toMatchObject({ valid: true, device_activated: false });
    expect((await buyer.app('activate', 'desk')).json.code).toBe('activated');

    expect(await buyer.audited()).toEqual(['buyer license.release_activation']);
    const mails = await buyer.mails();
    expect(mails).toMatchObject([{ kind: 'device_released', deviceLabel: 'the laptop', state: 'pending' }]);
    expect(scene.queue.sent).toEqual([`send-mail:${buyer.order.id}/${mails[0]!.mailId}`]);
  });

  test.each([
    ['paid', 'redirect', 'the laptop'],
    ['free', 'redirect', undefined],
    ['free', 'admin', undefined],
    ['free', 'mail', 'the laptop'],
  ] as const)('of a %s order, by a link of use %s, is mailed as %s', async (price, use, label) => {
    const buyer = await scene.buy({}, price === 'free' ? { amount: 0 } : {});
    await seatDevices(scene, buyer, 'laptop');
    const token = await scene.tokenOf(buyer.order.id, use);
    expect((await scene.call(`devices/${buyer.activationId('laptop')}/release`, { token })).status).toBe(200);
    expect((await buyer.mails()).map(({ deviceLabel }) => deviceLabel)).toEqual([label]);
  });

  test('again, or after its app or an admin did it, counts no move and tells nobody', async () => {
    const buyer = await scene.buy({ activationLimit: 3 });
    await seatDevices(scene, buyer, 'laptop', 'desk', 'tablet');
    await buyer.app('deactivate', 'desk');
    await buyer.admin('POST', `/activations/${buyer.activationId('tablet')}/release`);
    for (const device of ['desk', 'tablet']) {
      const activation_id = buyer.activationId(device);
      expect((await buyer.release(device)).json).toEqual({ activation_id, activation_count: 1, moves_left: 5 });
    }
    for (const _ of ['once', 'again']) expect(await release(buyer, 'laptop')).toEqual([200, 4]);
    expect(await buyer.mails()).toHaveLength(1);
    expect(await buyer.audited()).toEqual(['buyer license.release_activation', 'admin-1 license.release_activation']);
  });

  test('is refused when the terms forbid it, whether or not it is known', async () => {
    const buyer = await scene.buy({ deactivationAllowed: false });
    await seatDevices(scene, buyer, 'laptop');
    for (const device of ['laptop', 'never seen']) expect(await release(buyer, device)).toEqual([400, 'deactivation_not_allowed']);
    expect(await buyer.seats()).toEqual({ activationCount: 1, active: 1 });
  });

  test('is refused after five in 30 days, until the first of them is 30 days old', async () => {
    const buyer = await scene.buy({ activationLimit: 10 });
    await seatDevices(scene, buyer, 'a', 'b', 'c', 'd', 'e', 'f', 'g');
    await buyer.release('a');
    const moves_reset_at = new Date(scene.now().getTime() + 30 * days).toISOString();
    scene.passDays(10);
    for (const [released, device] of ['b', 'c', 'd', 'e'].entries()) expect(await release(buyer, device)).toEqual([200, 3 - released]);
    expect((await buyer.devices()).json).toMatchObject({ moves_left: 0, moves_reset_at, activation_count: 2 });
    scene.passDays(20 - minute);
    expect(await release(buyer, 'f')).toEqual([403, 'moves_exhausted']);
    expect(await release(buyer, 'a')).toEqual([200, 0]);
    expect(await release(buyer, 'never seen')).toEqual([404, 'activation_not_found']);
    scene.passDays(minute);
    expect(await release(buyer, 'f')).toEqual([200, 0]);
    expect(await release(buyer, 'g')).toEqual([403, 'moves_exhausted']);
  });

  test('while another spends the last move is told so after one try, however its transactions are crowded out', async () => {
    const buyer = await scene.buy({ activationLimit: 10 });
    await seatDevices(scene, buyer, 'a', 'b', 'c', 'd', 'laptop', 'desk');
    for (const device of ['a', 'b', 'c', 'd']) await buyer.release(device);
    let tried = 0;
    const crowd: Faults['call'] = async (name, make) => {
      if (name !== 'TransactWriteItems') return make();
      tried += 1;
      between = undefined;
      if (tried === 1) expect(await release(buyer, 'desk')).toEqual([200, 0]);
      between = crowd;
      throw new TransactionCancelled([{ code: 'TransactionConflict', old: undefined }]);
    };
    between = crowd;
    expect(await release(buyer, 'laptop')).toEqual([403, 'moves_exhausted']);
    expect(tried).toBe(1);
  });

  test('leaves its label and fingerprint, the token and the key out of logs and messages', async () => {
    const buyer = await scene.buy();
    await seatDevices(scene, buyer, 'laptop');
    await buyer.devices();
    await buyer.release('laptop');
    await buyer.ask('devices/unknown/release');
    const told = [...scene.logged, ...scene.queue.sent].join('\n');
    for (const secret of ['the laptop', buyer.token, buyer.firstKey]) expect(told).not.toContain(secret);
    expect(JSON.stringify(await readContents(scene))).not.toContain(buyer.firstKey);
  });
});
