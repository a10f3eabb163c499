import type { Keyring } from '../crypto/keyring.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import type { Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { isActive } from './license.ts';
import { isMistypedLicenseKey, normalizeLicenseKey } from './license-key.ts';
import { deviceHashOf, licenseLookups } from './license-lookup.ts';
import type { LicenseRepository } from './license-repository.ts';
import {
  describeLicense,
  type LicenseDeviceRequest,
  type LicenseRuntimeRequest,
  type LicenseRuntimeResponse,
  obstacleOf,
  unknownLicense,
} from './runtime-license.ts';

export type RuntimeService = ReturnType<typeof createRuntimeService>;

/** What apps ask about a license key. See "Requests a call" in README.md */
export function createRuntimeService(options: { table: Table; licenses: LicenseRepository; peppers: Keyring; now?: () => Date }) {
  const { table, licenses, peppers, now = () => new Date() } = options;

  async function find({ productId, licenseKey, deviceFingerprint }: LicenseRuntimeRequest) {
    const key = normalizeLicenseKey(licenseKey);
    const deviceHash = deviceFingerprint === undefined ? undefined : deviceHashOf(deviceFingerprint, key);
    const found = await licenses.findLicenseAndDevice(licenseLookups(productId, key, peppers), deviceHash);
    return { ...found, deviceHash, at: now(), unknown: isMistypedLicenseKey(key) ? 'license_key_malformed' : 'license_not_found' } as const;
  }

  return {
    /** Whether the license may be used now, and whether the device, where one is named, has a seat. Changes nothing. */
    async validateLicense(request: LicenseRuntimeRequest): Promise<LicenseRuntimeResponse> {
      const { license, device, deviceHash, at, unknown } = await find(request);
      if (!license) return unknownLicense(unknown, at);
      const deviceActivated = deviceHash === undefined ? undefined : isActive(device);
      return describeLicense(license, at, obstacleOf(license, at) ?? 'valid', deviceActivated);
    },

    /**
     * Gives the device a seat of a usable license, unless it has one.
     *
     * @throws AppError activation_limit_exceeded when other devices have every seat.
     */
    activateLicense: (request: LicenseDeviceRequest): Promise<LicenseRuntimeResponse> =>
      retryOptimisticLock(async () => {
        const { license, device, deviceHash = '', at, unknown } = await find(request);
        if (!license) return unknownLicense(unknown, at);
        const obstacle = obstacleOf(license, at);
        if (obstacle) return describeLicense(license, at, obstacle, isActive(device));
        if (isActive(device)) return describeLicense(license, at, 'already_activated', true);

        await table.transact(licenses.takeSeat(license, { deviceHash, deviceLabel: request.deviceLabel, device, now: at }));
        const activationCount = Math.min(license.activationCount + 1, license.activationLimit);
        return describeLicense({ ...license, activationCount }, at, 'activated', true);
      }),

    /**
     * Frees the device's seat if it has one, in whatever state the license is.
     *
     * @throws AppError deactivation_not_allowed when the terms of the license forbid it, for any device.
     */
    deactivateLicense: (request: LicenseDeviceRequest): Promise<LicenseRuntimeResponse> =>
      retryOptimisticLock(async () => {
        const { license, device, at, unknown } = await find(request);
        if (!license) return unknownLicense(unknown, at);
        if (!license.deactivationAllowed) throw new AppError('deactivation_not_allowed');
        if (!device || !isActive(device)) return describeLicense(license, at, 'not_activated', false);

        await table.transact(licenses.releaseSeat(license, device, at));
        const activationCount = Math.max(license.activationCount - 1, 0);
        return describeLicense({ ...license, activationCount }, at, 'deactivated', false);
      }),
  };
}
