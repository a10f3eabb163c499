import { buyerMovesKey } from '../../db/keys.ts';
import { lockConflict, replaceUnchanged } from '../../db/optimistic-lock.ts';
import { ifAbsent, type Table, type Write } from '../../db/table.ts';
import type { LicenseId } from '../../ids.ts';
import { BuyerMoves, noBuyerMoves } from './buyer-moves.ts';

export async function getMoves(table: Table, licenseId: LicenseId): Promise<BuyerMoves> {
  const item = await table.get(buyerMovesKey(licenseId));
  return item ? BuyerMoves.parse(item) : noBuyerMoves(licenseId);
}

/** `next` in the place of what was read; part of the transaction that does what it counts. @throws OptimisticLockError */
export function recordMoves(read: BuyerMoves, next: BuyerMoves): Write {
  const item = { ...buyerMovesKey(read.licenseId), ...next, revision: read.revision + 1 };
  if (read.revision > 0) return replaceUnchanged(read, item);
  return { put: { Item: item, ...ifAbsent }, onConditionFailed: lockConflict };
}
