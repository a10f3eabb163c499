/** What apps do with a license key. See "Requests a call" in README.md */

import type { Needs } from '../context.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import { AppError } from '../errors.ts';
import type { LeaseKind } from '../leases/lease.ts';
import { recordEvent } from '../seller-events/event-record-repository.ts';
import type { NewEvent } from '../seller-events/seller-event.ts';
import { isMalformedLicenseKey, lookupFormsOf } from '../text/license-key.ts';
import { isActive, type License } from './license.ts';
import { activationCreatedEvents, activationRefusedEvents, seatFreedEvents } from './license-events.ts';
import { deviceHashOf, licenseLookups } from './license-lookup.ts';
import { type FoundKey, findLicenseAndDevice, freeSeat, type LookupPlace, refuseSeat, takeSeat } from './license-repository.ts';
import {
  answerWithoutLicense,
  describeLicense,
  type LicenseDeviceRequest,
  type LicenseRuntimeRequest,
  type LicenseRuntimeResponse,
  type OfflineActivationRequest,
  unusableCode,
} from './runtime-license.ts';

type Found<Place extends LookupPlace = LookupPlace> = FoundKey<Place> & { at: Date };

/** What a lease and an address of feeds are made for, where the request names a device. */
type NamedDevice = Pick<LicenseRuntimeRequest, 'deviceFingerprint' | 'nonce' | 'updateFeed'>;
type SeatRequest = Omit<LicenseDeviceRequest, 'appVersion'>;

const record = (c: Needs<'now'>, { sellerId }: License, happenings: NewEvent[]) =>
  happenings.map((happening) => recordEvent(c, sellerId, happening));

/** Looks under each form of the key; the one under which the license is keys its device too. */
async function find<Hash extends string | undefined>(
  c: Needs<'table' | 'now' | 'LICENSE_PEPPERS'>,
  productId: string,
  licenseKey: string,
  hashUnder: (key: string) => Hash,
): Promise<Found<LookupPlace & { deviceHash: Hash }>> {
  const placeOf = (key: string) => ({ lookups: licenseLookups(productId, key, c.settings.LICENSE_PEPPERS), deviceHash: hashUnder(key) });
  const [typed, ...others] = lookupFormsOf(licenseKey);
  const found = await findLicenseAndDevice(c.table, [placeOf(typed), ...others.map(placeOf)]);
  return { ...found, at: c.now() };
}

/** An unknown key may be a guess. Only now is it known to be unknown, so a key that exists, or existed, is never counted or refused. */
async function answerWithout(
  c: Needs<'limitInMemory'>,
  { replacedKey, at }: Found,
  productId: string,
  licenseKey: string,
): Promise<LicenseRuntimeResponse> {
  if (replacedKey) return answerWithoutLicense('license_replaced', at);
  await c.limitInMemory('unknown-keys', productId);
  const [typed, bare = typed] = lookupFormsOf(licenseKey);
  return answerWithoutLicense(isMalformedLicenseKey(bare) ? 'license_key_malformed' : 'license_not_found', at);
}

/** The answer, with what we sign for a device that may run the license: a lease where its terms give one, the feeds where it asks. */
function withProofs(
  c: Needs<'issueLease' | 'issueUpdateFeed'>,
  answer: LicenseRuntimeResponse,
  license: License,
  device: NamedDevice,
  kind: LeaseKind,
  at: Date,
) {
  const days = kind === 'online' ? license.offlineDays : license.offlineFileDays;
  const { deviceFingerprint, nonce, updateFeed } = device;
  if (!answer.valid || !answer.deviceActivated || deviceFingerprint === undefined) return answer;
  return {
    ...answer,
    ...(days > 0 && { lease: c.issueLease({ kind, days, license, deviceFingerprint, nonce, test: answer.test }, at) }),
    // A test key has no updates: what it unlocks is not for sale.
    ...(updateFeed && !answer.test && c.issueUpdateFeed(license, deviceFingerprint, at)),
  };
}

