import { beforeAll, describe, expect, test } from '@jest/globals';
import { sealText } from '../../../shared/crypto/sealed-text.ts';
import { newId } from '../../../shared/ids.ts';
import { findLicenses } from '../../../shared/licenses/license-repository.ts';
import { getOrder } from '../../../shared/orders/order-repository.ts';
import { createInterleaver, meetingsOf } from '../../support/interleave.ts';
import { keyringOf } from '../../support/samples/licenses.ts';
import { createEventLog } from '../../support/scenes/events/event-log.ts';
import { type DeskScene, openDeskScene, type Sale, type Shop } from '../../support/scenes/licenses/sales-scene.ts';
import { expectSerializable } from '../../support/serializable.ts';

const interleaver = createInterleaver();
let scene: DeskScene;
let shop: Shop;
beforeAll(async () => {
  scene = await openDeskScene({ faults: interleaver, environment: { BUYER_MOVES: '1' } });
  shop = await scene.openShop('alice');
});

type Act = (sale: Sale) => Promise<unknown>;
/** Of a reply what does not differ from license to license. */
async function seen(asked: Promise<{ status: number; json: any }>) {
  const { status, json } = await asked;
  const { code, status: now, activation_limit, updates_until } = json;
  return { status, code, now, activation_limit, updates_until };
}
/** Without ids and hints of keys, which no two licenses share. */
const factsOf = (data: object = {}) =>
  Object.entries(data)
    .flatMap(([name, value]) => (/Id$|KeyHint$/.test(name) ? [] : `${name}: ${value}`))
    .toSorted();

const release =
  (device: string): Act =>
  async (sale) => {
    const released = await sale.direct.release(device);
    return typeof released === 'string' ? released : { ...released, activationId: released.activationId === sale.activationId(device) };
  };
const app =
  (verb: 'activate' | 'deactivate' | 'validate', device: string): Act =>
  async (sale) => {
    const { code, activation_count } = (await sale.app(verb, device, { of: sale.firstKey })).json;
    return { code, activation_count };
  };
const replaceKey: Act = (sale) => sale.direct.replaceKey();
const revoke: Act = (sale) => seen(sale.admin('POST', '/revoke'));
const freeSeat: Act = (sale) => seen(sale.admin('POST', `/activations/${sale.activationId('laptop', sale.firstKey)}/release`));
const refund: Act = (sale) => sale.hold('refunded').then(() => 'refunded');
const suspend: Act = (sale) => seen(sale.suspend());
const limit =
  (seats: number): Act =>
  (sale) =>
    seen(sale.limit(seats));
const extend =
  (year: number): Act =>
  (sale) =>
    seen(sale.extend(`${year}-01-31T09:00:00.000Z`));
const resend: Act = (sale) => seen(sale.resend());
const reviewSeller: Act = () => shop.review('suspended').then(() => 'reviewed');
const rekey: Act = async (sale) => {
  const { moved, failures } = await scene.rekey(sale.license.id);
  return { moved, failures };
};
const find: Act = async (sale) => (await findLicenses(scene.table, [sale.license.id])).get(sale.license.id)?.id === sale.license.id;
const replaceKeyBefore: Act = async (sale) => {
  await sale.replaceKey();
  for (const device of ['laptop', 'desk']) await sale.app('activate', device);
};
const listDevices: Act = async (sale) => {
  const { count, devices } = await sale.direct.devices();
  return { count, devices: devices.map((id) => id === sale.activationId('laptop', sale.firstKey)) };
};

/** All that app, buyer, seller and operators see of the license of a sale. */
async function shown(sale: Sale, log: ReturnType<typeof createEventLog>) {
  const stored = await sale.stored();
  const keys = [sale.firstKey, await sale.learnKey()];
  const validated = await Promise.all(keys.map((of) => seen(sale.app('validate', 'laptop', { of }))));
  const told = (await log.take(stored.id)).map(({ type, data }) => `${type} ${factsOf(data)}`);
  const audits = await scene.auditOf(stored.id);
  const seats = await sale.seats();
  expect(seats.active).toBe(seats.activationCount);
  return {
    ...{ seats, validated, told: told.toSorted() },
    pepper: stored.lookup.split('.')[0],
    formerKeys: stored.formerKeys?.length,
    stopped: [stored.revokedBy, stored.paymentHold, stored.suspendedAt],
    movesLeft: (await sale.devices()).json.moves_left,
    mails: (await sale.mails()).map(({ kind }) => kind).toSorted(),
    audits: audits.map(({ actor, action, before, after }) => `${actor} ${action} ${factsOf(before)} > ${factsOf(after)}`).toSorted(),
    isLinkMailed: (await getOrder(scene.table, sale.id)).completionMailId !== undefined,
  };
}

