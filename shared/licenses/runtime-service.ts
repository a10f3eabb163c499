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

/** What apps do with a license key. See "Requests a call" in README.md */
export function createRuntimeService(options: {
  table: Table;
  licenses: LicenseRepository;
  peppers: Keyring;
  /** Spends from the product's budget of unknown keys. @throws AppError rate_limited when it is used up. */
  limitUnknownKeys: (productId: string) => Promise<void>;
  now?: () => Date;
}) {
  const { table, licenses, peppers, limitUnknownKeys, now = () => new Date() } = options;

  async function find(productId: string, key: string, deviceHash?: string) {
    const found = await licenses.findLicenseAndDevice(licenseLookups(productId, key, peppers), deviceHash);
    return { ...found, at: now() };
  }

  /** What was not found may be a guess. It is known only now, so a key that exists is never counted nor refused. */
  async function unknown(productId: string, key: string, at: Date): Promise<LicenseRuntimeResponse> {
    await limitUnknownKeys(productId);
    return unknownLicense(isMistypedLicenseKey(key) ? 'license_key_malformed' : 'license_not_found', at);
  }

  return {
    /**
     * Whether the license may be used now, and whether the device, where one is named, has a seat. Changes nothing.
     *
     * @throws AppError rate_limited when too many unknown keys of the product were asked for, and this is one more.
     */
    async validateLicense({ productId, licenseKey, deviceFingerprint }: LicenseRuntimeRequest): Promise<LicenseRuntimeResponse> {
      const key = normalizeLicenseKey(licenseKey);
      const deviceHash = deviceFingerprint === undefined ? undefined : deviceHashOf(deviceFingerprint, key);
      const { license, device, at } = await find(productId, key, deviceHash);
      if (!license) return unknown(productId, key, at);
      const deviceActivated = deviceHash === undefined ? undefined : isActive(device);
      return describeLicense(license, at, obstacleOf(license, at) ?? 'valid', deviceActivated);
    },

    /**
     * Gives the device a seat of a usable license, unless it has one.
     *
     * @throws AppError activation_limit_exceeded when other devices have every seat; rate_limited as for validate.
     */
    async activateLicense({
      productId,
      licenseKey,
      deviceFingerprint,
      deviceLabel,
    }: LicenseDeviceRequest): Promise<LicenseRuntimeResponse> {
      const key = normalizeLicenseKey(licenseKey);
      const deviceHash = deviceHashOf(deviceFingerprint, key);
      return retryOptimisticLock(async () => {
        const { license, device, at } = await find(productId, key, deviceHash);
        if (!license) return unknown(productId, key, at);
        const obstacle = obstacleOf(license, at);
        if (obstacle) return describeLicense(license, at, obstacle, isActive(device));
        if (isActive(device)) return describeLicense(license, at, 'already_activated', true);

        await table.transact(licenses.takeSeat(license, { deviceHash, deviceLabel, device, now: at }));
        const activationCount = Math.min(license.activationCount + 1, license.activationLimit);
        return describeLicense({ ...license, activationCount }, at, 'activated', true);
      });
    },

    /**
     * Frees the device's seat if it has one, in whatever state the license is.
     *
     * @throws AppError deactivation_not_allowed when the terms of the license forbid it, for any device; rate_limited as for validate.
     */
    async deactivateLicense({ productId, licenseKey, deviceFingerprint }: LicenseDeviceRequest): Promise<LicenseRuntimeResponse> {
      const key = normalizeLicenseKey(licenseKey);
      const deviceHash = deviceHashOf(deviceFingerprint, key);
      return retryOptimisticLock(async () => {
        const { license, device, at } = await find(productId, key, deviceHash);
        if (!license) return unknown(productId, key, at);
        if (!license.deactivationAllowed) throw new AppError('deactivation_not_allowed');
        if (!device || !isActive(device)) return describeLicense(license, at, 'not_activated', false);

        await table.transact(licenses.releaseSeat(license, device, at));
        const activationCount = Math.max(license.activationCount - 1, 0);
        return describeLicense({ ...license, activationCount }, at, 'deactivated', false);
      });
    },
  };
}
