/** What sellers do with the tokens of their programs. `userId` is the caller. */

import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { recordAudit } from '../audit/audit-repository.ts';
import { tokenScopes } from '../audit/caller.ts';
import type { Needs } from '../context.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import { emptyPage, mapPage, type Page, type PageRequest } from '../db/sharded-list.ts';
import { AppError, requireFound } from '../errors.ts';
import { fault } from '../faults/fault.ts';
import { invalidField } from '../faults/invalid-request.ts';
import * as rules from '../faults/rules.ts';
import { newId, type TokenId } from '../ids.ts';
import { addJob } from '../jobs/job-repository.ts';
import { nonBlankLine, nonBlankText } from '../schemas.ts';
import { checkSellerEligible, findSellerOfUser } from '../sellers/seller-repository.ts';
import {
  type ApiToken,
  type ApiTokenRecord,
  formatToken,
  hashToken,
  type NewApiToken,
  toApiToken,
  tokenExpiry,
  tokenTtl,
} from './api-token.ts';
import { addToken, areProductsOf, findToken, listTokens, readyForToken, recordTokenRevocation } from './api-token-repository.ts';

const unrepeated = <T>(list: readonly T[]): T[] => [...new Set(list)];

// The length is checked first; otherwise every invalid element would be reported.
const someScopes = z
  .array(z.unknown())
  .check(z.maxLength(100))
  .register(z.globalRegistry, { items: { type: 'string', enum: tokenScopes }, minItems: 1 });
const someProducts = z
  .array(z.unknown())
  .check(z.maxLength(20))
  .register(z.globalRegistry, { items: { type: 'string', minLength: 1, maxLength: 64 }, minItems: 1 });

/** What a seller sends. Repeats are folded. */
export const CreateApiTokenRequest = z.object({
  name: nonBlankLine(100),
  scopes: z.pipe(someScopes, z.pipe(z.array(z.enum(tokenScopes)).check(z.minLength(1, fault(rules.noScope))), z.transform(unrepeated))),
  productIds: z.optional(
    z.pipe(
      someProducts,
      z.pipe(z.array(nonBlankText(64).brand('product')).check(z.minLength(1, fault(rules.noProduct))), z.transform(unrepeated)),
    ),
  ),
  expiresInDays: z.int().check(z.minimum(1), z.maximum(366)),
});
export type CreateApiTokenRequest = z.infer<typeof CreateApiTokenRequest>;

/** @throws AppError token_not_found, of another's too */
async function getOwn(c: Needs<'table' | 'now'>, userId: string, tokenId: TokenId): Promise<ApiTokenRecord> {
  const token = await findToken(c.table, tokenId, c.now());
  if (token?.userId !== userId) throw new AppError('token_not_found');
  return token;
}

/**
 * Creates a token; its text is shown only in this reply. The seller is notified by mail.
 *
 * @throws AppError seller_required, invalid_request of products that are not the seller's or of endpoints:write beside products, seller_not_eligible, too_many_tokens
 */
export async function createToken(
  c: Needs<'table' | 'now' | 'sendJob'>,
  userId: string,
  request: CreateApiTokenRequest,
): Promise<NewApiToken> {
  const seller = await requireFound(findSellerOfUser(c.table, userId), 'seller_required');
  if (request.productIds && request.scopes.includes('endpoints:write')) throw invalidField('scopes', rules.endpointsOfSome);
  if (request.productIds && !(await areProductsOf(c.table, seller.id, request.productIds)))
    throw invalidField('product_ids', rules.foreignProduct);

  const at = c.now();
  const id = newId('token', at);
  const text = formatToken(id, randomBytes(32));
  const expiresAt = tokenExpiry(at, request.expiresInDays);
  const life = { createdAt: at.toISOString(), expiresAt, ttl: tokenTtl({ expiresAt }) };
  const token: ApiTokenRecord = { ...request, id, sellerId: seller.id, userId, sha256Hex: hashToken(text), ...life };
  const task = { kind: 'send-token-notice', sellerId: seller.id, tokenId: id } as const;
  await readyForToken(c.table, seller.id, at);
  await c.table.transact([
    checkSellerEligible(seller.id),
    ...addToken(token),
    addJob(c, task),
    recordAudit(c, { actor: userId, action: 'api_token.create', targetId: id, after: auditedToken(token) }),
  ]);
  await c.sendJob(task);
  return { ...toApiToken(token), token: text };
}

/** The caller's own tokens, newest first; of those that were revoked or expired the latest. */
export async function listOwnTokens(c: Needs<'table' | 'now'>, userId: string, request: PageRequest): Promise<Page<ApiToken>> {
  const seller = await findSellerOfUser(c.table, userId);
  if (!seller) return emptyPage(request);
  return mapPage(await listTokens(c.table, seller.id, request, c.now()), toApiToken);
}

/** Revokes a token with immediate effect, whatever the seller's state. Idempotent. @throws AppError token_not_found */
export const revokeToken = (c: Needs<'table' | 'now'>, userId: string, tokenId: TokenId): Promise<ApiToken> =>
  retryOptimisticLock(async () => {
    const token = await getOwn(c, userId, tokenId);
    if (token.revokedAt !== undefined) return toApiToken(token);
    const revoked = { ...token, revokedAt: c.now().toISOString() };
    await c.table.transactOnce([
      ...recordTokenRevocation(token, revoked),
      recordAudit(c, { actor: userId, action: 'api_token.revoke', targetId: tokenId }),
    ]);
    return toApiToken(revoked);
  });

const auditedToken = ({ scopes, productIds, expiresAt }: ApiTokenRecord) => ({
  scopes: scopes.join(' '),
  products: productIds?.join(' ') ?? 'all',
  expiresAt,
});
