import * as z from 'zod/mini';
import { idOf } from '../ids.ts';
import { LicenseIssuanceMode } from '../products/product.ts';
import { dateTime } from '../schemas.ts';

export const LicenseStatus = z.enum(['active', 'revoked', 'refunded', 'disputed', 'suspended', 'expired']);
export type LicenseStatus = z.infer<typeof LicenseStatus>;

/** Set on the copy of a record that re-keying leaves behind for a while: where the record stands now, and since when. */
const moveMark = { movedTo: z.optional(z.string()), movedAt: z.optional(dateTime) };

/** A license as the table holds it. Its status is never stored: `statusOf` derives it from these facts. */
export const License = z.object({
  id: idOf('license'),
  /** The keyed hash under which the license key is found; also its partition. */
  lookup: z.string(),
  /** The license key, encrypted and bound to the license id. */
  sealedKey: z.string(),
  keyHint: z.string(),
  orderId: idOf('order'),
  productId: idOf('product'),
  sellerId: idOf('seller'),
  licenseIssuanceMode: LicenseIssuanceMode,
  activationLimit: z.int(),
  /** How many device records are active; changes only together with one of them. */
  activationCount: z.int(),
  features: z.array(z.string()),
  deactivationAllowed: z.boolean(),
  issuedAt: dateTime,
  expiresAt: z.optional(dateTime),
  suspendedAt: z.optional(dateTime),
  /** What the payment's facts forbid for now. Written by the projection of payment events alone. */
  paymentHold: z.optional(z.enum(['refunded', 'disputed'])),
  revokedAt: z.optional(dateTime),
  revokedBy: z.optional(z.string()),
  revokedReason: z.optional(z.string()),
  /** While it is re-keyed: the lookup under which some of its device records still stand. */
  movingFrom: z.optional(z.string()),
  ...moveMark,
});
export type License = z.infer<typeof License>;
export type PaymentHold = NonNullable<License['paymentHold']>;

/** A device that has, or had, a seat. One record a device and license; taking a seat again renews it. */
export const Device = z.object({
  /** The lookup of the partition that the record stands in. */
  lookup: z.string(),
  deviceHash: z.string(),
  deviceLabel: z.optional(z.string()),
  activatedAt: dateTime,
  deactivatedAt: z.optional(dateTime),
  ...moveMark,
});
export type Device = z.infer<typeof Device>;

/** The first that holds. Source: decisions.md §7 "License status". */
export function statusOf(license: Pick<License, 'revokedAt' | 'paymentHold' | 'suspendedAt' | 'expiresAt'>, now: Date): LicenseStatus {
  if (license.revokedAt) return 'revoked';
  if (license.paymentHold) return license.paymentHold;
  if (license.suspendedAt) return 'suspended';
  if (license.expiresAt && license.expiresAt <= now.toISOString()) return 'expired';
  return 'active';
}

/** Whether the device has a seat. */
export function isActive(device: Device | undefined): boolean {
  return device !== undefined && device.deactivatedAt === undefined;
}

const activationPrefix = 'act_';

export const activationIdOf = (device: Pick<Device, 'deviceHash'>) => `${activationPrefix}${device.deviceHash}`;
/** The inverse of `activationIdOf`, for an id of the right form. */
export const deviceHashOfActivation = (activationId: string) => activationId.slice(activationPrefix.length);

/** A license as admins see it. Source: decisions.md §8. */
export const IssuedLicense = z.object({
  id: idOf('license'),
  orderId: idOf('order'),
  productId: idOf('product'),
  sellerId: idOf('seller'),
  status: LicenseStatus,
  licenseIssuanceMode: LicenseIssuanceMode,
  licenseKeyHint: z.string(),
  activationLimit: z.int(),
  activationCount: z.int(),
  features: z.array(z.string()),
  deactivationAllowed: z.boolean(),
  issuedAt: dateTime,
  expiresAt: z.optional(dateTime),
  revokedAt: z.optional(dateTime),
  revokedBy: z.optional(z.string()),
  revokedReason: z.optional(z.string()),
});
export type IssuedLicense = z.infer<typeof IssuedLicense>;

export function toIssuedLicense(license: License, now: Date): IssuedLicense {
  return IssuedLicense.parse({ ...license, licenseKeyHint: license.keyHint, status: statusOf(license, now) });
}

/** A seat, taken or freed, as admins see it. Source: decisions.md §15. */
export const Activation = z.object({
  id: idOf('activation'),
  deviceLabel: z.optional(z.string()),
  activatedAt: dateTime,
  deactivatedAt: z.optional(dateTime),
});
export type Activation = z.infer<typeof Activation>;

export function toActivation(device: Device): Activation {
  return Activation.parse({ ...device, id: activationIdOf(device) });
}
