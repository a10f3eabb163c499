import { expect } from '@jest/globals';
import { mintCompletionToken } from '../../../../shared/buyer-access/completion-token.ts';
import { deviceKey } from '../../../../shared/db/keys.ts';
import { retryOptimisticLock } from '../../../../shared/db/optimistic-lock.ts';
import { AppError } from '../../../../shared/errors.ts';
import { newId } from '../../../../shared/ids.ts';
import { freeDeviceSeat, listBuyerDevices, replaceLicenseKey } from '../../../../shared/licenses/buyers/buyer-license-service.ts';
import { activationIdOf, type Device, isActive, type License } from '../../../../shared/licenses/license.ts';
import { deviceHashOf } from '../../../../shared/licenses/license-lookup.ts';
import { getLicense, listDevices, recordLicenseHold } from '../../../../shared/licenses/license-repository.ts';
import { openLicenseKey } from '../../../../shared/licenses/new-license.ts';
import { rekeyLicenses } from '../../../../shared/licenses/rekeying/rekeying.ts';
import type { Order } from '../../../../shared/orders/order.ts';
import { createOrder } from '../../../../shared/orders/order-repository.ts';
import { normalizeLicenseKey } from '../../../../shared/text/license-key.ts';
import { encryptionKeys, issueTestLicense, keyringOf, keyringText } from '../../samples/licenses.ts';
import { type Environment, type MarketOptions, openMarket } from '../market.ts';
import { sampleOrder } from '../projection-harness.ts';
import { listingOnly } from './listing-only.ts';

const day = 24 * 3600_000;
export const asAdmin = { 'X-User-ID': 'admin-1', 'X-User-Email': 'admin@example.com' };

export type BuyerScene = Awaited<ReturnType<typeof openBuyerScene>>;
export type Buyer = Awaited<ReturnType<BuyerScene['buy']>>;

/**
 * Buyers, their apps, and admins, at a time that stands still but for `passDays`.
 * `peppers` are the versions that the functions and the re-keying have, the current one first.
 */
