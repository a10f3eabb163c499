import type { Caller } from '../audit/caller.ts';
import type { Table } from '../db/table.ts';
import { isLive, isTextOf, tokenIdIn } from './api-token.ts';
import { createApiTokenRepository } from './api-token-repository.ts';

/** Whom the text of a token lets call; undefined where it is none, or one that was revoked or expired. One read, and at most one write a minute. */
export function createAuthenticateToken({ table, now = () => new Date() }: { table: Table; now?: (() => Date) | undefined }) {
  const tokens = createApiTokenRepository({ table });
  return async (text: string): Promise<Caller | undefined> => {
    const id = tokenIdIn(text);
    const token = id && (await tokens.findToken(id, now()));
    if (!token || !isTextOf(token, text) || !isLive(token, now())) return undefined;
    await tokens.recordUse(token, now());
    const { userId, scopes, productIds } = token;
    return { userId, token: { id, scopes, productIds } };
  };
}
