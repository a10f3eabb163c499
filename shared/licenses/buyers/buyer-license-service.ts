/** What buyers do by themselves with the license of an order. See "Buyers" in README.md */

import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { recordAudit } from '../../audit/audit-repository.ts';
import type { Needs } from '../../context.ts';
import { retryOptimisticLock } from '../../db/optimistic-lock.ts';
import type { Write } from '../../db/table.ts';
import { AppError } from '../../errors.ts';
import { type ActivationId, idOf, type LicenseId, newId } from '../../ids.ts';
import type { JobTask } from '../../jobs/job.ts';
import { addJob } from '../../jobs/job-repository.ts';
import { addMail, type NewMail } from '../../mail/outbox/mail-repository.ts';
import { isAddition, type Order } from '../../orders/order.ts';
import { dateTime } from '../../schemas.ts';
import { generateLicenseKey, normalizeLicenseKey } from '../../text/license-key.ts';
import { activationIdOf, isActive, type License, statusOf } from '../license.ts';
import { allSeatsFreedEvents, recordEvents, seatFreedEvents } from '../license-events.ts';
import { licenseLookups } from '../license-lookup.ts';
import { freeSeat, getDevice, getLicense } from '../license-repository.ts';
import { openLicenseKey, withNewKey } from '../new-license.ts';
import { recordReplacedKey } from '../replaced-key-repository.ts';
import { listActiveDevices } from './active-device-repository.ts';
import { movesLeft, withFreedSeat, withReplacedKey } from './buyer-moves.ts';
import { getMoves, recordMoves } from './buyer-moves-repository.ts';

/** The devices that have a seat of a license, as its buyer sees them; `nextCursor` leads to more of them. */
export const BuyerDevices = z.object({
  licenseId: idOf('license'),
  activationLimit: z.int(),
  activationCount: z.int(),
  devices: z.array(z.object({ activationId: idOf('activation'), deviceLabel: z.optional(z.string()), activatedAt: dateTime })),
  movesLeft: z.int(),
  movesResetAt: z.optional(dateTime),
  nextCursor: z.optional(z.string()),
});
export type BuyerDevices = z.infer<typeof BuyerDevices>;

/** A device without seat, and what is left of the buyer's moves. */
export const DeviceRelease = z.object({ activationId: idOf('activation'), activationCount: z.int(), movesLeft: z.int() });

export type DeviceRelease = z.infer<typeof DeviceRelease>;

const devicesAtATime = 50;

/** Fifty concurrent releases all succeed. */
const attempts = 30;
const actor = 'buyer';

type MoveNeeds = Needs<'table' | 'now' | 'BUYER_MOVES'>;

/** Commits the writes together with a mail that tells the buyer of them. */
async function commitAndNotify(c: Needs<'table' | 'now' | 'sendJob'>, mail: Omit<NewMail, 'id'>, writes: readonly Write[]): Promise<void> {
  const at = c.now();
  const id = newId('mail', at);
  const task: JobTask = { kind: 'send-mail', orderId: mail.orderId, mailId: id };
  await c.table.transactOnce([...writes, addMail({ ...mail, id }, at), addJob(c, task)]);
  await c.sendJob(task);
}

const lookupsOf = (c: Needs<'LICENSE_PEPPERS'>, { productId }: License, key: string) =>
  licenseLookups(productId, normalizeLicenseKey(key), c.settings.LICENSE_PEPPERS);

/** After the device was seen to have no seat. */
async function withoutSeat(c: MoveNeeds, licenseId: LicenseId, activationId: ActivationId): Promise<DeviceRelease> {
  const [{ activationCount }, moves] = await Promise.all([getLicense(c.table, licenseId), getMoves(c.table, licenseId)]);
  return { activationId, activationCount, movesLeft: movesLeft(moves, c.settings.BUYER_MOVES, c.now()).movesLeft };
}

/** @throws AppError license_not_usable while there is none; invalid_request of the cursor */
export async function listBuyerDevices(c: MoveNeeds, order: Order, cursor?: string): Promise<BuyerDevices> {
  const licenseId = licenseIdOf(order);
  const [license, moves] = await Promise.all([getLicense(c.table, licenseId), getMoves(c.table, licenseId)]);
  const { items, nextCursor } = await listActiveDevices(c.table, license, { limit: devicesAtATime, cursor });
  const devices = items.map((device) => ({ ...device, activationId: activationIdOf(device) }));
  const { activationLimit, activationCount } = license;
  return { licenseId, activationLimit, activationCount, devices, ...movesLeft(moves, c.settings.BUYER_MOVES, c.now()), nextCursor };
}

