import * as z from 'zod/mini';
import { idOf } from '../../ids.ts';
import { dateTime } from '../../schemas.ts';
import type { License } from '../license.ts';

/** A license of a test key lives this long. */
const lifetimeDays = 90;
/** How many test keys of a product may be alive at once. */
export const maxLiveTestKeys = 20;

/** Seats of a test key, whatever the product's terms: to try an app, not to run it. */
export const maxTestSeats = 5;

export const testKeyExpiry = (at: Date): string => new Date(at.getTime() + lifetimeDays * 24 * 3600_000).toISOString();

/** A new test key, which shows this once. */
export const MintedTestKey = z.object({ licenseId: idOf('license'), licenseKey: z.string(), expiresAt: dateTime });
export type MintedTestKey = z.infer<typeof MintedTestKey>;

/** A test key as its seller sees it later. */
export const TestKey = z.object({
  licenseId: idOf('license'),
  licenseKeyHint: z.string(),
  createdAt: dateTime,
  expiresAt: dateTime,
  endedAt: z.optional(dateTime),
});
export type TestKey = z.infer<typeof TestKey>;

export const toTestKey = ({
  id: licenseId,
  keyHint: licenseKeyHint,
  issuedAt: createdAt,
  expiresAt,
  revokedAt: endedAt,
}: License): TestKey => TestKey.parse({ licenseId, licenseKeyHint, createdAt, expiresAt, endedAt });
