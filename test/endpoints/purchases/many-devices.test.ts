import { beforeEach, describe, expect, test } from '@jest/globals';
import { licenseKey } from '../../../shared/db/keys.ts';
import { takeSeat } from '../../../shared/licenses/license-repository.ts';
import { type BuyerScene, labelsIn, minute, openBuyerScene } from '../../support/scenes/licenses/buyer-scene.ts';

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

  test('of more than one read, whose seats are in their records alone, are all there', async () => {
    const buyer = await scene.buy({ activationLimit: 4000 });
    for (let from = 0; from < 4000; from += 40) {
      scene.passDays(minute);
      const writes = Array.from(
        { length: 40 },
        (_, index) =>
          takeSeat(buyer.license, {
            deviceHash: `HASH${String(((from + index) * 7919) % 4001).padStart(22, '0')}`,
            deviceLabel: `${String(from + index).padStart(6, '0')}${'x'.repeat(90)}`,
            now: scene.now(),
          })[0]!,
      );
      await scene.table.transact(writes);
    }
    const counted = { UpdateExpression: 'SET activationCount = :all', ExpressionAttributeValues: { ':all': 4000 } };
    await scene.table.write({ update: { Key: licenseKey(buyer.license.lookup), ...counted } });
    scene.takeRequestCounts();
    const first = await buyer.devices();
    expect(scene.takeRequestCounts()['Query']).toBeGreaterThan(1);
    const second = await buyer.devices(first.json.next_cursor);
    const seen = [first, second].flatMap((page) => labelsIn(page).map((label) => Number(label?.slice(0, 6))));
    expect(new Set(seen).size).toBe(100);
    expect(seen.map((index) => Math.floor(index / 40))).toEqual([99, 98, 97].flatMap((moment) => Array(40).fill(moment)).slice(0, 100));
  }, 60_000);
});
