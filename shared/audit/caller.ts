import { AppError } from '../errors.ts';
import type { ProductId, TokenId } from '../ids.ts';

/** What an API token may give access to. */
export const tokenScopes = [
  'releases:read',
  'releases:write',
  'releases:publish',
  'products:read',
  'products:write',
  'discounts:write',
  'codes:write',
  'orders:read',
  'orders:write',
  'test-keys:write',
  'endpoints:write',
  'numbers:read',
] as const;
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
 * Requires that a token has one of the given scopes; where none is given, no token is accepted. Users need no scope.
 *
 * @throws AppError token_scope_insufficient
 */
export function requireScope({ token }: Caller, scopes: readonly TokenScope[]): void {
  if (token && !scopes.some((scope) => token.scopes.includes(scope))) throw new AppError('token_scope_insufficient');
}

/**
 * Whether the caller may see the product, as far as its token goes: one without products covers all of its seller's. No
 * product is all of them, later ones too.
 */
export const coversProduct = ({ token }: Caller, productId: ProductId | undefined): boolean =>
  token?.productIds?.some((id) => id === productId) ?? true;

/** @throws AppError token_scope_insufficient where `coversProduct` is false */
export function requireProduct(caller: Caller, productId: ProductId | undefined): void {
  if (!coversProduct(caller, productId)) throw new AppError('token_scope_insufficient');
}
