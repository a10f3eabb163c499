import type { Caller } from '../audit/caller.ts';
import type { Needs } from '../context.ts';
import { isLiveToken, matchesToken, parseTokenId } from './api-token.ts';
import { findToken, recordTokenUse } from './api-token-repository.ts';

/** Whom the text of a token lets call; undefined where it is none, or one that was revoked or expired. One read, and at most one write a minute. */
export async function authenticateToken(c: Needs<'table' | 'now'>, text: string): Promise<Caller | undefined> {
  const id = parseTokenId(text);
  const token = id && (await findToken(c.table, id, c.now()));
  if (!token || !matchesToken(token, text) || !isLiveToken(token, c.now())) return undefined;
  await recordTokenUse(c.table, token, c.now());
  const { userId, scopes, productIds } = token;
  return { userId, token: { id, scopes, productIds } };
}
