import type { Keyring } from '../crypto/keyring.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import type { Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import type { IssueLease, LeaseKind } from '../leases/lease.ts';
import type { IssueUpdateFeed } from '../leases/update-ticket.ts';
import { createRecordEvent } from '../seller-events/event-record-repository.ts';
import type { Happening } from '../seller-events/seller-event.ts';
import { isActive, type License } from './license.ts';
import { activationCreated, activationRefused, activationReleased } from './license-events.ts';
import { isMalformedLicenseKey, typedLicenseKeyForms } from './license-key.ts';
import { deviceHashOf, licenseLookups } from './license-lookup.ts';
import { createLicenseRepository, type KeyHolder, type KeyPlace } from './license-repository.ts';
import {
  describeLicense,
  type LicenseDeviceRequest,
  type LicenseRuntimeRequest,
  type LicenseRuntimeResponse,
  type OfflineActivationRequest,
  obstacleOf,
  withoutLicense,
} from './runtime-license.ts';

export type RuntimeService = ReturnType<typeof createRuntimeService>;

type Found<Place extends KeyPlace = KeyPlace> = KeyHolder<Place> & { at: Date };
/** What a lease and an address of feeds are made for, where the request names a device. */
type NamedDevice = Pick<LicenseRuntimeRequest, 'deviceFingerprint' | 'nonce' | 'updateFeed'>;
type SeatRequest = Omit<LicenseDeviceRequest, 'appVersion'>;