function activate(
  c: Needs<'table' | 'now' | 'issueLease' | 'issueUpdateFeed' | 'LICENSE_PEPPERS' | 'limitInMemory'>,
  request: SeatRequest,
  kind: LeaseKind,
): Promise<LicenseRuntimeResponse> {
  const { productId, licenseKey, deviceFingerprint, deviceLabel } = request;
  return retryOptimisticLock(async () => {
    const found = await find(c, productId, licenseKey, (key) => deviceHashOf(deviceFingerprint, key));
    const { license, device, at } = found;
    if (!license) return answerWithout(c, found, productId, licenseKey);
    const obstacle = unusableCode(license, at);
    if (obstacle) return describeLicense(license, at, obstacle, isActive(device));
    if (kind === 'offline' && license.offlineFileDays === 0) throw new AppError('offline_not_offered');
    if (isActive(device)) return withProofs(c, describeLicense(license, at, 'already_activated', true), license, request, kind, at);

    const seat = { deviceHash: found.place.deviceHash, deviceLabel, device, now: at };
    if (license.activationCount >= license.activationLimit) {
      await c.table.transactOnce([...refuseSeat(license, seat), ...record(c, license, activationRefusedEvents(license))]);
      throw new AppError('activation_limit_exceeded');
    }
    await c.table.transactOnce([...takeSeat(license, seat), ...record(c, license, activationCreatedEvents(license, seat))]);
    const activationCount = Math.min(license.activationCount + 1, license.activationLimit);
    return withProofs(c, describeLicense({ ...license, activationCount }, at, 'activated', true), license, request, kind, at);
  });
}

/**
 * Whether the license may be used now, and whether the device, where one is named, has a seat. Changes nothing.
 *
 * @throws AppError rate_limited when too many unknown keys of the product were asked for, and this is one more.
 */
export async function validateLicense(
  c: Needs<'table' | 'now' | 'issueLease' | 'issueUpdateFeed' | 'LICENSE_PEPPERS' | 'limitInMemory'>,
  request: LicenseRuntimeRequest,
): Promise<LicenseRuntimeResponse> {
  const { productId, licenseKey, deviceFingerprint } = request;
  const found = await find(c, productId, licenseKey, (key) =>
    deviceFingerprint === undefined ? undefined : deviceHashOf(deviceFingerprint, key),
  );
  const { license, device, at } = found;
  if (!license) return answerWithout(c, found, productId, licenseKey);
  const deviceActivated = deviceFingerprint === undefined ? undefined : isActive(device);
  const answer = describeLicense(license, at, unusableCode(license, at) ?? 'valid', deviceActivated);
  return withProofs(c, answer, license, request, 'online', at);
}

/**
 * Takes a seat of a usable license for the device, unless it has one.
 *
 * @throws AppError activation_limit_exceeded when other devices have every seat; rate_limited as for validate.
 */
export const activateLicense = (
  c: Needs<'table' | 'now' | 'issueLease' | 'issueUpdateFeed' | 'LICENSE_PEPPERS' | 'limitInMemory'>,
  request: LicenseDeviceRequest,
): Promise<LicenseRuntimeResponse> => activate(c, request, 'online');

/**
 * The same for a device without network, which gets a lease of the kind it was sold.
 *
 * @throws AppError offline_not_offered before a seat is taken; and as for activate.
 */
export const activateOfflineDevice = (
  c: Needs<'table' | 'now' | 'issueLease' | 'issueUpdateFeed' | 'LICENSE_PEPPERS' | 'limitInMemory'>,
  { licenseKey, requestCode }: OfflineActivationRequest,
): Promise<LicenseRuntimeResponse> => activate(c, { licenseKey, ...requestCode }, 'offline');

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
    const found = await find(c, productId, licenseKey, (key) => deviceHashOf(deviceFingerprint, key));
    const { license, device, at } = found;
    if (!license) return answerWithout(c, found, productId, licenseKey);
    if (!license.deactivationAllowed) throw new AppError('deactivation_not_allowed');
    if (!device) return describeLicense(license, at, 'not_activated', false);
    if (!isActive(device)) {
      // The batch may have read the license before the seat was freed, and the device after it.
      const since = await find(c, productId, licenseKey, () => undefined);
      return since.license
        ? describeLicense(since.license, since.at, 'not_activated', false)
        : answerWithout(c, since, productId, licenseKey);
    }

    const released = record(c, license, seatFreedEvents(license, device));
    await c.table.transactOnce([...freeSeat(license, device, at), ...released]);
    const activationCount = Math.max(license.activationCount - 1, 0);
    return describeLicense({ ...license, activationCount }, at, 'deactivated', false);
  });
}
