/**
 * The codes of uploads until they are imported: encrypted, in order, in pieces of
 * `codesPerPiece`. Pieces of an import that was never accepted expire after 30 days.
 */

import * as z from 'zod/mini';
import type { Needs } from '../context.ts';
import { openText, sealText } from '../crypto/sealed-text.ts';
import { findItem } from '../db/find-items.ts';
import { codeUploadKey } from '../db/keys.ts';
import type { Write } from '../db/table.ts';
import type { BatchId } from '../ids.ts';

/** How many codes one piece of an upload holds; at their longest they fill half of an item's 400 KB. */
export const codesPerPiece = 1000;

const keptDays = 30;

/** A piece as the table holds it: a JSON array of codes, encrypted. */
const UploadPiece = z.object({ sealedCodes: z.string() });
const Codes = z.array(z.string());

export type StoreNeeds = Needs<'table' | 'now' | 'ENCRYPTION_KEYS'>;

export async function storePiece(c: StoreNeeds, batchId: BatchId, piece: number, codes: readonly string[]): Promise<void> {
  const sealedCodes = sealText(JSON.stringify(codes), contextOf(batchId, piece), c.settings.ENCRYPTION_KEYS);
  const ttl = Math.ceil(c.now().getTime() / 1000) + keptDays * 24 * 3600;
  await c.table.write({ put: { Item: { ...codeUploadKey(batchId, piece), sealedCodes, ttl } } });
}

/** The codes of a piece, or undefined when it is gone. */
export async function findPiece(c: Needs<'table' | 'ENCRYPTION_KEYS'>, batchId: BatchId, piece: number): Promise<string[] | undefined> {
  const found = await findItem(c.table, codeUploadKey(batchId, piece), UploadPiece);
  return found && Codes.parse(JSON.parse(openText(found.sealedCodes, contextOf(batchId, piece), c.settings.ENCRYPTION_KEYS)));
}

export function deletePiece(batchId: BatchId, piece: number): Write {
  return { delete: { Key: codeUploadKey(batchId, piece) } };
}

const contextOf = (batchId: BatchId, piece: number) => `${batchId}/${piece}`;