/** What apps do with a license key. See "Requests a call" in README.md */
export function createRuntimeService(options: {
  table: Table;
  peppers: Keyring;
  issueLease: IssueLease;
  issueUpdateFeed: IssueUpdateFeed;
  /** Spends from the product's budget of unknown keys. @throws AppError rate_limited when it is used up. */
  limitUnknownKeys: (productId: string) => Promise<void>;
  now?: (() => Date) | undefined;
}) {
  const { table, peppers, issueLease, issueUpdateFeed, limitUnknownKeys, now = () => new Date() } = options;
  const licenses = createLicenseRepository({ table });
  const recordEvent = createRecordEvent({ now });
  const record = ({ sellerId }: License, happenings: Happening[]) => happenings.map((happening) => recordEvent(sellerId, happening));

  /** Looks under each form of the key; the one under which the license is keys its device too. */
  async function find<Hash extends string | undefined>(
    productId: string,
    licenseKey: string,
    hashUnder: (key: string) => Hash,
  ): Promise<Found<KeyPlace & { deviceHash: Hash }>> {
    const placeOf = (key: string) => ({ lookups: licenseLookups(productId, key, peppers), deviceHash: hashUnder(key) });
    const [typed, ...others] = typedLicenseKeyForms(licenseKey);
    const found = await licenses.findLicenseAndDevice([placeOf(typed), ...others.map(placeOf)]);
    return { ...found, at: now() };
  }

  /** What was not found may be a guess. It is known only now, so a key that exists, or did, is never counted nor refused. */
  async function answerWithout({ replacedKey, at }: Found, productId: string, licenseKey: string): Promise<LicenseRuntimeResponse> {
    if (replacedKey) return withoutLicense('license_replaced', at);
    await limitUnknownKeys(productId);
    const [typed, bare = typed] = typedLicenseKeyForms(licenseKey);
    return withoutLicense(isMalformedLicenseKey(bare) ? 'license_key_malformed' : 'license_not_found', at);
  }

  /** The answer, with what we sign for a device that may run the license: a lease where its terms give one, the feeds where it asks. */
  function withProofs(answer: LicenseRuntimeResponse, license: License, device: NamedDevice, kind: LeaseKind, at: Date) {
    const days = kind === 'online' ? license.offlineDays : license.offlineFileDays;
    const { deviceFingerprint, nonce, updateFeed } = device;
    if (!answer.valid || !answer.deviceActivated || deviceFingerprint === undefined) return answer;
    return {
      ...answer,
      ...(days > 0 && { lease: issueLease({ kind, days, license, deviceFingerprint, nonce, test: answer.test }, at) }),
      // A test key has no updates: what it unlocks is not for sale.
      ...(updateFeed && !answer.test && issueUpdateFeed(license, deviceFingerprint, at)),
    };
  }

  function activate(request: SeatRequest, kind: LeaseKind): Promise<LicenseRuntimeResponse> {
    const { productId, licenseKey, deviceFingerprint, deviceLabel } = request;
    return retryOptimisticLock(async () => {
      const found = await find(productId, licenseKey, (key) => deviceHashOf(deviceFingerprint, key));
      const { license, device, at } = found;
      if (!license) return answerWithout(found, productId, licenseKey);
      const obstacle = obstacleOf(license, at);
      if (obstacle) return describeLicense(license, at, obstacle, isActive(device));
      if (kind === 'offline' && license.offlineFileDays === 0) throw new AppError('offline_not_offered');
      if (isActive(device)) return withProofs(describeLicense(license, at, 'already_activated', true), license, request, kind, at);

      const seat = { deviceHash: found.place.deviceHash, deviceLabel, device, now: at };
      if (license.activationCount >= license.activationLimit) {
        await table.transactOnce([...licenses.refuseSeat(license, seat), ...record(license, activationRefused(license))]);
        throw new AppError('activation_limit_exceeded');
      }
      await table.transactOnce([...licenses.takeSeat(license, seat), ...record(license, activationCreated(license, seat))]);
      const activationCount = Math.min(license.activationCount + 1, license.activationLimit);
      return withProofs(describeLicense({ ...license, activationCount }, at, 'activated', true), license, request, kind, at);
    });
  }

  return {
    /**
     * Whether the license may be used now, and whether the device, where one is named, has a seat. Changes nothing.
     *
     * @throws AppError rate_limited when too many unknown keys of the product were asked for, and this is one more.
     */
    async validateLicense(request: LicenseRuntimeRequest): Promise<LicenseRuntimeResponse> {
      const { productId, licenseKey, deviceFingerprint } = request;
      const found = await find(productId, licenseKey, (key) =>
        deviceFingerprint === undefined ? undefined : deviceHashOf(deviceFingerprint, key),
      );
      const { license, device, at } = found;
      if (!license) return answerWithout(found, productId, licenseKey);
      const deviceActivated = deviceFingerprint === undefined ? undefined : isActive(device);
      const answer = describeLicense(license, at, obstacleOf(license, at) ?? 'valid', deviceActivated);
      return withProofs(answer, license, request, 'online', at);
    },

    /**
     * Gives the device a seat of a usable license, unless it has one.
     *
     * @throws AppError activation_limit_exceeded when other devices have every seat; rate_limited as for validate.
     */
    activateLicense: (request: LicenseDeviceRequest): Promise<LicenseRuntimeResponse> => activate(request, 'online'),

    /**
     * The same for a device without network, which gets a lease of the kind it was sold.
     *
     * @throws AppError offline_not_offered before a seat is taken; and as for activate.
     */
    activateOfflineDevice: ({ licenseKey, requestCode }: OfflineActivationRequest): Promise<LicenseRuntimeResponse> =>
      activate({ licenseKey, ...requestCode }, 'offline'),

    /**
     * Frees the device's seat if it has one, in whatever state the license is.
     *
     * @throws AppError deactivation_not_allowed when the terms of the license forbid it, for any device; rate_limited as for validate.
     */
    async deactivateLicense({ productId, licenseKey, deviceFingerprint }: LicenseDeviceRequest): Promise<LicenseRuntimeResponse> {
      return retryOptimisticLock(async () => {
        const found = await find(productId, licenseKey, (key) => deviceHashOf(deviceFingerprint, key));
        const { license, device, at } = found;
        if (!license) return answerWithout(found, productId, licenseKey);
        if (!license.deactivationAllowed) throw new AppError('deactivation_not_allowed');
        if (!device) return describeLicense(license, at, 'not_activated', false);
        if (!isActive(device)) {
          // The batch may have read the license before the seat was freed, and the device after it.
          const since = await find(productId, licenseKey, () => undefined);
          return since.license
            ? describeLicense(since.license, since.at, 'not_activated', false)
            : answerWithout(since, productId, licenseKey);
        }

        const released = record(license, activationReleased(license, device));
        await table.transactOnce([...licenses.releaseSeat(license, device, at), ...released]);
        const activationCount = Math.max(license.activationCount - 1, 0);
        return describeLicense({ ...license, activationCount }, at, 'deactivated', false);
      });
    },
  };
}
