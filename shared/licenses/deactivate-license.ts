import type { Needs } from '../context.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import { AppError } from '../errors.ts';
import { isActive } from './license.ts';
import { recordEvents, seatFreedEvents } from './license-events.ts';
import { deviceHashOf } from './license-lookup.ts';
import { freeSeat } from './license-repository.ts';
import { answerUnknownKey, findByKey } from './runtime-call.ts';
import { describeLicense, type LicenseDeviceRequest, type LicenseRuntimeResponse } from './runtime-license.ts';

/**
 * Frees the device's seat if it has one, in whatever state the license is.
 *
 * @throws AppError deactivation_not_allowed when the terms of the license forbid it, for any device; rate_limited as for validate.
 */
export async function deactivateLicense(
  c: Needs<'table' | 'now' | 'LICENSE_PEPPERS' | 'limitInMemory'>,
  { productId, licenseKey, deviceFingerprint }: LicenseDeviceRequest,
): Promise<LicenseRuntimeResponse> {
  return retryOptimisticLock(async () => {
    const found = await findByKey(c, productId, licenseKey, (key) => deviceHashOf(deviceFingerprint, key));
    const { license, device, at } = found;
    if (!license) return answerUnknownKey(c, found, productId, licenseKey);
    if (!license.deactivationAllowed) throw new AppError('deactivation_not_allowed');
    if (!device) return describeLicense(license, at, 'not_activated', false);
    if (!isActive(device)) {
      // The batch may have read the license before the seat was freed, and the device after it.
      const since = await findByKey(c, productId, licenseKey, () => undefined);
      return since.license
        ? describeLicense(since.license, since.at, 'not_activated', false)
        : answerUnknownKey(c, since, productId, licenseKey);
    }

    const released = recordEvents(c, license, seatFreedEvents(license, device));
    await c.table.transactOnce([...freeSeat(license, device, at), ...released]);
    const activationCount = Math.max(license.activationCount - 1, 0);
    return describeLicense({ ...license, activationCount }, at, 'deactivated', false);
  });
}
