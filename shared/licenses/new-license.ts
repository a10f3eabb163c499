import type { Keyring } from '../crypto/keyring.ts';
import { openText, sealText } from '../crypto/sealed-text.ts';
import { licenseKeyHint, normalizeLicenseKey } from '../text/license-key.ts';
import type { License } from './license.ts';
import { currentLookup } from './license-lookup.ts';

/** What a license is issued with: the terms of its order, and why the payment stops it already, if it does. */
export type NewLicenseTerms = Pick<
  License,
  | 'id'
  | 'orderId'
  | 'productId'
  | 'sellerId'
  | 'licenseIssuanceMode'
  | 'activationLimit'
  | 'features'
  | 'deactivationAllowed'
  | 'offlineDays'
  | 'offlineFileDays'
  | 'issuedAt'
  | 'expiresAt'
  | 'updatesUntil'
  | 'paymentHold'
>;

/** A license without devices. Of `key` (generated or imported, in any spelling) it keeps a keyed hash, a ciphertext and a hint. */
export function newLicense(terms: NewLicenseTerms, key: string, secrets: { peppers: Keyring; encryptionKeys: Keyring }): License {
  return {
    ...terms,
    lookup: currentLookup(terms.productId, normalizeLicenseKey(key), secrets.peppers),
    sealedKey: sealLicenseKey(key, terms.id, secrets.encryptionKeys),
    keyHint: licenseKeyHint(key),
    activationCount: 0,
  };
}

/** The key, encrypted; it opens only for the license of this id. */
export function sealLicenseKey(key: string, licenseId: string, encryptionKeys: Keyring): string {
  return sealText(key, licenseId, encryptionKeys);
}

/** The license key in its original spelling. @throws Error when it was sealed for another license, or its encryption key was retired. */
export function openLicenseKey(license: Pick<License, 'id' | 'sealedKey'>, encryptionKeys: Keyring): string {
  return openText(license.sealedKey, license.id, encryptionKeys);
}

/** The license under another key: without devices, the rest as it was. The former key stays known by its lookups. */
export function withNewKey(license: License, key: string, secrets: { peppers: Keyring; encryptionKeys: Keyring }, now: Date): License {
  const { movingFrom, ...kept } = license;
  const replacedAt = now.toISOString();
  const former = [license.lookup, ...(movingFrom === undefined ? [] : [movingFrom])];
  return {
    ...newLicense(kept, key, secrets),
    formerKeys: [...(license.formerKeys ?? []), ...former.map((lookup) => ({ lookup, replacedAt }))],
  };
}
