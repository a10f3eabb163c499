import { beforeAll, describe, expect, test } from '@jest/globals';
import { findLicenses } from '../../../shared/licenses/license-repository.ts';
import { createInterleaver, inEveryOrder } from '../../support/interleave.ts';
import { type Buyer, type BuyerScene, openBuyerScene } from '../../support/scenes/licenses/buyer-scene.ts';

const interleaver = createInterleaver();
let scene: BuyerScene;
beforeAll(async () => {
  scene = await openBuyerScene({ faults: interleaver, environment: { BUYER_MOVES: '1' } });
});

const consistent = async (buyer: Buyer, seats: number) => expect(await buyer.seats()).toEqual({ activationCount: seats, active: seats });
const movesLeft = async (buyer: Buyer) => (await buyer.devices()).json.moves_left;

/**
 * Stops each of two requests about a new license, on which the laptop has a seat, wherever it may be
 * stopped, and lets the other come in between. Returns how many orders there were.
 */
async function meet(
  facts: Parameters<BuyerScene['buy']>[0],
  [one, other]: readonly [(buyer: Buyer) => Promise<unknown>, (buyer: Buyer) => Promise<unknown>],
  then: (buyer: Buyer, replies: any[]) => Promise<void>,
): Promise<number> {
  const prepare = async () => {
    const buyer = await scene.buy(facts);
    await buyer.app('activate', 'laptop');
    return buyer;
  };
  const stopped = await inEveryOrder(async (picks) => {
    const buyer = await prepare();
    await then(buyer, await interleaver.run(picks, [() => one(buyer), () => other(buyer)]));
  });
  const stopping = await inEveryOrder(async (picks) => {
    const buyer = await prepare();
    await then(buyer, (await interleaver.run(picks, [() => other(buyer), () => one(buyer)])).toReversed());
  });
  return stopped + stopping;
}

describe('in every order, a buyer who releases a device', () => {
  const release = (buyer: Buyer) => buyer.direct.release('laptop');
  const hasNoSeat = (buyer: Buyer) => expect.objectContaining({ activationId: buyer.activationId('laptop', buyer.firstKey) });

  test('and its app that leaves: one seat is freed, and at most one move counted', async () => {
    const orders = await meet({}, [release, (buyer) => buyer.app('deactivate', 'laptop')], async (buyer, [released, left]) => {
      expect(released).toEqual(hasNoSeat(buyer));
      await consistent(buyer, 0);
      const byApp = left.json.code === 'deactivated';
      expect(await movesLeft(buyer)).toBe(byApp ? 1 : 0);
      expect(await buyer.mails()).toHaveLength(byApp ? 0 : 1);
    });
    expect(orders).toBeGreaterThanOrEqual(8);
  });

  test('and its app that activates: it has its seat or it has none', async () => {
    await meet({}, [release, (buyer) => buyer.app('activate', 'laptop')], async (buyer, [released, activated]) => {
      expect(released).toEqual(hasNoSeat(buyer));
      await consistent(buyer, activated.json.code === 'activated' ? 1 : 0);
      expect(await movesLeft(buyer)).toBe(0);
    });
  });

  test('and another device that takes the one seat: it has at most one', async () => {
    await meet({ activationLimit: 1 }, [release, (buyer) => buyer.app('activate', 'desk')], async (buyer, [released, activated]) => {
      expect(released).toEqual(hasNoSeat(buyer));
      await consistent(buyer, activated.json.code === 'activated' ? 1 : 0);
    });
  });

  test('twice: both are told that it has no seat, and it counts once', async () => {
    await meet({}, [release, release], async (buyer, replies) => {
      const reply = { activationId: buyer.activationId('laptop'), activationCount: 0, movesLeft: 0 };
      expect(replies).toEqual([reply, reply]);
      await consistent(buyer, 0);
      expect(await buyer.mails()).toHaveLength(1);
    });
  });

  test.each([
    ['the only move', async () => undefined],
    ['the only move beside a replaced key, in one record,', (buyer: Buyer) => buyer.replaceKey()],
  ] as const)('and another with %s: one of them has it', async (_, before) => {
    await inEveryOrder(async (picks) => {
      const buyer = await scene.buy();
      await before(buyer);
      const mails = (await buyer.mails()).length;
      for (const device of ['laptop', 'desk']) await buyer.app('activate', device);
      const replies = await interleaver.run(picks, [() => buyer.direct.release('laptop'), () => buyer.direct.release('desk')]);
      expect(replies.filter((reply) => reply === 'moves_exhausted')).toHaveLength(1);
      await consistent(buyer, 1);
      expect(await buyer.mails()).toHaveLength(mails + 1);
    });
  });

  test('and an admin who does: one seat is freed', async () => {
    const byAdmin = (buyer: Buyer) => buyer.admin('POST', `/activations/${buyer.activationId('laptop')}/release`);
    await meet({}, [release, byAdmin], async (buyer, [released, freed]) => {
      expect(released).toEqual(hasNoSeat(buyer));
      expect(freed.status).toBe(200);
      await consistent(buyer, 0);
      expect(await buyer.audited()).toHaveLength(1);
    });
  });
});

