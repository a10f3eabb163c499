import { findItem } from '../../db/find-items.ts';
import { buyerMovesKey } from '../../db/keys.ts';
import { putRevision } from '../../db/optimistic-lock.ts';
import type { Table, Write } from '../../db/table.ts';
import type { LicenseId } from '../../ids.ts';
import { BuyerMoves, noBuyerMoves } from './buyer-moves.ts';

export const getMoves = async (table: Table, licenseId: LicenseId): Promise<BuyerMoves> =>
  (await findItem(table, buyerMovesKey(licenseId), BuyerMoves)) ?? noBuyerMoves(licenseId);

/** `next` in the place of what was read; part of the transaction that does what it counts. @throws OptimisticLockError */
export const recordMoves = (read: BuyerMoves, next: BuyerMoves): Write => putRevision(read, { ...buyerMovesKey(read.licenseId), ...next });
