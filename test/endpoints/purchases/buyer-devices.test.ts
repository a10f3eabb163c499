import { beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '../../../shared/ids.ts';
import { createLicenseRepository } from '../../../shared/licenses/license-repository.ts';
import { readContents } from '../../support/engines/table-contents.ts';
import { type Buyer, type BuyerScene, openBuyerScene } from '../../support/scenes/licenses/buyer-scene.ts';

let scene: BuyerScene;
beforeEach(async () => {
  scene = await openBuyerScene();
});

const minute = 1 / (24 * 60);
const labels = (reply: { json: { devices: { device_label?: string }[] } }) => reply.json.devices.map((device) => device.device_label);

/** Devices that take their seats one minute after another. */
async function seat(buyer: Buyer, ...devices: string[]) {
  for (const device of devices) {
    scene.passDays(minute);
    expect((await buyer.app('activate', device, { label: `the ${device}` })).json.code).toBe('activated');
  }
}

describe('the devices of a buyer', () => {
  test('are those that have a seat, the newest first, with what the buyer may do', async () => {
    const buyer = await scene.buy({ activationLimit: 5 });
    await seat(buyer, 'desk');
    const deskAt = scene.now().toISOString();
    await seat(buyer, 'tablet', 'laptop');
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
    await seat(buyer, 'tablet');
    expect(labels(await buyer.devices())).toEqual(['the tablet', 'the laptop', 'the desk']);
  });

  test('without a label have none', async () => {
    const buyer = await scene.buy();
    await buyer.app('activate', 'desk');
    const { devices } = (await buyer.devices()).json;
    expect(devices).toEqual([{ activation_id: buyer.activationId('desk'), activated_at: scene.now().toISOString() }]);
  });

  test('come in pages of 50, each once, also those of one moment', async () => {
    const buyer = await scene.buy({ activationLimit: 120 });
    for (let moment = 0; moment < 3; moment += 1) {
      scene.passDays(minute);
      await Promise.all(Array.from({ length: 40 }, (_, device) => buyer.app('activate', `${moment} ${device}`, { label: `${moment}` })));
    }
    const pages = [];
    let cursor: string | undefined;
    do {
      const { json } = await buyer.devices(cursor);
      pages.push(json.devices);
      cursor = json.next_cursor;
    } while (cursor);
    expect(pages.map((page) => page.length)).toEqual([50, 50, 20]);
    expect(new Set(pages.flat().map((device) => device.activation_id)).size).toBe(120);
    expect(pages.flat().map((device) => device.device_label)).toEqual([2, 1, 0].flatMap((moment) => Array(40).fill(`${moment}`)));
  });

  test('fill exactly one page without a next one', async () => {
    const buyer = await scene.buy({ activationLimit: 50 });
    await Promise.all(Array.from({ length: 50 }, (_, device) => buyer.app('activate', `${device}`)));
    const { json } = await buyer.devices();
    expect(json.devices).toHaveLength(50);
    expect(json).not.toHaveProperty('next_cursor');
  });

  test('of more than one read of the table are all there', async () => {
    const buyer = await scene.buy({ activationLimit: 4000 });
    const licenses = createLicenseRepository({ table: scene.table });
    for (let from = 0; from < 4000; from += 40) {
      scene.passDays(minute);
      const writes = Array.from(
        { length: 40 },
        (_, index) =>
          licenses.takeSeat(buyer.license, {
            deviceHash: `HASH${String(((from + index) * 7919) % 4001).padStart(22, '0')}`,
            deviceLabel: `${String(from + index).padStart(6, '0')}${'x'.repeat(90)}`,
            now: scene.now(),
          })[0]!,
      );
      await scene.table.transact(writes);
    }
    scene.takeRequestCounts();
    const first = await buyer.devices();
    expect(scene.takeRequestCounts()['Query']).toBeGreaterThan(1);
    const second = await buyer.devices(first.json.next_cursor);
    const seen = [first, second].flatMap((page) => labels(page).map((label) => Number(label?.slice(0, 6))));
    expect(new Set(seen).size).toBe(100);
    expect(seen.map((index) => Math.floor(index / 40))).toEqual([99, 98, 97].flatMap((moment) => Array(40).fill(moment)).slice(0, 100));
  }, 60_000);

  test.each([
    ['no cursor', 'abc'],
    ['blank', ' '],
    ['too long', 'x'.repeat(1025)],
  ])('of a cursor that is %s are refused', async (_, cursor) => {
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

  test.each([
    ['refunded', { paymentHold: 'refunded' as const }],
    ['disputed', { paymentHold: 'disputed' as const }],
    ['suspended', { suspendedAt: '2026-01-31T12:00:00.000Z' }],
    ['revoked', { revokedAt: '2026-01-31T12:00:00.000Z', revokedBy: 'admin-1' }],
    ['expired', { expiresAt: '2026-01-31T12:00:00.000Z' }],
  ])('are shown, and released, of a license that is %s', async (_, facts) => {
    const buyer = await scene.buy({ ...facts });
    const licenses = createLicenseRepository({ table: scene.table });
    await scene.table.transact(licenses.takeSeat(buyer.license, { deviceHash: 'A'.repeat(26), now: scene.now() }).slice(0, 1));
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

  test('is none of another license, nor one that never was', async () => {
    const [buyer, other] = [await scene.buy(), await scene.buy()];
    await seat(other, 'laptop');
    const unknown = { status: 404, json: { code: 'activation_not_found' } };
    const foreign = await buyer.ask(`devices/${other.activationId('laptop')}/release`);
    expect(foreign).toMatchObject(unknown);
    expect(foreign.headers['cache-control']).toBe('no-store');
    expect(await buyer.release('laptop')).toMatchObject(unknown);
    expect(await buyer.ask(`devices/${newId('activation')}/release`)).toMatchObject(unknown);
    expect(await buyer.ask('devices/anything/release')).toMatchObject(unknown);
    expect(await other.seats()).toEqual({ activationCount: 1, active: 1 });
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

  test('by its app or by an admin counts no move', async () => {
    const buyer = await scene.buy({ activationLimit: 10 });
    await seat(buyer, 'a', 'b', 'c');
    await buyer.app('deactivate', 'a');
    expect((await buyer.admin('POST', `/activations/${buyer.activationId('b')}/release`)).status).toBe(200);
    expect((await buyer.devices()).json).toMatchObject({ moves_left: 5, activation_count: 1 });
    expect((await buyer.devices()).json).not.toHaveProperty('moves_reset_at');
  });

  test.each([
    ['0', 0],
    ['1', 1],
    ['7', 7],
  ])('is one of as many as BUYER_MOVES=%s says', async (setting, most) => {
    scene = await openBuyerScene({ environment: { BUYER_MOVES: setting } });
    const buyer = await scene.buy({ activationLimit: 10 });
    await seat(buyer, ...'abcdefghij');
    expect((await buyer.devices()).json.moves_left).toBe(most);
    const statuses = [];
    for (const device of 'abcdefghij') statuses.push((await buyer.release(device)).status);
    expect(statuses).toEqual([...Array(most).fill(200), ...Array(10 - most).fill(403)]);
    expect(await buyer.seats()).toEqual({ activationCount: 10 - most, active: 10 - most });
  });

  test('fifty at once: five are released, for the others the moves are exhausted', async () => {
    const buyer = await scene.buy({ activationLimit: 50 });
    const devices = Array.from({ length: 50 }, (_, index) => `device ${index}`);
    await Promise.all(devices.map((device) => buyer.app('activate', device)));
    const replies = await Promise.all(devices.map((device) => buyer.release(device)));
    const outcomes = Map.groupBy(replies, ({ status, json }) => `${status} ${json.code ?? ''}`);
    expect([...outcomes].map(([outcome, all]) => [outcome, all.length]).toSorted()).toEqual([
      ['200 ', 5],
      ['403 moves_exhausted', 45],
    ]);
    expect(
      replies
        .filter(({ status }) => status === 200)
        .map(({ json }) => json.moves_left)
        .toSorted(),
    ).toEqual([0, 1, 2, 3, 4]);
    expect(await buyer.seats()).toEqual({ activationCount: 45, active: 45 });
    expect(await buyer.mails()).toHaveLength(5);
    expect(await buyer.audited()).toHaveLength(5);
  });

  test.each(['1', '5', '1000'])('the same fifty times at once, with BUYER_MOVES=%s: it counts once', async (setting) => {
    scene = await openBuyerScene({ environment: { BUYER_MOVES: setting } });
    const buyer = await scene.buy();
    await seat(buyer, 'laptop', 'desk');
    const replies = await Promise.all(Array.from({ length: 50 }, () => buyer.release('laptop')));
    const answer = { activation_id: buyer.activationId('laptop'), activation_count: 1, moves_left: Number(setting) - 1 };
    expect(replies.map(({ json }) => json)).toEqual(Array(50).fill(answer));
    expect(await buyer.seats()).toEqual({ activationCount: 1, active: 1 });
    expect(await buyer.mails()).toHaveLength(1);
    expect(await buyer.audited()).toHaveLength(1);
  });

  test('twenty at once with as many moves: all are released', async () => {
    scene = await openBuyerScene({ environment: { BUYER_MOVES: '30' } });
    const buyer = await scene.buy({ activationLimit: 20 });
    const devices = Array.from({ length: 20 }, (_, index) => `device ${index}`);
    await Promise.all(devices.map((device) => buyer.app('activate', device)));
    const replies = await Promise.all(devices.map((device) => buyer.release(device)));
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect((await buyer.devices()).json).toMatchObject({ devices: [], activation_count: 0, moves_left: 10 });
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

describe('who may', () => {
  const paths = (id: string) => ['devices', `devices/${id}/release`, 'replace-key'];

  test('are the holders of a token of any use', async () => {
    for (const use of ['mail', 'redirect', 'admin'] as const) {
      const buyer = await scene.buy();
      await seat(buyer, 'laptop');
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
