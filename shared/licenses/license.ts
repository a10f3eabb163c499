import * as z from 'zod/mini';
import { idOf } from '../ids.ts';
import { offlineTerms } from '../leases/offline-terms.ts';
import { LicenseIssuanceMode } from '../products/issuance-mode.ts';
import { dateTime } from '../schemas.ts';

export const LicenseStatus = z.enum(['active', 'revoked', 'refunded', 'disputed', 'suspended', 'expired']);
export type LicenseStatus = z.infer<typeof LicenseStatus>;

/** Set on the old copy that re-keying keeps for a grace period: the lookup of the valid copy, and since when. */
const movedMark = { movedTo: z.optional(z.string()), movedAt: z.optional(dateTime) };

/** A key that the license had before: where it and its devices were found, and when another took its place. */
const FormerKey = z.object({ lookup: z.string(), replacedAt: dateTime });

/** A license as the table holds it. Its status is never stored: `statusOf` derives it from these facts. */
export const License = z.object({
  id: idOf('license'),
  /** The keyed hash under which the license key is found; also its partition. */
  lookup: z.string(),
  /** The license key, encrypted and bound to the license id. */
  sealedKey: z.string(),
  keyHint: z.string(),
  /** Absent of a test key's license, which nobody bought. */
  orderId: z.optional(idOf('order')),
  productId: idOf('product'),
  sellerId: idOf('seller'),
  licenseIssuanceMode: LicenseIssuanceMode,
  activationLimit: z.int(),
  /** How many device records are active; changes only together with one of them. */
  activationCount: z.int(),
  features: z.array(z.string()),
  deactivationAllowed: z.boolean(),
  ...offlineTerms,
  issuedAt: dateTime,
  expiresAt: z.optional(dateTime),
  /** Until when it is owed updates; absent: without end. */
  updatesUntil: z.optional(dateTime),
  suspendedAt: z.optional(dateTime),
  /** Why the payment stops the license for now. Written by the event projector alone. */
  paymentHold: z.optional(z.enum(['refunded', 'disputed'])),
  revokedAt: z.optional(dateTime),
  revokedBy: z.optional(z.string()),
  revokedReason: z.optional(z.string()),
  /** While it is re-keyed: the old lookup, under which some of its device records may still be. */
  movingFrom: z.optional(z.string()),
  /** Devices of these have no seat any more; their records stay where they were. */
  formerKeys: z.optional(z.array(FormerKey)),
  ...movedMark,
});
export type License = z.infer<typeof License>;
export type PaymentHold = NonNullable<License['paymentHold']>;

/** What is in the place of a license whose key was replaced: the key is told apart from one that never was, and never issued again. */
export const ReplacedKey = z.object({
  /** The license that has another key now. */
  id: idOf('license'),
  lookup: z.string(),
  productId: idOf('product'),
  /** The replaced key, encrypted and bound to the license id. */
  sealedKey: z.string(),
  replacedAt: dateTime,
});
export type ReplacedKey = z.infer<typeof ReplacedKey>;

/** From a license's id to the lookup it is stored under. */
export const LicensePointer = z.object({
  licenseId: idOf('license'),
  lookup: z.string(),
  /** While it is re-keyed: the lookup it is moving from, and since when. */
  movingFrom: z.optional(z.string()),
  movingSince: z.optional(dateTime),
});
export type LicensePointer = z.infer<typeof LicensePointer>;
/** The pointer of a license while it is re-keyed. */
export type MovingPointer = LicensePointer & { movingFrom: string };

/** A device that has or had a seat. One record for each device of a license; taking a seat again reuses it. */
export const Device = z.object({
  /** The lookup of the partition that the record is in. */
  lookup: z.string(),
  deviceHash: z.string(),
  deviceLabel: z.optional(z.string()),
  activatedAt: dateTime,
  deactivatedAt: z.optional(dateTime),
  /** When it first took a seat, of one that took it again since. */
  firstActivatedAt: z.optional(dateTime),
  ...movedMark,
});
export type Device = z.infer<typeof Device>;

/** The first status that holds. See "Status" in README.md */
export function statusOf(license: Pick<License, 'revokedAt' | 'paymentHold' | 'suspendedAt' | 'expiresAt'>, now: Date): LicenseStatus {
  if (license.revokedAt) return 'revoked';
  if (license.paymentHold) return license.paymentHold;
  if (license.suspendedAt) return 'suspended';
  if (license.expiresAt && license.expiresAt <= now.toISOString()) return 'expired';
  return 'active';
}

/** When the device took a seat for the first time, as far as that was kept: its place among the devices of the license. */
export const firstActivationTime = ({ firstActivatedAt, activatedAt }: Device) => firstActivatedAt ?? activatedAt;

/** Whether the device has a seat. */
export function isActive(device: Device | undefined): boolean {
  return device !== undefined && device.deactivatedAt === undefined;
}

const ActivationId = idOf('activation');
const activationPrefix = 'act_';

/** An activation's id is made of the hash of its device. */
export const activationIdOf = (device: Pick<Device, 'deviceHash'>) => ActivationId.parse(`${activationPrefix}${device.deviceHash}`);
/** The inverse of `activationIdOf`, for an id of the right form. */
export const deviceHashOfActivation = (activationId: z.infer<typeof ActivationId>) => activationId.slice(activationPrefix.length);

/** What marks the license of a test key wherever it shows. See test-keys/README.md */
export const testField = { test: z.optional(z.literal(true)) };
export const testFieldOf = ({ orderId }: Pick<License, 'orderId'>) => (orderId === undefined ? { test: true as const } : {});

/** A license as admins see it. */
export const IssuedLicense = z.object({
  id: idOf('license'),
  orderId: z.optional(idOf('order')),
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
  updatesUntil: z.optional(dateTime),
  revokedAt: z.optional(dateTime),
  revokedBy: z.optional(z.string()),
  revokedReason: z.optional(z.string()),
  ...testField,
});
export type IssuedLicense = z.infer<typeof IssuedLicense>;

export function toIssuedLicense(license: License, now: Date): IssuedLicense {
  return IssuedLicense.parse({ ...license, ...testFieldOf(license), licenseKeyHint: license.keyHint, status: statusOf(license, now) });
}

/** A device that has or had a seat, as admins see it. */
export const Activation = z.object({
  id: ActivationId,
  deviceLabel: z.optional(z.string()),
  activatedAt: dateTime,
  deactivatedAt: z.optional(dateTime),
});
export type Activation = z.infer<typeof Activation>;

export function toActivation(device: Device): Activation {
  return Activation.parse({ ...device, id: activationIdOf(device) });
}
