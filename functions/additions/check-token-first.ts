import * as z from 'zod/mini';
import { authorizeToken, TokenCredential } from '../../shared/buyer-access/authorize-purchase.ts';
import type { Needs } from '../../shared/context.ts';

/** A refused token is reported before any invalid field. @throws AppError as `AuthorizeToken` */
export async function checkTokenFirst(sent: unknown, c: Needs<'table' | 'now' | 'TOKEN_KEYS'>): Promise<void> {
  const credential = z.safeParse(TokenCredential, sent);
  if (credential.success) await authorizeToken(c, credential.data.token);
}
