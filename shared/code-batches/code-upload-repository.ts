import * as z from 'zod/mini';
import type { Keyring } from '../crypto/keyring.ts';
import { openText, sealText } from '../crypto/sealed-text.ts';
import { codeUploadKey } from '../db/keys.ts';
import type { Table, Write } from '../db/table.ts';

/** How many codes one piece of an upload holds; at their longest they fill half of what an item may. */
export const codesPerPiece = 1000;

const keptDays = 30;

export type CodeUploadRepository = ReturnType<typeof createCodeUploadRepository>;

/**
 * The codes of uploads until they are imported: encrypted, in order, in pieces of
 * `codesPerPiece`. What an import that was never accepted leaves goes by itself after 30 days.
 * Source: decisions.md §9, §11.
 */
export function createCodeUploadRepository({
  table,
  encryptionKeys,
  now = () => new Date(),
}: {
  table: Table;
  encryptionKeys: Keyring;
  now?: () => Date;
}) {
  return {
    async storePiece(batchId: string, piece: number, codes: readonly string[]): Promise<void> {
      const sealedCodes = sealText(JSON.stringify(codes), contextOf(batchId, piece), encryptionKeys);
      const ttl = Math.ceil(now().getTime() / 1000) + keptDays * 24 * 3600;
      await table.write({ put: { Item: { ...codeUploadKey(batchId, piece), sealedCodes, ttl } } });
    },

    /** The codes of a piece, or undefined when it is gone. */
    async findPiece(batchId: string, piece: number): Promise<string[] | undefined> {
      const item = await table.get(codeUploadKey(batchId, piece));
      if (!item) return undefined;
      return z.parse(z.array(z.string()), JSON.parse(openText(String(item['sealedCodes']), contextOf(batchId, piece), encryptionKeys)));
    },

    deletePiece(batchId: string, piece: number): Write {
      return { delete: { Key: codeUploadKey(batchId, piece) } };
    },
  };
}

const contextOf = (batchId: string, piece: number) => `${batchId}/${piece}`;
