import { listAudit } from '../../../../shared/audit/audit-repository.ts';
import type { Keyring } from '../../../../shared/crypto/keyring.ts';
import { retryOptimisticLock } from '../../../../shared/db/optimistic-lock.ts';
import type { Table } from '../../../../shared/db/table.ts';
import { hasCode } from '../../../../shared/errors.ts';
import { activateLicense } from '../../../../shared/licenses/activate-license.ts';
import { deactivateLicense } from '../../../../shared/licenses/deactivate-license.ts';
import { activationIdOf, isActive, type License } from '../../../../shared/licenses/license.ts';
import { deviceHashOf } from '../../../../shared/licenses/license-lookup.ts';
import { getLicense, listDevices, recordLicenseHold } from '../../../../shared/licenses/license-repository.ts';
import type { LicenseRuntimeResponse } from '../../../../shared/licenses/runtime-license.ts';
import { validateLicense } from '../../../../shared/licenses/validate-license.ts';
import { normalizeLicenseKey } from '../../../../shared/text/license-key.ts';
import { issueLease, issueUpdateFeed } from '../../samples/leases.ts';
import { issueTestLicense, keyringOf } from '../../samples/licenses.ts';

export type LicenseHarness = Awaited<ReturnType<typeof createLicenseHarness>>;

/**
 * A license that was bought under pepper 1, and what apps and admins do with it; an activation
 * beyond the limit gives the code `limit`. `peppers` are those that the functions have since.
 */
export async function createLicenseHarness(table: Table, { peppers = keyringOf('1'), ...facts }: Partial<License> & { peppers?: Keyring }) {
  const now = () => new Date();
  const limitInMemory = async () => undefined;
  const c = { table, now, issueLease, issueUpdateFeed, limitInMemory, settings: { LICENSE_PEPPERS: peppers } };
  const { key, license } = await issueTestLicense(table, facts);
  const on = (device: number) => ({ productId: license.productId, licenseKey: key, deviceFingerprint: `device ${device}` });
  return {
    license,
    table,
    now,
    validate: (device: number) => validateLicense(c, on(device)),
    deactivate: (device: number) => deactivateLicense(c, on(device)),
    activate: (device: number) =>
      activateLicense(c, on(device)).catch((error: unknown): Pick<LicenseRuntimeResponse, 'valid'> & { code: string } => {
        if (hasCode(error, 'activation_limit_exceeded')) return { valid: false, code: 'limit' };
        throw error;
      }),
    hold: (hold: License['paymentHold']) =>
      retryOptimisticLock(async () => table.write(recordLicenseHold(await getLicense(table, license.id), hold))),
    activationId: (device: number) => activationIdOf({ deviceHash: deviceHashOf(`device ${device}`, normalizeLicenseKey(key)) }),
    /** How often an admin freed the seat of a device, by the audit records. */
    async releases(activationId: string) {
      const { items } = await listAudit(table, { targetId: license.id, limit: 100 });
      return items.filter((item) => item.action === 'license.release_activation' && item.after?.['activationId'] === activationId).length;
    },
    async seats() {
      const read = await getLicense(table, license.id);
      const { items } = await listDevices(table, read, { limit: 100 });
      return { activationCount: read.activationCount, active: items.filter(isActive).length };
    },
  };
}
