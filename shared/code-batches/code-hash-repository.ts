import { createHmac, randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import type { Keyring } from '../crypto/keyring.ts';
import { openText, sealText } from '../crypto/sealed-text.ts';
import { codeHashSecretKey } from '../db/keys.ts';
import { ConditionFailedError, type Item, ifAbsent, type Table } from '../db/table.ts';
import type { SellerId } from '../ids.ts';

const CodeHashSecret = z.object({ sealedSecret: z.string() });

export type CodeHashRepository = ReturnType<typeof createCodeHashRepository>;

/** A keyed hash of text or bytes, the same for a seller at all times. */
export type HashOfSeller = (content: string | readonly Uint8Array[]) => string;

/**
 * The keyed hash under which a seller's codes are recognized when they are imported again.
 *
 * The key is the seller's own, made at the first import and stored encrypted. It is
 * never rotated. See "One code, one sale" in README.md.
 */
export function createCodeHashRepository({ table, encryptionKeys }: { table: Table; encryptionKeys: Keyring }) {
  return {
    async hashOfSeller(sellerId: SellerId): Promise<HashOfSeller> {
      const item = (await table.get(codeHashSecretKey(sellerId))) ?? (await createSecret(sellerId));
      const { sealedSecret } = CodeHashSecret.parse(item);
      const secret = Buffer.from(openText(sealedSecret, contextOf(sellerId), encryptionKeys), 'base64url');
      return (content) => {
        const hmac = createHmac('sha256', secret);
        for (const piece of typeof content === 'string' ? [content] : content) hmac.update(piece);
        return hmac.digest('base64url');
      };
    },
  };

  async function createSecret(sellerId: SellerId): Promise<Item> {
    const sealedSecret = sealText(randomBytes(32).toString('base64url'), contextOf(sellerId), encryptionKeys);
    try {
      return await table.write({ put: { Item: { ...codeHashSecretKey(sellerId), sealedSecret }, ...ifAbsent } });
    } catch (error) {
      // Another import made it a moment ago.
      if (error instanceof ConditionFailedError && error.old) return error.old;
      throw error;
    }
  }
}

const contextOf = (sellerId: SellerId) => `code-hash-secret/${sellerId}`;
