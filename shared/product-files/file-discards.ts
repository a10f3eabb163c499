/** When the bytes of files that are of no more use are deleted. See "Discarded bytes" in bytes.md. */

import type { Needs } from '../context.ts';
import type { Write } from '../db/table.ts';
import { addJob } from '../jobs/job-repository.ts';
import { fileIds, isDead, type ProductFileRecord, uploadEndsAt } from './product-file.ts';

const discardAfterSeconds = (c: Needs<'DISCARD_AFTER_HOURS'>) => c.settings.DISCARD_AFTER_HOURS * 3600;

const discard = (c: Needs<'now'>, file: ProductFileRecord, delaySeconds: number) =>
  addJob(c, { kind: 'discard-upload', ...fileIds(file) }, delaySeconds);
const abortParts = (c: Needs<'now'>, { parts, ...file }: ProductFileRecord, delaySeconds = 0) =>
  parts ? [addJob(c, { kind: 'abort-parts', ...fileIds(file) }, delaySeconds)] : [];
const secondsUntil = (c: Needs<'now'>, time: string) => Math.max(0, Math.ceil((Date.parse(time) - c.now().getTime()) / 1000));

/** Discards a new file unless it is finalized in time, and its parts when they can be stored no more. */
export function discardUnfinished(c: Needs<'now' | 'DISCARD_AFTER_HOURS'>, file: ProductFileRecord): Write[] {
  const seconds = secondsUntil(c, uploadEndsAt(file));
  return [discard(c, file, seconds + discardAfterSeconds(c)), ...abortParts(c, file, seconds)];
}

/** Ends the parts of a file whose upload was found to be there as a whole. */
export const discardParts = (c: Needs<'now'>, file: ProductFileRecord): Write[] => abortParts(c, file);

/**
 * Deletes the bytes of a file that `next` makes useless; not while the URL of its one PUT could bring them back.
 * Parts that were not put together go at once, after which none can be stored.
 */
export function discardDead(c: Needs<'now' | 'DISCARD_AFTER_HOURS'>, read: ProductFileRecord, next: ProductFileRecord): Write[] {
  if (isDead(read) || !isDead(next)) return [];
  const parts = read.status === 'upload_pending' ? abortParts(c, read) : [];
  return [discard(c, next, Math.max(secondsUntil(c, next.uploadExpiresAt), discardAfterSeconds(c))), ...parts];
}