describe('in every order, a buyer who replaces the key', () => {
  const replace = (buyer: Buyer) => buyer.direct.replaceKey();
  const oldKeyIs = async (buyer: Buyer, code: string) =>
    expect((await buyer.app('validate', 'laptop', { of: buyer.firstKey })).json.code).toBe(code);

  test.each(['activate', 'deactivate'] as const)('and an app that asks to %s with the old one: no seat is left of it', async (verb) => {
    const asks = (buyer: Buyer) => buyer.app(verb, verb === 'activate' ? 'desk' : 'laptop', { of: buyer.firstKey });
    const orders = await meet({}, [replace, asks], async (buyer, [replaced, asked]) => {
      expect(replaced).toBe('replaced');
      expect([`${verb}d`, 'license_replaced']).toContain(asked.json.code);
      await buyer.learnKey();
      await consistent(buyer, 0);
      await oldKeyIs(buyer, 'license_replaced');
      expect((await buyer.app('activate', 'desk')).json).toMatchObject({ code: 'activated', activation_count: 1 });
    });
    expect(orders).toBeGreaterThanOrEqual(8);
  });

  test('and an app that validates the old one: it is valid until it is replaced', async () => {
    await inEveryOrder(async (picks) => {
      const buyer = await scene.buy();
      const validate = () => buyer.app('validate', 'laptop', { of: buyer.firstKey });
      const [, asked] = await interleaver.run<any>(picks, [() => replace(buyer), validate]);
      const written = interleaver.made.findIndex(({ task, name }) => task === 0 && name === 'TransactWriteItems');
      const read = interleaver.made.findIndex(({ task, name }) => task === 1 && name === 'BatchGetItem');
      expect(asked.json.code).toBe(read < written ? 'valid' : 'license_replaced');
    });
  });

  test('twice: one replaces it, the other is refused', async () => {
    await meet({}, [replace, replace], async (buyer, replies) => {
      expect(replies.toSorted()).toEqual(['moves_exhausted', 'replaced']);
      expect((await buyer.stored()).formerKeys).toHaveLength(1);
      expect(await buyer.mails()).toHaveLength(1);
    });
  });

  test.each([
    ['is revoked', (buyer: Buyer) => buyer.admin('POST', '/revoke'), { revokedBy: 'admin-1' }, 'license_revoked'],
    ['is refunded', (buyer: Buyer) => buyer.hold('refunded'), { paymentHold: 'refunded' }, 'license_refunded'],
  ] as const)('of a license that %s: it stays so under either key', async (_, stop, facts, code) => {
    await meet({}, [replace, stop], async (buyer, [replaced]) => {
      expect(['replaced', 'license_not_usable']).toContain(replaced);
      expect(await buyer.stored()).toMatchObject(facts);
      await oldKeyIs(buyer, replaced === 'replaced' ? 'license_replaced' : code);
    });
  });

  test('and releases a device at the same moment: it has no seat, and a move counts if it had one', async () => {
    await meet({}, [replace, (buyer) => buyer.direct.release('laptop', buyer.firstKey)], async (buyer, [replaced, released]) => {
      expect(replaced).toBe('replaced');
      expect(released).toMatchObject({ activationCount: 0 });
      await consistent(buyer, 0);
      expect((await buyer.mails()).filter(({ kind }) => kind === 'device_released')).toHaveLength(1 - (await movesLeft(buyer)));
    });
  });

  test('while licenses are listed: the license is on the list', async () => {
    const list = async (buyer: Buyer) => (await findLicenses(scene.table, [buyer.license.id])).get(buyer.license.id);
    await meet({}, [replace, list], async (buyer, [, listed]) => {
      expect(listed).toMatchObject({ id: buyer.license.id, productId: buyer.order.productId, keyHint: expect.any(String) });
    });
  });

  test('while its devices are listed: what is listed are its devices before or after', async () => {
    await meet({}, [replace, (buyer) => buyer.direct.devices()], async (buyer, [, listed]) => {
      expect(listed).toEqual({
        count: listed.devices.length,
        devices: listed.count === 1 ? [buyer.activationId('laptop', buyer.firstKey)] : [],
      });
    });
  });
});