export async function openBuyerScene({ environment = {}, ...options }: MarketOptions = {}) {
  const keys = { ENCRYPTION_KEYS: keyringText('e1'), TOKEN_KEYS: keyringText('t1') };
  const limits = { RATE_LIMIT_COMPLETE: '0', RATE_LIMIT_OFFLINE: '0', RATE_LIMIT_SEARCH: '0' };
  const market = await openMarket({ ...options, environment: { ...limits, ...keys, ...environment } });
  const { table, now, queue, call } = market;
  let peppers = ['1'];
  let changed: Environment = {};
  const deploy = () => {
    const changes = { LICENSE_PEPPERS: keyringText(...peppers), ...changed };
    market.reopen(changes);
    return { table, now, sendJob: queue.sendJob, settings: market.settingsWith(changes) };
  };
  let c = deploy();

  /** A license that was bought, with the token of its buyer. */
  async function buy(facts: Partial<License> & { peppers?: string[]; key?: string } = {}, change: Partial<Order> = {}) {
    const { peppers: issuedUnder = ['1'], ...terms } = facts;
    const id = newId('license', now());
    const sample = sampleOrder({ id: newId('order', now()), ...change });
    const { productId, sellerId } = sample;
    const made = await issueTestLicense(table, {
      id,
      orderId: sample.id,
      productId,
      sellerId,
      peppers: keyringOf(...issuedUnder),
      ...terms,
    });
    const { license } = made;
    const order: Order = {
      ...sample,
      status: 'paid',
      paymentStatus: 'succeeded',
      checkout: { paidAt: now().toISOString() },
      licenseId: id,
      ttl: undefined,
      ...change,
    };
    await table.transact(createOrder(order));
    const token = await tokenOf(order.id);
    let key = made.key;
    const on = (device: string, of = key) => ({ product_id: productId, license_key: of, device_fingerprint: device });
    const ask = (path: string, body: object = {}) => call('POST', `/v1/purchases/${path}`, { body: { token, ...body } });
    return {
      order,
      license,
      token,
      ask,
      firstKey: made.key,
      app: (verb: 'validate' | 'activate' | 'deactivate', device: string, { label, of }: { label?: string; of?: string } = {}) =>
        call('POST', `/v1/licenses/${verb}`, { body: { ...on(device, of), ...(label && { device_label: label }) } }),
      devices: (cursor?: string) => ask('devices', cursor === undefined ? {} : { cursor }),
      release: (device: string, of = key) => ask(`devices/${activationIdWith(of, device)}/release`),
      activationId: (device: string, of = key) => activationIdWith(of, device),
      /** Later calls of the app are made with the new key. */
      async replaceKey() {
        const reply = await ask('replace-key');
        if (reply.status === 200) key = reply.json.license.license_key;
        return reply;
      },
      /**
       * The same without the token, whose check takes a time of its own: so an interleaver sees each request. The code of a refusal.
       */
      direct: {
        release: (device: string, of = key) =>
          freeDeviceSeat(c, { order, isAddressConfirmed: true }, activationIdWith(of, device)).catch(codeOf),
        replaceKey: () => replaceLicenseKey(c, order).then(() => 'replaced', codeOf),
        async devices() {
          const { activationCount, devices } = await listBuyerDevices(c, order);
          return { count: activationCount, devices: devices.map((device) => device.activationId) };
        },
      },
      /** What apps get when they know the key that the license has now. */
      async learnKey() {
        key = openLicenseKey(await getLicense(table, id), encryptionKeys);
        return key;
      },
      admin: (method: string, path: string) => call(method, `/v1/admin/licenses/${id}${path}`, { headers: asAdmin, body: {} }),
      stored: () => getLicense(table, id),
      hold: (hold: License['paymentHold']) =>
        retryOptimisticLock(async () => table.write(recordLicenseHold(await getLicense(table, id), hold))),
      async seats() {
        const license = await getLicense(table, id);
        const { items } = await listDevices(table, license, { limit: 100 });
        return { activationCount: license.activationCount, active: items.filter(isActive).length };
      },
      /** What was recorded about the license. */
      async audited() {
        return (await market.audited(id)).map(({ actor, action }) => `${actor} ${action}`);
      },
      /** The mails about the order, but for the one that the sale made. */
      async mails() {
        const { items } = await table.query({ partition: `ORDER#${order.id}`, prefix: 'MAIL#' });
        return items.map(({ kind, deviceLabel, state, id: mailId }) => ({ kind, deviceLabel, state, mailId }));
      },
    };
  }

  const tokenOf = (orderId: Order['id'], use: 'mail' | 'redirect' | 'admin' = 'mail') =>
    mintCompletionToken({ orderId, use, expiresAt: new Date(now().getTime() + 400 * day) }, now(), keyringOf('t1'));

  return {
    ...market,
    buy,
    tokenOf,
    /** Of one license, where its id is given. */
    rekey: (only?: License['id']) => rekeyLicenses(only === undefined ? c : { ...c, table: listingOnly(table, only) }),
    activateOffline: (body: object) => call('POST', '/v1/licenses/offline-activations', { body }),
    call: (path: string, body: object) => call('POST', `/v1/purchases/${path}`, { body }),
    passDays: (days: number) => market.pass((days * day) / 1000),
    /** Gives a license devices, so many at each of so many moments, known by their records alone; some fifty fill a read of the table. */
    async seatMany(license: License, moments: number, atOnce: number): Promise<void> {
      for (let moment = 0; moment < moments; moment += 1) {
        market.pass(60);
        const records = Array.from({ length: atOnce }, (_, index) => {
          const deviceHash = `HASH${String(((moment * atOnce + index) * 7919) % 4001).padStart(22, '0')}`;
          const { lookup } = license;
          const device: Device = { lookup, deviceHash, deviceLabel: `${moment}`, activatedAt: now().toISOString() };
          return { put: { Item: { ...deviceKey(lookup, deviceHash), ...device, filler: 'x'.repeat(19_000) } } };
        });
        await table.transact(records);
      }
    },
    setPeppers(...versions: string[]) {
      peppers = versions;
      c = deploy();
    },
    /** Deploys all of it anew with these settings beside its own. */
    setEnvironment(changes: Environment) {
      changed = changes;
      c = deploy();
    },
  };
}

function codeOf(error: unknown): string {
  if (error instanceof AppError) return error.code;
  throw error;
}

const activationIdWith = (key: string, device: string) => activationIdOf({ deviceHash: deviceHashOf(device, normalizeLicenseKey(key)) });

/** In days. */
export const minute = 1 / (24 * 60);

/** What the devices of a reply are called. */
export const labelsIn = (reply: { json: { devices: { device_label?: string }[] } }) =>
  reply.json.devices.map((device) => device.device_label);

/** Devices that take their seats one minute after another. */
export async function seatDevices(scene: BuyerScene, buyer: Buyer, ...devices: string[]): Promise<void> {
  for (const device of devices) {
    scene.passDays(minute);
    expect((await buyer.app('activate', device, { label: `the ${device}` })).json.code).toBe('activated');
  }
}
