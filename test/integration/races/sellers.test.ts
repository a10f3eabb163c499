import { beforeAll, describe, expect, test } from '@jest/globals';
import { sealText } from '../../../shared/crypto/sealed-text.ts';
import { newId } from '../../../shared/ids.ts';
import { getOrder } from '../../../shared/orders/order-repository.ts';
import { createInterleaver, inEveryOrder } from '../../support/interleave.ts';
import { keyringOf } from '../../support/samples/licenses.ts';
import { type DeskScene, openDeskScene, type Sale, type Shop } from '../../support/scenes/licenses/sales-scene.ts';

const interleaver = createInterleaver();
let scene: DeskScene;
let shop: Shop;
beforeAll(async () => {
  scene = await openDeskScene({ faults: interleaver });
  shop = await scene.openShop('alice');
});

const consistent = async (sale: Sale, seats: number) => expect(await sale.seats()).toEqual({ activationCount: seats, active: seats });
const codeOf = async (sale: Sale, device = 'laptop') => (await sale.app('validate', device)).json.code;
/** Where the transaction of a task was committed among all requests, or -1. */
const committed = (task: number) => interleaver.made.findLastIndex((made) => made.task === task && made.name === 'TransactWriteItems');

type Act = (sale: Sale) => Promise<any>;
/**
 * Stops each of two requests about a new sale, on which the laptop has a seat, wherever it may be stopped, and
 * lets the other come in between; `then` is told too when each of the two committed. Returns how many orders there were.
 */
async function meet(
  facts: Parameters<Shop['sell']>[0],
  [one, other]: readonly [Act, Act],
  then: (sale: Sale, replies: any[], committedAt: number[]) => Promise<void>,
  peppers = ['1'],
): Promise<number> {
  let orders = 0;
  for (const swapped of [false, true]) {
    orders += await inEveryOrder(async (picks) => {
      scene.setPeppers('1');
      const sale = await shop.sell(facts);
      await sale.app('activate', 'laptop');
      scene.setPeppers(...peppers);
      const tasks = [() => one(sale), () => other(sale)];
      const replies = await interleaver.run(picks, swapped ? tasks.toReversed() : tasks);
      const inOrder = <T>(values: T[]) => (swapped ? values.toReversed() : values);
      await then(sale, inOrder(replies), inOrder([committed(0), committed(1)]));
    });
  }
  return orders;
}

const suspend: Act = (sale) => sale.suspend();
const activate: Act = (sale) => sale.app('activate', 'desk');

describe('in every order, a seller who suspends a license', () => {
  test('and a device that takes a seat: it takes none afterwards', async () => {
    const seen = new Set<string>();
    await inEveryOrder(async (picks) => {
      const sale = await shop.sell();
      const [suspended, activated] = await interleaver.run<any>(picks, [() => suspend(sale), () => activate(sale)]);
      expect(suspended).toMatchObject({ status: 200, json: { status: 'suspended' } });
      const { code } = activated.json;
      seen.add(code);
      expect(['activated', 'license_suspended']).toContain(code);
      if (code === 'activated') expect(committed(1)).toBeLessThan(committed(0));
      await consistent(sale, code === 'activated' ? 1 : 0);
      expect(await codeOf(sale)).toBe('license_suspended');
    });
    expect(seen.size).toBe(2);
  });

  test('while re-keying begins to move it: it is suspended where it is then, with every seat', async () => {
    const then = async (sale: Sale, [suspended, report]: any[]) => {
      expect(suspended).toMatchObject({ status: 200, json: { status: 'suspended', activation_count: 1 } });
      expect(report).toMatchObject({ moved: 1, failures: [] });
      expect(await codeOf(sale)).toBe('license_suspended');
      expect((await sale.stored()).lookup).toMatch(/^2\./);
      expect((await sale.reinstate()).json.status).toBe('active');
      await consistent(sale, 1);
    };
    const orders = await meet({}, [suspend, (sale) => scene.rekey(sale.license.id)], then, ['2', '1']);
    expect(orders).toBeGreaterThanOrEqual(12);
  });

  test('and a buyer who replaces its key: it is suspended under either key, or under neither', async () => {
    await meet({}, [suspend, (sale) => sale.direct.replaceKey()], async (sale, [suspended, replaced]) => {
      expect(suspended.json.status).toBe('suspended');
      expect(['replaced', 'license_not_usable']).toContain(replaced);
      if (replaced === 'replaced') await sale.learnKey();
      expect((await sale.app('validate', 'laptop')).json.code).toBe('license_suspended');
      await consistent(sale, replaced === 'replaced' ? 0 : 1);
    });
  });

  test('twice: it is suspended since one time, and recorded once', async () => {
    await meet({}, [suspend, suspend], async (sale, replies) => {
      for (const reply of replies) expect(reply).toMatchObject({ status: 200, json: { status: 'suspended' } });
      expect(await sale.audited()).toEqual(['alice license.suspend']);
    });
  });

  test('and an admin who revokes it: both hold, and revoked shows', async () => {
    await meet({}, [suspend, (sale) => sale.admin('POST', '/revoke')], async (sale, replies, [suspended = 0, revoked = 0]) => {
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      expect(await sale.stored()).toMatchObject({ suspendedAt: expect.any(String), revokedBy: 'admin-1' });
      expect(await codeOf(sale)).toBe('license_revoked');
      // The suspension is recorded as it was decided: on what was there when it was written.
      const records = await scene.auditOf(sale.license.id);
      expect(records.map(({ action }) => action).toSorted()).toEqual(['license.revoke', 'license.suspend']);
      const [suspension] = records.filter(({ action }) => action === 'license.suspend');
      const revokedFirst = revoked < suspended;
      expect(suspension?.before).toEqual({ status: revokedFirst ? 'revoked' : 'active', suspended: false });
      expect(suspension?.after).toEqual({ status: revokedFirst ? 'revoked' : 'suspended', suspended: true });
    });
  });

  test('and a refund that holds it: both hold, and refunded shows', async () => {
    await meet({}, [suspend, (sale) => sale.hold('refunded')], async (sale, [suspended]) => {
      expect(suspended.status).toBe(200);
      expect(await codeOf(sale)).toBe('license_refunded');
      await sale.hold(undefined);
      expect(await codeOf(sale)).toBe('license_suspended');
    });
  });

  test('who is suspended at that moment: it was before, or it is refused', async () => {
    const seen = new Set<number>();
    await inEveryOrder(async (picks) => {
      const sale = await shop.sell();
      const [reply] = await interleaver.run<any>(picks, [() => suspend(sale), () => shop.review('suspended')]);
      seen.add(reply.status);
      expect(await codeOf(sale)).toBe(reply.status === 200 ? 'license_suspended' : 'valid');
      if (reply.status !== 200) expect(reply).toMatchObject({ status: 403, json: { code: 'seller_not_eligible' } });
      const reviewed = interleaver.made.findLastIndex(({ task }) => task === 1);
      if (reply.status === 200) expect(committed(0)).toBeLessThan(reviewed);
      await shop.review('approved');
    });
    expect(seen).toEqual(new Set([200, 403]));
  });

  test('who has a link mailed, and is suspended at that moment: it was mailed before, or it is refused and never is', async () => {
    const seen = new Set<number>();
    await inEveryOrder(async (picks) => {
      const id = newId('order');
      const sale = await shop.sell({}, { id, sealedBuyerEmail: sealText(`${id}@example.com`, id, keyringOf('e1')) });
      const [reply] = await interleaver.run<any>(picks, [() => sale.resend(), () => shop.review('suspended')]);
      seen.add(reply.status);
      const reviewed = interleaver.made.findLastIndex(({ task }) => task === 1);
      if (reply.status === 202) expect(committed(0)).toBeLessThan(reviewed);
      else expect((await getOrder(scene.table, id)).completionMailId).toBeUndefined();
      await shop.review('approved');
    });
    expect(seen).toEqual(new Set([202, 403]));
  });
});

