import { beforeEach, describe, expect, test } from '@jest/globals';
import { licenseKey } from '../../../shared/db/keys.ts';
import { createInterleaver, inEveryOrder } from '../../support/interleave.ts';
import { type Buyer, type BuyerScene, openBuyerScene } from '../../support/scenes/licenses/buyer-scene.ts';

const minutes = (count: number) => count / (24 * 60);

let scene: BuyerScene;
let buyer: Buyer;
const former = ['laptop', 'desk'];
beforeEach(async () => {
  scene = await openBuyerScene();
  buyer = await scene.buy({ activationLimit: 100 });
  for (const device of former) await buyer.app('activate', device);
  await buyer.app('deactivate', 'desk');
});

/** Both keys answer as they must, and the devices of both are devices of the license. */
async function expectReplaced(seats = 0) {
  for (const verb of ['validate', 'activate', 'deactivate'] as const) {
    expect((await buyer.app(verb, 'laptop', { of: buyer.firstKey })).json).toEqual({
      valid: false,
      code: 'license_replaced',
      checked_at: scene.now().toISOString(),
    });
  }
  expect((await buyer.app('validate', 'nothing')).json).toMatchObject({ valid: true, activation_count: seats });
  expect(await buyer.seats()).toEqual({ activationCount: seats, active: seats });
  const { json } = await buyer.admin('GET', '?limit=100');
  for (const device of former) {
    expect(await buyer.release(device, buyer.firstKey)).toMatchObject({ status: 200, json: { moves_left: 5 } });
    const own = json.activations.filter(({ id }: { id: string }) => id === buyer.activationId(device, buyer.firstKey));
    expect(own).toEqual([expect.objectContaining({ deactivated_at: expect.any(String) })]);
  }
}

async function rekeyUntilNothingIsLeft() {
  for (let pass = 0; pass < 6; pass += 1) {
    const report = await scene.rekey();
    expect(report.failures).toEqual([]);
    if (report.left === 0) return;
    scene.passDays(minutes(2));
  }
  throw new Error('Something is left.');
}

describe('a replaced key', () => {
  test.each([
    ['before the new pepper is known', ['1'], ['2', '1']],
    ['while the new pepper is staged', ['1', '2'], ['2', '1']],
    ['under the new pepper, before its license moved', ['2', '1'], ['2', '1']],
  ])('replaced %s is answered as such when the old pepper is retired', async (_, atReplacement, atRekeying) => {
    scene.setPeppers(...atReplacement);
    await buyer.replaceKey();
    await expectReplaced();
    scene.setPeppers(...atRekeying);
    await rekeyUntilNothingIsLeft();
    scene.setPeppers('2');
    await expectReplaced();
    expect((await buyer.app('activate', 'laptop')).json.code).toBe('activated');
    scene.setPeppers('3', '2');
    await rekeyUntilNothingIsLeft();
    scene.setPeppers('3');
    await expectReplaced(1);
  });

  test('counts as left until it is known under the current pepper', async () => {
    await buyer.replaceKey();
    scene.setPeppers('2', '1');
    expect(await scene.rekey()).toEqual({ moved: 1, finished: 1, left: 1, failures: [] });
    scene.passDays(minutes(2));
    expect(await scene.rekey()).toEqual({ moved: 0, finished: 1, left: 0, failures: [] });
    expect(await scene.rekey()).toEqual({ moved: 0, finished: 0, left: 0, failures: [] });
  });

  test('that cannot be decrypted is left, and named', async () => {
    await buyer.replaceKey();
    const unknown = { UpdateExpression: 'SET sealedKey = :key', ExpressionAttributeValues: { ':key': 'e0.AAAA' } };
    await scene.table.write({ update: { Key: licenseKey(buyer.license.lookup), ...unknown } });
    scene.setPeppers('2', '1');
    expect(await scene.rekey()).toMatchObject({ left: 2, failures: [{ licenseId: buyer.license.id, reason: 'Error' }] });
  });

  test('turned back half-way is answered as such still', async () => {
    scene.setPeppers('2', '1');
    await scene.rekey();
    await buyer.replaceKey();
    scene.setPeppers('1', '2');
    await rekeyUntilNothingIsLeft();
    await expectReplaced();
    scene.setPeppers('1');
    await expectReplaced();
  });
});

describe('in every order', () => {
  const interleaver = createInterleaver();

  const cases = [0, 1, 2].flatMap((passes) => [
    { passes, stopped: 'the replacement' },
    { passes, stopped: 're-keying' },
  ]);

  test.each(cases)(
    'a key is replaced after $passes passes, during another: $stopped is stopped anywhere',
    async ({ passes, stopped }) => {
      scene = await openBuyerScene({ faults: interleaver });
      const orders = await inEveryOrder(async (picks) => {
        scene.setPeppers('2', '1');
        buyer = await scene.buy();
        await buyer.app('activate', 'laptop');
        const pass = () => scene.rekey(buyer.license.id);
        for (let done = 0; done < passes; done += 1) {
          await pass();
          scene.passDays(minutes(2));
        }
        const replace = () => buyer.direct.replaceKey();
        const rekey = async () => (await pass()).failures;
        if (stopped === 're-keying') expect(await interleaver.run<unknown>(picks, [rekey, replace])).toEqual([[], 'replaced']);
        else expect(await interleaver.run<unknown>(picks, [replace, rekey])).toEqual(['replaced', []]);

        await buyer.learnKey();
        await rekeyUntilNothingIsLeft();
        for (const peppers of [['2', '1'], ['2']]) {
          scene.setPeppers(...peppers);
          expect((await buyer.app('validate', 'laptop', { of: buyer.firstKey })).json.code).toBe('license_replaced');
        }
        expect((await buyer.app('activate', 'laptop')).json).toMatchObject({ code: 'activated', activation_count: 1 });
        expect(await buyer.seats()).toEqual({ activationCount: 1, active: 1 });
        expect(await buyer.direct.release('laptop', buyer.firstKey)).toMatchObject({ movesLeft: 5 });
      });
      expect(orders).toBeGreaterThanOrEqual(3);
    },
    120_000,
  );
});
