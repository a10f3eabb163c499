import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { createAuditRepository } from '../../audit/audit-repository.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { retryOptimisticLock } from '../../db/optimistic-lock.ts';
import type { Table, Write } from '../../db/table.ts';
import { AppError } from '../../errors.ts';
import { type ActivationId, idOf, isId, type LicenseId, newId } from '../../ids.ts';
import type { JobTask } from '../../jobs/job.ts';
import { createJobRepository } from '../../jobs/job-repository.ts';
import { createMailRepository, type NewMail } from '../../mail/mail-repository.ts';
import { isAddition, type Order } from '../../orders/order.ts';
import { dateTime } from '../../schemas.ts';
import { createRecordEvent } from '../../seller-events/event-record-repository.ts';
import { activationIdOf, deviceHashOfActivation, isActive, type License, statusOf } from '../license.ts';
import { activationReleased, everySeatReleased } from '../license-events.ts';
import { generateLicenseKey, normalizeLicenseKey } from '../license-key.ts';
import { licenseLookups } from '../license-lookup.ts';
import { createLicenseRepository } from '../license-repository.ts';
import { openLicenseKey, withNewKey } from '../new-license.ts';
import { createReplacedKeyRepository } from '../replaced-key-repository.ts';
import { createActiveDeviceRepository } from './active-device-repository.ts';
import { movesLeft, withRelease, withReplacedKey } from './buyer-moves.ts';
import { createBuyerMovesRepository } from './buyer-moves-repository.ts';

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
/** Fifty who release at once each have their turn. */
const attempts = 30;
const actor = 'buyer';

export type BuyerLicenseService = ReturnType<typeof createBuyerLicenseService>;