describe('in every order, a seller who changes the limit', () => {
  test('to less, and a device that takes the last seat: it has it, or it is refused', async () => {
    await meet({ activationLimit: 2 }, [(sale) => sale.limit(1), activate], async (sale, [limited, activated]) => {
      expect(limited).toMatchObject({ status: 200, json: { activation_limit: 1 } });
      const has = activated.status === 200;
      if (!has) expect(activated).toMatchObject({ status: 409, json: { code: 'activation_limit_exceeded' } });
      await consistent(sale, has ? 2 : 1);
      expect((await sale.stored()).activationLimit).toBe(1);
      expect((await sale.app('activate', 'tablet')).status).toBe(409);
    });
  });

  test('while re-keying moves the license: the limit is that which was set', async () => {
    const then = async (sale: Sale, [limited, report]: any[]) => {
      expect(limited).toMatchObject({ status: 200, json: { activation_limit: 7 } });
      expect(report).toMatchObject({ moved: 1, failures: [] });
      expect(await sale.stored()).toMatchObject({ activationLimit: 7, activationCount: 1 });
      expect((await sale.app('validate', 'laptop')).json).toMatchObject({ activation_limit: 7, device_activated: true });
    };
    await meet({ activationLimit: 2 }, [(sale) => sale.limit(7), (sale) => scene.rekey(sale.license.id)], then, ['2', '1']);
  });

  test('and a buyer who replaces the key: the limit is that which was set', async () => {
    await meet({}, [(sale) => sale.limit(7), (sale) => sale.direct.replaceKey()], async (sale, [limited, replaced]) => {
      expect([limited.status, replaced]).toEqual([200, 'replaced']);
      expect(await sale.stored()).toMatchObject({ activationLimit: 7, formerKeys: [{}] });
    });
  });

  test('and again at the same time: each record begins where the one before it ended', async () => {
    await meet({ activationLimit: 2 }, [(sale) => sale.limit(5), (sale) => sale.limit(9)], async (sale, replies) => {
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      const { activationLimit } = await sale.stored();
      const steps = (await scene.auditOf(sale.license.id)).map(({ before, after }) => [
        before?.['activationLimit'],
        after?.['activationLimit'],
      ]);
      const between = activationLimit === 5 ? 9 : 5;
      expect(steps).toHaveLength(2);
      expect(steps).toEqual(
        expect.arrayContaining([
          [2, between],
          [between, activationLimit],
        ]),
      );
    });
  });
});

test('in every order, two sellers who move the end of updates: the later end stays', async () => {
  const [earlier, later] = ['2028-01-31T09:00:00.000Z', '2029-01-31T09:00:00.000Z'];
  const seen = new Set<number>();
  const facts = { updatesUntil: '2027-01-31T09:00:00.000Z' };
  await meet(facts, [(sale) => sale.extend(earlier), (sale) => sale.extend(later)], async (sale, [first, second]) => {
    expect(second).toMatchObject({ status: 200, json: { updates_until: later } });
    expect((await sale.stored()).updatesUntil).toBe(later);
    seen.add(first.status);
  });
  expect(seen).toEqual(new Set([200, 400]));
});
