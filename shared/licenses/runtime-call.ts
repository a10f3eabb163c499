import type { Needs } from '../context.ts';
import type { LeaseKind } from '../leases/lease.ts';
import { isMalformedKeyText, lookupFormsOf } from '../text/license-key.ts';
import type { License } from './license.ts';
import { licenseLookups } from './license-lookup.ts';
import { type FoundKey, findLicenseAndDevice, type LookupPlace } from './license-repository.ts';
import { answerWithoutLicense, type LicenseRuntimeRequest, type LicenseRuntimeResponse } from './runtime-license.ts';

type KeyLookup<Place extends LookupPlace = LookupPlace> = FoundKey<Place> & { at: Date };

/** What a lease and an address of feeds are made for, where the request names a device. */
type NamedDevice = Pick<LicenseRuntimeRequest, 'deviceFingerprint' | 'nonce' | 'updateFeed'>;

/** What apps' calls work with. */
export type RuntimeNeeds = Needs<'table' | 'now' | 'issueLease' | 'issueUpdateFeed' | 'limitInMemory' | 'LICENSE_PEPPERS'>;

/** Looks under each form of the key; the one under which the license is keys its device too. */
export async function findByKey<Hash extends string | undefined>(
  c: Needs<'table' | 'now' | 'LICENSE_PEPPERS'>,
  productId: string,
  licenseKey: string,
  hashUnder: (key: string) => Hash,
): Promise<KeyLookup<LookupPlace & { deviceHash: Hash }>> {
  const placeOf = (key: string) => ({ lookups: licenseLookups(productId, key, c.settings.LICENSE_PEPPERS), deviceHash: hashUnder(key) });
  const [typed, ...others] = lookupFormsOf(licenseKey);
  const found = await findLicenseAndDevice(c.table, [placeOf(typed), ...others.map(placeOf)]);
  return { ...found, at: c.now() };
}

/** An unknown key may be a guess. Only now is it known to be unknown, so a key that exists, or existed, is never counted or refused. */
export async function answerUnknownKey(
  c: Needs<'limitInMemory'>,
  { replacedKey, at }: KeyLookup,
  productId: string,
  licenseKey: string,
): Promise<LicenseRuntimeResponse> {
  if (replacedKey) return answerWithoutLicense('license_replaced', at);
  await c.limitInMemory('unknown-keys', productId);
  return answerWithoutLicense(isMalformedKeyText(licenseKey) ? 'license_key_malformed' : 'license_not_found', at);
}

/** The answer, with what we sign for a device that may run the license: a lease where its terms give one, the feeds where it asks. */
export function withProofs(
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
