import * as z from 'zod/mini';
import type { Actor } from '../audit/actor.ts';
import { type AuditEntry, createAuditRepository } from '../audit/audit-repository.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import type { PageRequest } from '../db/sharded-list.ts';
import type { Table, Write } from '../db/table.ts';
import { type LicenseFacts, setBySeller } from '../entitlements/license-facts.ts';
import { createLicenseFactsRepository } from '../entitlements/license-facts-repository.ts';
import { AppError } from '../errors.ts';
import { type ActivationId, isId, type LicenseId } from '../ids.ts';
import { createOrderRepository } from '../orders/order-repository.ts';
import { line } from '../schemas.ts';
import { createRecordEvent } from '../seller-events/event-record-repository.ts';
import type { ChangeLicenseRequest } from './change-license.ts';
import { movedUpdatesUntil } from './coverage.ts';
import { entitledBy, firstFactsOf } from './entitled-license.ts';
import {
  Activation,
  deviceHashOfActivation,
  IssuedLicense,
  isActive,
  type License,
  statusOf,
  toActivation,
  toIssuedLicense,
} from './license.ts';
import { activationReleased, licenseStatusChange, licenseTermsChange } from './license-events.ts';
import { createLicenseRepository, type LicenseRepository } from './license-repository.ts';
import { createTestKeyRepository } from './test-keys/test-key-repository.ts';

/** Why a license is suspended. */
export const SuspendLicenseRequest = z.object({ reason: z.optional(line(500)) });
export type SuspendLicenseRequest = z.infer<typeof SuspendLicenseRequest>;

export const RevokeLicenseRequest = z.object({ reason: z.optional(line(500)) });
export type RevokeLicenseRequest = z.infer<typeof RevokeLicenseRequest>;

/** A license with a page of its activations; `nextCursor` leads to more of these. */
export const LicenseWithActivations = z.extend(IssuedLicense, {
  activations: z.array(Activation),
  nextCursor: z.optional(z.string()),
});
export type LicenseWithActivations = z.infer<typeof LicenseWithActivations>;

export type LicenseService = ReturnType<typeof createLicenseService>;

