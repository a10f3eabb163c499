import * as z from 'zod/mini';
import { LicenseIssuanceMode } from '../products/product.ts';
import { dateTime } from '../schemas.ts';

export const licenseStatuses = ['active', 'revoked', 'refunded', 'disputed', 'suspended', 'expired'] as const;
export type LicenseStatus = (typeof licenseStatuses)[number];

/** A license as the table holds it. Its status is never stored: `statusOf` derives it from these facts. */
export const License = z.object({
  id: z.string(),
  /** The keyed hash under which the license key is found; also its partition. */
  lookup: z.string(),
  /** The license key, encrypted and bound to the license id. */
  sealedKey: z.string(),
  keyHint: z.string(),
  orderId: z.string(),
  productId: z.string(),
  sellerId: z.string(),
  licenseIssuanceMode: LicenseIssuanceMode,
  activationLimit: z.int(),
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
});
export type License = z.infer<typeof License>;

/** The first that holds. Source: decisions.md §7 "License status". */
export function statusOf(license: Pick<License, 'revokedAt' | 'paymentHold' | 'suspendedAt' | 'expiresAt'>, now: Date): LicenseStatus {
  if (license.revokedAt) return 'revoked';
  if (license.paymentHold) return license.paymentHold;
  if (license.suspendedAt) return 'suspended';
  if (license.expiresAt && license.expiresAt <= now.toISOString()) return 'expired';
  return 'active';
}
