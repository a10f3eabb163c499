import * as z from 'zod/mini';
import { AppError } from '../../errors.ts';
import { idOf, type LicenseId } from '../../ids.ts';
import { dateTime } from '../../schemas.ts';

/** What the buyer of a license did with it by themselves in the last 30 days. */
export const BuyerMoves = z.object({
  licenseId: idOf('license'),
  /** When the seats of devices were freed; these count as moves. */
  releasedAt: z.array(dateTime),
  /** When the key was last replaced. */
  keyReplacedAt: z.optional(dateTime),
  /** 0: nothing was recorded yet. */
  revision: z.int(),
});
export type BuyerMoves = z.infer<typeof BuyerMoves>;

const windowDays = 30;
const windowMs = windowDays * 24 * 3600_000;

const endOfWindow = (at: string) => new Date(Date.parse(at) + windowMs);
/** Moves older than 30 days no longer count. */
const isCounted = (at: string, now: Date) => endOfWindow(at) > now;

export const noBuyerMoves = (licenseId: LicenseId): BuyerMoves => ({ licenseId, releasedAt: [], revision: 0 });

/** How many of the `max` moves in any 30 days are left, and when the oldest counted move expires. */
export function movesLeft({ releasedAt }: BuyerMoves, max: number, now: Date): { movesLeft: number; movesResetAt?: string } {
  const [oldest, ...others] = countedMoves(releasedAt, now).toSorted();
  if (oldest === undefined) return { movesLeft: max };
  return { movesLeft: Math.max(max - others.length - 1, 0), movesResetAt: endOfWindow(oldest).toISOString() };
}

/** Adds one move. @throws AppError moves_exhausted */
export function withFreedSeat(moves: BuyerMoves, max: number, now: Date): BuyerMoves {
  if (movesLeft(moves, max, now).movesLeft === 0) throw new AppError('moves_exhausted');
  return { ...moves, releasedAt: [...countedMoves(moves.releasedAt, now), now.toISOString()] };
}

/** Records a key replacement, which is not a move and may happen once in 30 days. @throws AppError moves_exhausted */
export function withReplacedKey(moves: BuyerMoves, now: Date): BuyerMoves {
  if (moves.keyReplacedAt !== undefined && isCounted(moves.keyReplacedAt, now)) throw new AppError('moves_exhausted');
  return { ...moves, keyReplacedAt: now.toISOString() };
}

const countedMoves = (releasedAt: readonly string[], now: Date) => releasedAt.filter((at) => isCounted(at, now));
