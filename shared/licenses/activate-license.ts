import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import { AppError } from '../errors.ts';
import type { LeaseKind } from '../leases/lease.ts';
import { isActive } from './license.ts';
import { activationCreatedEvents, activationRefusedEvents, recordEvents } from './license-events.ts';
import { deviceHashOf } from './license-lookup.ts';
import { refuseSeat, takeSeat } from './license-repository.ts';
import { answerUnknownKey, findByKey, type RuntimeNeeds, withProofs } from './runtime-call.ts';
import {
  describeLicense,
  type LicenseDeviceRequest,
  type LicenseRuntimeResponse,
  type OfflineActivationRequest,
  unusableCode,
} from './runtime-license.ts';

type SeatRequest = Omit<LicenseDeviceRequest, 'appVersion'>;

function activate(c: RuntimeNeeds, request: SeatRequest, kind: LeaseKind): Promise<LicenseRuntimeResponse> {
  const { productId, licenseKey, deviceFingerprint, deviceLabel } = request;
  return retryOptimisticLock(async () => {
    const found = await findByKey(c, productId, licenseKey, (key) => deviceHashOf(deviceFingerprint, key));
    const { license, device, at } = found;
    if (!license) return answerUnknownKey(c, found, productId, licenseKey);
    const obstacle = unusableCode(license, at);
    if (obstacle) return describeLicense(license, at, obstacle, isActive(device));
    if (kind === 'offline' && license.offlineFileDays === 0) throw new AppError('offline_not_offered');
    if (isActive(device)) return withProofs(c, describeLicense(license, at, 'already_activated', true), license, request, kind, at);

    const seat = { deviceHash: found.place.deviceHash, deviceLabel, device, now: at };
    if (license.activationCount >= license.activationLimit) {
      await c.table.transactOnce([...refuseSeat(license, seat), ...recordEvents(c, license, activationRefusedEvents(license))]);
      throw new AppError('activation_limit_exceeded');
    }
    await c.table.transactOnce([...takeSeat(license, seat), ...recordEvents(c, license, activationCreatedEvents(license, seat))]);
    const activationCount = Math.min(license.activationCount + 1, license.activationLimit);
    return withProofs(c, describeLicense({ ...license, activationCount }, at, 'activated', true), license, request, kind, at);
  });
}

/**
 * Takes a seat of a usable license for the device, unless it has one.
 *
 * @throws AppError activation_limit_exceeded when other devices have every seat; rate_limited as for validate.
 */
export const activateLicense = (c: RuntimeNeeds, request: LicenseDeviceRequest): Promise<LicenseRuntimeResponse> =>
  activate(c, request, 'online');

/**
 * The same for a device without network, which gets a lease of the kind it was sold.
 *
 * @throws AppError offline_not_offered before a seat is taken; and as for activate.
 */
export const activateOfflineDevice = (
  c: RuntimeNeeds,
  { licenseKey, requestCode }: OfflineActivationRequest,
): Promise<LicenseRuntimeResponse> => activate(c, { licenseKey, ...requestCode }, 'offline');
