import * as z from 'zod/mini';
import type { AuditRepository } from '../audit/audit-repository.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import type { PageRequest } from '../db/sharded-list.ts';
import type { Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { type ActivationId, isId, type LicenseId } from '../ids.ts';
import { text } from '../schemas.ts';
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
import type { LicenseRepository } from './license-repository.ts';

export const RevokeLicenseRequest = z.object({ reason: z.optional(text(500)) });
export type RevokeLicenseRequest = z.infer<typeof RevokeLicenseRequest>;

/** A license with a page of its activations; `nextCursor` leads to more of these. */
export const LicenseWithActivations = z.extend(IssuedLicense, {
  activations: z.array(Activation),
  nextCursor: z.optional(z.string()),
});
export type LicenseWithActivations = z.infer<typeof LicenseWithActivations>;

export type LicenseService = ReturnType<typeof createLicenseService>;

/** What admins do with licenses. `actor` is the user id of the admin. */
export function createLicenseService(options: { table: Table; licenses: LicenseRepository; audit: AuditRepository; now?: () => Date }) {
  const { table, licenses, audit, now = () => new Date() } = options;

  return {
    /** @throws AppError license_not_found */
    async getLicense(licenseId: LicenseId, page: PageRequest): Promise<LicenseWithActivations> {
      const license = await licenses.getLicense(licenseId);
      const { items, nextCursor } = await licenses.listDevices(license, page);
      return { ...toIssuedLicense(license, now()), activations: items.map(toActivation), nextCursor };
    },

    /**
     * Revokes the license for good; `processed` is false when it was revoked before.
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
        await table.transact([
          licenses.recordRevocation(license.lookup, revocation),
          audit.recordAudit({
            actor,
            action: 'license.revoke',
            targetId: licenseId,
            before: { status: statusOf(license, at) },
            after: { status: statusOf(revoked, at) },
            note: revocation.revokedReason,
          }),
        ]);
        return { processed: true, license: toIssuedLicense(revoked, at) };
      }),

    /**
     * Frees the seat of a device, also where the terms forbid deactivation. Freeing a free seat changes nothing.
     *
     * @throws AppError license_not_found, activation_not_found
     */
    releaseActivation: (actor: string, licenseId: LicenseId, activationId: ActivationId): Promise<IssuedLicense> =>
      retryOptimisticLock(async () => {
        const license = await licenses.getLicense(licenseId);
        const device = isId('activation', activationId)
          ? await licenses.findDevice(license, deviceHashOfActivation(activationId))
          : undefined;
        if (!device) throw new AppError('activation_not_found');
        const at = now();
        if (!isActive(device)) return toIssuedLicense(license, at);

        await table.transact([
          ...licenses.releaseSeat(license, device, at),
          audit.recordAudit({
            actor,
            action: 'license.release_activation',
            targetId: licenseId,
            before: { activationId, active: true },
            after: { activationId, active: false },
          }),
        ]);
        return toIssuedLicense({ ...license, activationCount: Math.max(license.activationCount - 1, 0) }, at);
      }),
  };
}
