import * as z from 'zod/mini';
import { type AuthorizeToken, TokenCredential } from '../../shared/orders/buyer-access/authorize-purchase.ts';

/** What a token is refused for is told before what is wrong with the fields beside it. @throws AppError as `AuthorizeToken` */
export async function refuseToken(sent: unknown, { authorizeToken }: { authorizeToken: AuthorizeToken }): Promise<void> {
  const credential = z.safeParse(TokenCredential, sent);
  if (credential.success) await authorizeToken(credential.data.token);
}
