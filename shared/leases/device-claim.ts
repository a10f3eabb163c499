import { createHash } from 'node:crypto';
import type { LicenseId } from '../ids.ts';

/** What the device itself can compute: bound to the license, and unlike the hash that the table keeps. */
export const deviceClaim = (licenseId: LicenseId, deviceFingerprint: string): string =>
  createHash('sha256').update(`${licenseId}\0${deviceFingerprint}`).digest('base64url');
