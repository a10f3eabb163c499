import { beforeEach, describe, expect, test } from '@jest/globals';
import { createLicenseRepository } from '../../../shared/licenses/license-repository.ts';
import { type BuyerScene, labelsIn, minute, openBuyerScene, seatDevices } from '../../support/scenes/licenses/buyer-scene.ts';

let scene: BuyerScene;
beforeEach(async () => {
  scene = await openBuyerScene();
});

describe('many devices', () => {
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
    const seen = [first, second].flatMap((page) => labelsIn(page).map((label) => Number(label?.slice(0, 6))));
    expect(new Set(seen).size).toBe(100);
    expect(seen.map((index) => Math.floor(index / 40))).toEqual([99, 98, 97].flatMap((moment) => Array(40).fill(moment)).slice(0, 100));
  }, 60_000);

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
    await seatDevices(scene, buyer, 'laptop', 'desk');
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
});
