import * as z from 'zod/mini';
import { fault } from '../faults/fault.ts';
import * as rules from '../faults/rules.ts';
import { idOf } from '../ids.ts';
import { leaseNonce, parseRequestCode } from '../leases/request-code.ts';
import { dateTime, lineWithoutBidi, nonBlankText, storedUri, text } from '../schemas.ts';
import { type License, LicenseStatus, statusOf, testField, testFieldOf } from './license.ts';

const keyFields = { productId: nonBlankText(64), licenseKey: nonBlankText(512) };
/** The label is personal to the buyer: only the buyer and admins see it. The version is accepted and not kept. */
const appFields = {
  deviceLabel: z.optional(lineWithoutBidi(100)),
  appVersion: z.optional(lineWithoutBidi(64)),
  nonce: z.optional(leaseNonce),
};
/** Whether its updater wants an address that proves by itself whose it is. */
const updaterFields = { updateFeed: z.optional(z.boolean()) };

/** For validate, where the device may be left out. */
export const LicenseRuntimeRequest = z.object({
  ...keyFields,
  deviceFingerprint: z.optional(nonBlankText(512)),
  ...appFields,
  ...updaterFields,
});
export type LicenseRuntimeRequest = z.infer<typeof LicenseRuntimeRequest>;

/** For activate and deactivate, which are about a device. */
export const LicenseDeviceRequest = z.object({ ...keyFields, deviceFingerprint: nonBlankText(512), ...appFields, ...updaterFields });
export type LicenseDeviceRequest = z.infer<typeof LicenseDeviceRequest>;

/** For a device without network: a person brings what it showed. */
export const OfflineActivationRequest = z.object({
  licenseKey: nonBlankText(512),
  requestCode: z.pipe(
    text(200_000),
    z.transform((code: string, { issues }) => {
      const request = parseRequestCode(code);
      if (request) return request;
      issues.push({ code: 'custom', input: code, message: fault(rules.notRequestCode) });
      return z.NEVER;
    }),
  ),
});
export type OfflineActivationRequest = z.infer<typeof OfflineActivationRequest>;

export const runtimeCodes = [
  'valid',
  'activated',
  'already_activated',
  'deactivated',
  'not_activated',
  'license_key_malformed',
  'license_not_found',
  'license_replaced',
  'license_revoked',
  'license_refunded',
  'license_disputed',
  'license_suspended',
  'license_expired',
] as const;
export type RuntimeCode = (typeof runtimeCodes)[number];

/** The answer to an app: whether the license may be used now, why, and nothing about the buyer. */
export const LicenseRuntimeResponse = z.object({
  valid: z.boolean(),
  code: z.enum(runtimeCodes),
  checkedAt: dateTime,
  licenseId: z.optional(idOf('license')),
  status: z.optional(LicenseStatus),
  activationLimit: z.optional(z.int()),
  activationCount: z.optional(z.int()),
  features: z.optional(z.array(z.string())),
  issuedAt: z.optional(dateTime),
  expiresAt: z.optional(dateTime),
  updatesUntil: z.optional(dateTime),
  deviceActivated: z.optional(z.boolean()),
  lease: z.optional(z.string()),
  updateFeedUrl: z.optional(storedUri),
  updateFeedExpiresAt: z.optional(dateTime),
  ...testField,
});
export type LicenseRuntimeResponse = z.infer<typeof LicenseRuntimeResponse>;

/** The answer when no license of this product has the key, or none has it any more. */
export function answerWithoutLicense(
  code: 'license_key_malformed' | 'license_not_found' | 'license_replaced',
  now: Date,
): LicenseRuntimeResponse {
  return { valid: false, code, checkedAt: now.toISOString() };
}

/** The answer about a license that was found; `deviceActivated` where a device was named. */
export function describeLicense(license: License, now: Date, code: RuntimeCode, deviceActivated?: boolean): LicenseRuntimeResponse {
  const status = statusOf(license, now);
  const { id: licenseId, activationLimit, features, issuedAt, expiresAt, updatesUntil } = license;
  // One batch may have read the license before the device took its seat, and the device after it.
  const activationCount = Math.max(license.activationCount, deviceActivated ? 1 : 0);
  return {
    valid: status === 'active',
    code,
    checkedAt: now.toISOString(),
    licenseId,
    status,
    activationLimit,
    activationCount,
    features,
    issuedAt,
    expiresAt,
    updatesUntil,
    deviceActivated,
    ...testFieldOf(license),
  };
}

/** Why the license cannot be used now; undefined when it can. */
export function unusableCode(license: License, now: Date): RuntimeCode | undefined {
  const status = statusOf(license, now);
  return status === 'active' ? undefined : `license_${status}`;
}