/**
 * Frees the seat of a device, in whatever state the license is, and counts a move of the buyer.
 * A device that has no seat any more counts none. The buyer is mailed, with the device's label only if the address is confirmed.
 *
 * @throws AppError license_not_usable while there is none; deactivation_not_allowed, activation_not_found, moves_exhausted
 */
export const freeDeviceSeat = (
  c: MoveNeeds & Needs<'sendJob'>,
  { order, isAddressConfirmed }: { order: Order; isAddressConfirmed: boolean },
  activationId: ActivationId,
): Promise<DeviceRelease> =>
  retryOptimisticLock(
    async () => {
      const licenseId = licenseIdOf(order);
      // Read first, so that releasing this device again is not refused because of the moves spent on it.
      const moves = await getMoves(c.table, licenseId);
      const license = await getLicense(c.table, licenseId);
      if (!license.deactivationAllowed) throw new AppError('deactivation_not_allowed');
      const device = await getDevice(c.table, license, activationId);
      if (!isActive(device)) return withoutSeat(c, licenseId, activationId);

      const at = c.now();
      const counted = withFreedSeat(moves, c.settings.BUYER_MOVES, at);
      await commitAndNotify(
        c,
        { orderId: order.id, kind: 'device_released', deviceLabel: isAddressConfirmed ? device.deviceLabel : undefined },
        [
          recordMoves(moves, counted),
          ...freeSeat(license, device, at),
          recordAudit(c, {
            actor,
            action: 'license.release_activation',
            targetId: licenseId,
            before: { activationId, active: true },
            after: { activationId, active: false },
          }),
          ...recordEvents(c, license, seatFreedEvents(license, device)),
        ],
      );
      const activationCount = Math.max(license.activationCount - 1, 0);
      return { activationId, activationCount, movesLeft: movesLeft(counted, c.settings.BUYER_MOVES, at).movesLeft };
    },
    { attempts },
  );

/**
 * Gives the license another key and empties its seats; from then on the old key is answered as replaced.
 *
 * @throws AppError license_not_usable of an addition; wrong_issuance_mode of an imported code; license_not_usable unless active;
 * moves_exhausted within 30 days of the last time
 */
export async function replaceLicenseKey(
  c: Needs<'table' | 'now' | 'sendJob' | 'ENCRYPTION_KEYS' | 'LICENSE_PEPPERS'>,
  order: Order,
): Promise<void> {
  if (isAddition(order)) throw new AppError('license_not_usable');
  const { licenseIssuanceMode, licenseKeyPrefix } = order.terms;
  if (licenseIssuanceMode !== 'generated_server_validated') throw new AppError('wrong_issuance_mode');
  await retryOptimisticLock(
    async () => {
      const licenseId = licenseIdOf(order);
      const moves = await getMoves(c.table, licenseId);
      const license = await getLicense(c.table, licenseId);
      const at = c.now();
      if (statusOf(license, at) !== 'active') throw new AppError('license_not_usable');
      const counted = withReplacedKey(moves, at);
      const key = generateLicenseKey(licenseKeyPrefix, randomBytes);
      const renewed = withNewKey(license, key, { peppers: c.settings.LICENSE_PEPPERS, encryptionKeys: c.settings.ENCRYPTION_KEYS }, at);
      const lookups = { old: lookupsOf(c, license, openLicenseKey(license, c.settings.ENCRYPTION_KEYS)), new: lookupsOf(c, license, key) };
      await commitAndNotify(c, { orderId: order.id, kind: 'key_replaced' }, [
        recordMoves(moves, counted),
        ...recordReplacedKey(license, renewed, lookups, at),
        recordAudit(c, {
          actor,
          action: 'license.replace_key',
          targetId: licenseId,
          before: { licenseKeyHint: license.keyHint },
          after: { licenseKeyHint: renewed.keyHint },
        }),
        ...recordEvents(c, license, allSeatsFreedEvents(license)),
      ]);
    },
    { attempts },
  );
}

/** @throws AppError license_not_usable while the order has no license */
function licenseIdOf({ licenseId }: Order): LicenseId {
  if (licenseId === undefined) throw new AppError('license_not_usable');
  return licenseId;
}
