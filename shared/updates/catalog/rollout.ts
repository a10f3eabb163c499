import { createHash } from 'node:crypto';
import type { ReleaseId } from '../../ids.ts';

/** A device of a license, as leases name it: all that is known of it here. */
export type DeviceClaim = string;

/**
 * Whether a release is rolled out to a device. Each device has a place of its own among 100 for every release, so that
 * raising the percentage only ever adds devices, and nobody is first each time.
 */
export function isRolledOut({ id, rolloutPercent }: { id: ReleaseId; rolloutPercent: number }, device: DeviceClaim): boolean {
  if (rolloutPercent >= 100) return true;
  return createHash('sha256').update(`${id}\0${device}`).digest().readUInt32BE() % 100 < rolloutPercent;
}
