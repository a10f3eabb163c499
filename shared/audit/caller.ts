import { AppError } from '../errors.ts';
import type { ProductId, TokenId } from '../ids.ts';

/** What an API token may give access to. */
export const tokenScopes = ['releases:read', 'releases:write', 'releases:publish'] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** Who calls, and in whose right. */
export interface Caller {
  /** The user on whose behalf the call is made. */
  userId: string;
  /** The API token that calls for this user: it opens what its scopes and its products say, and nothing else. */
  token?: { id: TokenId; scopes: readonly TokenScope[]; productIds?: readonly ProductId[] | undefined } | undefined;
}

/** What audit records and the log call the caller. */
export const auditActorOf = ({ userId, token }: Caller): string => (token ? `token:${token.id}` : userId);

/**
 * Requires that a token has the given scope; where no scope is given, no token is accepted. Users need no scope.
 *
 * @throws AppError token_scope_insufficient
 */
export function requireScope({ token }: Caller, scope: TokenScope | undefined): void {
  if (token && !(scope && token.scopes.includes(scope))) throw new AppError('token_scope_insufficient');
}

/**
 * Requires that a token covers the product; a token without products covers all of its seller's. @throws AppError
 * token_scope_insufficient
 */
export function requireProduct({ token }: Caller, productId: ProductId): void {
  if (token?.productIds?.includes(productId) === false) throw new AppError('token_scope_insufficient');
}
