/**
 * The keyed hash under which a seller's codes are recognized when they are imported again.
 *
 * The key is the seller's own, made at the first import and stored encrypted. It is
 * never rotated. See "One code, one sale" in README.md.
 */

import { createHmac, randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import type { Needs } from '../context.ts';
import { openText, sealText } from '../crypto/sealed-text.ts';
import { codeHashSecretKey } from '../db/keys.ts';
import { ConditionFailedError, type Item, ifAbsent } from '../db/table.ts';
import type { SellerId } from '../ids.ts';

const CodeHashSecret = z.object({ sealedSecret: z.string() });

/** A keyed hash of text or bytes, the same for a seller at all times. */
export type HashOfSeller = (content: string | readonly Uint8Array[]) => string;

export async function hashOfSeller(c: Needs<'table' | 'ENCRYPTION_KEYS'>, sellerId: SellerId): Promise<HashOfSeller> {
  const item = (await c.table.get(codeHashSecretKey(sellerId))) ?? (await createSecret(c, sellerId));
  const { sealedSecret } = CodeHashSecret.parse(item);
  const secret = Buffer.from(openText(sealedSecret, contextOf(sellerId), c.settings.ENCRYPTION_KEYS), 'base64url');
  return (content) => {
    const hmac = createHmac('sha256', secret);
    for (const piece of typeof content === 'string' ? [content] : content) hmac.update(piece);
    return hmac.digest('base64url');
  };
}

async function createSecret(c: Needs<'table' | 'ENCRYPTION_KEYS'>, sellerId: SellerId): Promise<Item> {
  const sealedSecret = sealText(randomBytes(32).toString('base64url'), contextOf(sellerId), c.settings.ENCRYPTION_KEYS);
  try {
    return await c.table.write({ put: { Item: { ...codeHashSecretKey(sellerId), sealedSecret }, ...ifAbsent } });
  } catch (error) {
    // Another import made it a moment ago.
    if (error instanceof ConditionFailedError && error.old) return error.old;
    throw error;
  }
}

const contextOf = (sellerId: SellerId) => `code-hash-secret/${sellerId}`;