/** What admins, and sellers of their own sales, do with licenses. */
export function createLicenseService({ table, now = () => new Date() }: { table: Table; now?: (() => Date) | undefined }) {
  const licenses = createLicenseRepository({ table });
  const orders = createOrderRepository({ table });
  const facts = createLicenseFactsRepository({ table });
  const testKeys = createTestKeyRepository({ table });
  const audit = createAuditRepository({ table, now });
  const recordEvent = createRecordEvent({ now });

  const events = (before: License, after: License, at: Date) =>
    [...licenseStatusChange(before, after, at), ...licenseTermsChange(before, after)].map((happening) =>
      recordEvent(before.sellerId, happening),
    );

  /** The facts of a license that was sold, as they were recorded or as they are to be. */
  async function factsOf(license: License): Promise<LicenseFacts | undefined> {
    if (license.orderId === undefined) return undefined;
    return (await facts.findFacts(license.id)) ?? firstFactsOf(license, await orders.getOrder(license.orderId));
  }

  /** The license after what `decide` makes of it; where it makes nothing of it, it is as it was. */
  const change = (
    actor: Actor,
    licenseId: LicenseId,
    decide: (license: License, at: Date) => LicenseChange | undefined | Promise<LicenseChange | undefined>,
  ) =>
    retryOptimisticLock(async (): Promise<IssuedLicense> => {
      const license = await licenses.getLicense(licenseId);
      const rights = actor.rights();
      const at = now();
      const decided = await decide(license, at);
      if (!decided) return toIssuedLicense(license, at);
      const { next, records, writes = [] } = decided;
      await table.transactOnce([
        ...rights,
        licenses.changeLicense(license, next),
        ...writes,
        ...records.map((record) => audit.recordAudit({ actor: actor.userId, targetId: licenseId, ...record })),
        ...events(license, { ...license, ...next }, at),
      ]);
      return toIssuedLicense({ ...license, ...next }, at);
    });

  return {
    /**
     * From now on the license is not usable; its devices keep their seats. Again it changes nothing.
     *
     * @throws AppError license_not_found, what keeps the actor from it
     */
    suspendLicense: (actor: Actor, licenseId: LicenseId, { reason }: SuspendLicenseRequest = {}): Promise<IssuedLicense> =>
      change(actor, licenseId, (license, at) => {
        if (license.suspendedAt !== undefined) return undefined;
        const next = { suspendedAt: at.toISOString() };
        return { next, records: [{ action: 'license.suspend', ...suspensions(license, next, at), note: reason || undefined }] };
      }),

    /**
     * Takes back the suspension. Again it changes nothing.
     *
     * @throws AppError license_not_found, what keeps the actor from it
     */
    reinstateLicense: (actor: Actor, licenseId: LicenseId): Promise<IssuedLicense> =>
      change(actor, licenseId, (license, at) => {
        if (license.suspendedAt === undefined) return undefined;
        const next = { suspendedAt: undefined };
        return { next, records: [{ action: 'license.reinstate', ...suspensions(license, next, at) }] };
      }),

    /**
     * Changes how many devices may be active, and until when updates come: by how much the limit differs from what was paid for,
     * and a date from which on the end is not earlier. What is paid for or given back later moves both. Devices that have their
     * seats keep them, also beyond a lower limit. What is asked for as it is changes nothing.
     *
     * @throws AppError license_not_found, invalid_request as `movedUpdatesUntil`, what keeps the actor from it
     */
    changeTerms: (actor: Actor, licenseId: LicenseId, wanted: ChangeLicenseRequest): Promise<IssuedLicense> =>
      change(actor, licenseId, async (license, at) => {
        const { activationLimit: limit, updatesUntil: end } = license;
        const asked = wanted.updatesUntil === undefined ? undefined : movedUpdatesUntil(license, wanted.updatesUntil);
        const read = await factsOf(license);
        if (!read) throw new AppError('license_not_found');
        const set = setBySeller(read, { activationLimit: wanted.activationLimit, updatesUntil: asked }, at.toISOString());
        if (set === read) return undefined;
        const { activationLimit, updatesUntil } = entitledBy(set);
        const records: LicenseChange['records'] = [];
        // Also where it comes out as it was: what is given back later takes less from it.
        if (set.limitDifference !== read.limitDifference)
          records.push({ action: 'license.change_limit', before: { activationLimit: limit }, after: { activationLimit } });
        if (end !== undefined && updatesUntil !== undefined && set.extensions !== read.extensions)
          records.push({ action: 'license.extend_updates', before: { updatesUntil: end }, after: { updatesUntil } });
        return { next: { activationLimit, updatesUntil }, records, writes: [facts.recordFacts(read, set)] };
      }),

    /** @throws AppError license_not_found */
    async getLicense(licenseId: LicenseId, page: PageRequest): Promise<LicenseWithActivations> {
      const license = await licenses.getLicense(licenseId);
      const { items, nextCursor } = await licenses.listDevices(license, page);
      return { ...toIssuedLicense(license, now()), activations: items.map(toActivation), nextCursor };
    },

    /**
     * Revokes the license for good; `processed` is false when it was revoked before. `actor` is a user id: an admin's, or that of
     * whoever minted the test key.
     *
     * @throws AppError license_not_found
     */
    revokeLicense: (
      actor: string,
      licenseId: LicenseId,
      { reason }: RevokeLicenseRequest = {},
    ): Promise<{ processed: boolean; license: IssuedLicense }> =>
      retryOptimisticLock(async () => {
        const license = await licenses.getLicense(licenseId);
        const at = now();
        if (license.revokedAt) return { processed: false, license: toIssuedLicense(license, at) };

        const revocation = { revokedAt: at.toISOString(), revokedBy: actor, revokedReason: reason || undefined };
        const revoked: License = { ...license, ...revocation };
        await table.transactOnce([
          licenses.recordRevocation(license, revocation),
          ...testKeys.freePlace(license),
          audit.recordAudit({
            actor,
            action: 'license.revoke',
            targetId: licenseId,
            before: { status: statusOf(license, at) },
            after: { status: statusOf(revoked, at) },
            note: revocation.revokedReason,
          }),
          ...events(license, revoked, at),
        ]);
        return { processed: true, license: toIssuedLicense(revoked, at) };
      }),

    /**
     * Frees the seat of a device, also where the terms forbid deactivation. Freeing a free seat changes nothing.
     *
     * @throws AppError license_not_found, activation_not_found, what keeps the actor from it
     */
    releaseActivation: (actor: Actor, licenseId: LicenseId, activationId: ActivationId): Promise<IssuedLicense> =>
      retryOptimisticLock(async () => {
        const license = await licenses.getLicense(licenseId);
        const device = isId('activation', activationId)
          ? await licenses.findDevice(license, deviceHashOfActivation(activationId))
          : undefined;
        if (!device) throw new AppError('activation_not_found');
        const rights = actor.rights();
        const at = now();
        if (!isActive(device)) {
          // The license was read before the seat was seen to be free.
          return toIssuedLicense(await licenses.getLicense(licenseId), at);
        }

        await table.transactOnce([
          ...rights,
          ...licenses.releaseSeat(license, device, at),
          audit.recordAudit({
            actor: actor.userId,
            action: 'license.release_activation',
            targetId: licenseId,
            before: { activationId, active: true },
            after: { activationId, active: false },
          }),
          ...activationReleased(license, device).map((happening) => recordEvent(license.sellerId, happening)),
        ]);
        return toIssuedLicense({ ...license, activationCount: Math.max(license.activationCount - 1, 0) }, at);
      }),
  };
}

/** What is written of a license, and how it is recorded. */
interface LicenseChange {
  next: Parameters<LicenseRepository['changeLicense']>[1];
  records: Pick<AuditEntry, 'action' | 'before' | 'after' | 'note'>[];
  /** What is written with it. */
  writes?: readonly Write[];
}

/** A suspension may change no status: what the license was revoked or held for comes first. */
function suspensions(license: License, next: Pick<License, 'suspendedAt'>, at: Date) {
  const factsOf = (facts: License) => ({ status: statusOf(facts, at), suspended: facts.suspendedAt !== undefined });
  return { before: factsOf(license), after: factsOf({ ...license, ...next }) };
}
