import { createAuditRepository } from '../../../../shared/audit/audit-repository.ts';
import type { Keyring } from '../../../../shared/crypto/keyring.ts';
import { retryOptimisticLock } from '../../../../shared/db/optimistic-lock.ts';
import type { Table } from '../../../../shared/db/table.ts';
import { hasCode } from '../../../../shared/errors.ts';
import { activationIdOf, isActive, type License } from '../../../../shared/licenses/license.ts';
import { normalizeLicenseKey } from '../../../../shared/licenses/license-key.ts';
import { deviceHashOf } from '../../../../shared/licenses/license-lookup.ts';
import { createLicenseRepository } from '../../../../shared/licenses/license-repository.ts';
import { createLicenseService } from '../../../../shared/licenses/license-service.ts';
import type { LicenseRuntimeResponse } from '../../../../shared/licenses/runtime-license.ts';
import { createRuntimeService } from '../../../../shared/licenses/runtime-service.ts';
import { issueLease, issueUpdateFeed } from '../../samples/leases.ts';
import { issueTestLicense, keyringOf } from '../../samples/licenses.ts';

export type LicenseHarness = Awaited<ReturnType<typeof createLicenseHarness>>;

/**
 * A license that was bought under pepper 1, and what apps and admins do with it; an activation
 * beyond the limit gives the code `limit`. `peppers` are those that the functions have since.
 */
export async function createLicenseHarness(table: Table, { peppers = keyringOf('1'), ...facts }: Partial<License> & { peppers?: Keyring }) {
  const licenses = createLicenseRepository({ table });
  const limitUnknownKeys = async () => undefined;
  const runtime = createRuntimeService({ table, peppers, issueLease, issueUpdateFeed, limitUnknownKeys });
  const audit = createAuditRepository({ table });
  const admin = createLicenseService({ table });
  const { key, license } = await issueTestLicense(table, facts);
  const on = (device: number) => ({ productId: license.productId, licenseKey: key, deviceFingerprint: `device ${device}` });
  return {
    license,
    licenses,
    admin,
    validate: (device: number) => runtime.validateLicense(on(device)),
    deactivate: (device: number) => runtime.deactivateLicense(on(device)),
    activate: (device: number) =>
      runtime.activateLicense(on(device)).catch((error: unknown): Pick<LicenseRuntimeResponse, 'valid'> & { code: string } => {
        if (hasCode(error, 'activation_limit_exceeded')) return { valid: false, code: 'limit' };
        throw error;
      }),
    hold: (hold: License['paymentHold']) =>
      retryOptimisticLock(async () => table.write(licenses.holdLicense(await licenses.getLicense(license.id), hold))),
    activationId: (device: number) => activationIdOf({ deviceHash: deviceHashOf(`device ${device}`, normalizeLicenseKey(key)) }),
    /** How often an admin freed the seat of a device, by the audit records. */
    async releases(activationId: string) {
      const { items } = await audit.listAudit({ targetId: license.id, limit: 100 });
      return items.filter((item) => item.action === 'license.release_activation' && item.after?.['activationId'] === activationId).length;
    },
    async seats() {
      const now = await licenses.getLicense(license.id);
      const { items } = await licenses.listDevices(now, { limit: 100 });
      return { activationCount: now.activationCount, active: items.filter(isActive).length };
    },
  };
}