/** What buyers do by themselves with the license of an order. See "Buyers" in README.md */
export function createBuyerLicenseService(options: {
  table: Table;
  /** Tells the mail worker of a committed job. */
  sendJob: (task: JobTask) => Promise<void>;
  peppers: Keyring;
  encryptionKeys: Keyring;
  /** How many devices a buyer may release in any 30 days. */
  mostReleases: number;
  now?: (() => Date) | undefined;
}) {
  const { table, sendJob, peppers, encryptionKeys, mostReleases, now = () => new Date() } = options;
  const licenses = createLicenseRepository({ table });
  const activeDevices = createActiveDeviceRepository({ table });
  const replacedKeys = createReplacedKeyRepository({ table });
  const buyerMoves = createBuyerMovesRepository({ table });
  const mails = createMailRepository({ table });
  const jobs = createJobRepository({ table, now });
  const audit = createAuditRepository({ table, now });
  const recordEvent = createRecordEvent({ now });

  /** Commits the writes together with a mail that tells the buyer of them. */
  async function commitAndTell(mail: Omit<NewMail, 'id'>, writes: readonly Write[]): Promise<void> {
    const at = now();
    const id = newId('mail', at);
    const task: JobTask = { kind: 'send-mail', orderId: mail.orderId, mailId: id };
    await table.transactOnce([...writes, mails.addMail({ ...mail, id }, at), jobs.addJob(task)]);
    await sendJob(task);
  }

  const lookupsOf = ({ productId }: License, key: string) => licenseLookups(productId, normalizeLicenseKey(key), peppers);

  /** After the device was seen to have no seat. */
  async function withoutSeat(licenseId: LicenseId, activationId: ActivationId): Promise<DeviceRelease> {
    const [{ activationCount }, moves] = await Promise.all([licenses.getLicense(licenseId), buyerMoves.getMoves(licenseId)]);
    return { activationId, activationCount, movesLeft: movesLeft(moves, mostReleases, now()).movesLeft };
  }

  return {
    /** @throws AppError license_not_usable while there is none; invalid_request of the cursor */
    async listDevices(order: Order, cursor?: string): Promise<BuyerDevices> {
      const licenseId = licenseIdOf(order);
      const [license, moves] = await Promise.all([licenses.getLicense(licenseId), buyerMoves.getMoves(licenseId)]);
      const { items, nextCursor } = await activeDevices.listActiveDevices(license, { limit: devicesAtATime, cursor });
      const devices = items.map((device) => ({ ...device, activationId: activationIdOf(device) }));
      const { activationLimit, activationCount } = license;
      return { licenseId, activationLimit, activationCount, devices, ...movesLeft(moves, mostReleases, now()), nextCursor };
    },

    /**
     * Frees the seat of a device, in whatever state the license is, and counts a move of the buyer.
     * A device that has no seat any more counts none.
     *
     * @throws AppError license_not_usable while there is none; deactivation_not_allowed, activation_not_found, moves_exhausted
     */
    releaseDevice: (order: Order, activationId: ActivationId): Promise<DeviceRelease> =>
      retryOptimisticLock(
        async () => {
          const licenseId = licenseIdOf(order);
          // Read first: so moves that were spent on this very device are not what refuses to release it again.
          const moves = await buyerMoves.getMoves(licenseId);
          const license = await licenses.getLicense(licenseId);
          if (!license.deactivationAllowed) throw new AppError('deactivation_not_allowed');
          const device = isId('activation', activationId)
            ? await licenses.findDevice(license, deviceHashOfActivation(activationId))
            : undefined;
          if (!device) throw new AppError('activation_not_found');
          if (!isActive(device)) return withoutSeat(licenseId, activationId);

          const at = now();
          const counted = withRelease(moves, mostReleases, at);
          await commitAndTell({ orderId: order.id, kind: 'device_released', deviceLabel: device.deviceLabel }, [
            buyerMoves.recordMoves(moves, counted),
            ...licenses.releaseSeat(license, device, at),
            audit.recordAudit({
              actor,
              action: 'license.release_activation',
              targetId: licenseId,
              before: { activationId, active: true },
              after: { activationId, active: false },
            }),
            ...activationReleased(license, device).map((happening) => recordEvent(license.sellerId, happening)),
          ]);
          const activationCount = Math.max(license.activationCount - 1, 0);
          return { activationId, activationCount, movesLeft: movesLeft(counted, mostReleases, at).movesLeft };
        },
        { attempts },
      ),

    /**
     * Gives the license another key and empties its seats; from then on the old key is answered as replaced.
     *
     * @throws AppError license_not_usable of an addition; wrong_issuance_mode of an imported code; license_not_usable unless active;
     * moves_exhausted within 30 days of the last time
     */
    async replaceKey(order: Order): Promise<void> {
      if (isAddition(order)) throw new AppError('license_not_usable');
      const { licenseIssuanceMode, licenseKeyPrefix } = order.terms;
      if (licenseIssuanceMode !== 'generated_server_validated') throw new AppError('wrong_issuance_mode');
      await retryOptimisticLock(
        async () => {
          const licenseId = licenseIdOf(order);
          const moves = await buyerMoves.getMoves(licenseId);
          const license = await licenses.getLicense(licenseId);
          const at = now();
          if (statusOf(license, at) !== 'active') throw new AppError('license_not_usable');
          const counted = withReplacedKey(moves, at);
          const key = generateLicenseKey(licenseKeyPrefix, randomBytes);
          const renewed = withNewKey(license, key, { peppers, encryptionKeys }, at);
          const lookups = { old: lookupsOf(license, openLicenseKey(license, encryptionKeys)), new: lookupsOf(license, key) };
          await commitAndTell({ orderId: order.id, kind: 'key_replaced' }, [
            buyerMoves.recordMoves(moves, counted),
            ...replacedKeys.replaceKey(license, renewed, lookups, at),
            audit.recordAudit({
              actor,
              action: 'license.replace_key',
              targetId: licenseId,
              before: { licenseKeyHint: license.keyHint },
              after: { licenseKeyHint: renewed.keyHint },
            }),
            ...everySeatReleased(license).map((happening) => recordEvent(license.sellerId, happening)),
          ]);
        },
        { attempts },
      );
    },
  };
}

/** @throws AppError license_not_usable while the order has no license */
function licenseIdOf({ licenseId }: Order): LicenseId {
  if (licenseId === undefined) throw new AppError('license_not_usable');
  return licenseId;
}