interface Meeting {
  facts?: Parameters<Shop['sell']>[0];
  before?: Act;
  /** One of the two decides in several steps. */
  isStepwise?: true;
}
const oneSeat = { facts: { activationLimit: 1 } };
const twoSeats = { facts: { activationLimit: 2 } };
const meetings: [what: string, one: Act, other: Act, given?: Meeting][] = [
  ['a buyer releases a device that leaves by itself', release('laptop'), app('deactivate', 'laptop')],
  ['a buyer releases a device that activates', release('laptop'), app('activate', 'laptop')],
  ['a buyer releases the one seat that another device takes', release('laptop'), app('activate', 'desk'), oneSeat],
  ['a buyer releases a device twice', release('laptop'), release('laptop')],
  ['a buyer releases two devices by the only move', release('laptop'), release('desk'), { before: app('activate', 'desk') }],
  [
    'a buyer releases two devices by the only move, beside a replaced key',
    release('laptop'),
    release('desk'),
    { before: replaceKeyBefore },
  ],
  ['a buyer and an admin release a device', release('laptop'), freeSeat],
  ['a buyer replaces the key with which a device activates', replaceKey, app('activate', 'desk')],
  ['a buyer replaces the key of a device that leaves', replaceKey, app('deactivate', 'laptop')],
  ['a buyer replaces the key with which a device validates', replaceKey, app('validate', 'laptop')],
  ['a buyer replaces the key twice', replaceKey, replaceKey],
  ['a buyer replaces the key of a license that is revoked', replaceKey, revoke],
  ['a buyer replaces the key of a license that is refunded', replaceKey, refund],
  ['a buyer replaces the key and releases a device', replaceKey, release('laptop')],
  ['a buyer replaces the key while licenses are listed', replaceKey, find],
  ['a buyer replaces the key while devices are listed', replaceKey, listDevices],
  ['a seller suspends a license on which a device activates', suspend, app('activate', 'desk')],
  ['a seller suspends a license that re-keying moves', suspend, rekey, { isStepwise: true }],
  ['a seller suspends a license whose key is replaced', suspend, replaceKey],
  ['a seller suspends a license twice', suspend, suspend],
  ['a seller suspends a license that is revoked', suspend, revoke],
  ['a seller suspends a license that is refunded', suspend, refund],
  ['a seller who is suspended suspends a license', suspend, reviewSeller],
  ['a seller who is suspended has a link mailed', resend, reviewSeller],
  ['a seller lowers the limit while a device takes the last seat', limit(1), app('activate', 'desk'), twoSeats],
  ['a seller sets the limit of a license that re-keying moves', limit(7), rekey, { ...twoSeats, isStepwise: true }],
  ['a seller sets the limit of a license whose key is replaced', limit(7), replaceKey],
  ['two sellers set the limit', limit(5), limit(9), twoSeats],
  ['two sellers move the end of updates', extend(2028), extend(2029), { facts: { updatesUntil: '2027-01-31T09:00:00.000Z' } }],
];

describe('in every order of two requests about a license, all that is seen of it is as of one after the other:', () => {
  test.each(meetings)('%s', async (_, one, other, { facts, before, isStepwise } = {}) => {
    const log = createEventLog({ table: scene.table, now: scene.now });
    await expectSerializable(meetingsOf(interleaver, { areDecidedAtOnce: !isStepwise }), async () => {
      await shop.review('approved');
      scene.setPeppers('1');
      const id = newId('order');
      const sale = await shop.sell(facts, { id, sealedBuyerEmail: sealText(`${id}@example.com`, id, keyringOf('e1')) });
      await sale.app('activate', 'laptop');
      await before?.(sale);
      if (isStepwise) scene.setPeppers('2', '1');
      return { tasks: [() => one(sale), () => other(sale)], end: () => shown(sale, log) };
    });
  });
});
