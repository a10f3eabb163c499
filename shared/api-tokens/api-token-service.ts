import { randomBytes } from 'node:crypto';
import { createAuditRepository } from '../audit/audit-repository.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import { emptyPage, type Page, type PageRequest } from '../db/sharded-list.ts';
import type { Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { newId, type TokenId } from '../ids.ts';
import type { TaskOf } from '../jobs/job.ts';
import { createJobRepository } from '../jobs/job-repository.ts';
import { createSellerRepository } from '../sellers/seller-repository.ts';
import {
  type ApiToken,
  type ApiTokenRecord,
  expiryOf,
  hashOfToken,
  type NewApiToken,
  toApiToken,
  tokenTextOf,
  ttlOf,
} from './api-token.ts';
import { createApiTokenRepository } from './api-token-repository.ts';
import type { CreateApiTokenRequest } from './token-request.ts';

export type ApiTokenService = ReturnType<typeof createApiTokenService>;

/** What sellers do with the tokens of their build machines. `userId` is the caller. */
export function createApiTokenService(options: {
  table: Table;
  /** Tells the mail sender of a committed job. */
  sendJob: (task: TaskOf<'send-token-notice'>) => Promise<void>;
  now?: (() => Date) | undefined;
}) {
  const { table, sendJob, now = () => new Date() } = options;
  const sellers = createSellerRepository({ table, now });
  const tokens = createApiTokenRepository({ table });
  const jobs = createJobRepository({ table, now });
  const audit = createAuditRepository({ table, now });

  /** @throws AppError token_not_found, of another's too */
  async function getOwn(userId: string, tokenId: TokenId): Promise<ApiTokenRecord> {
    const token = await tokens.findToken(tokenId, now());
    if (token?.userId !== userId) throw new AppError('token_not_found');
    return token;
  }

  return {
    /**
     * A token, whose text shows this once. The seller is mailed that it was made.
     *
     * @throws AppError seller_required, invalid_request of products that are not the seller's, seller_not_eligible, too_many_tokens
     */
    async createToken(userId: string, request: CreateApiTokenRequest): Promise<NewApiToken> {
      const seller = await sellers.findSellerOfUser(userId);
      if (!seller) throw new AppError('seller_required');
      if (request.productIds && !(await tokens.areProductsOf(seller.id, request.productIds)))
        throw new AppError('invalid_request', 'product_ids must name products of your own');

      const at = now();
      const id = newId('token', at);
      const text = tokenTextOf(id, randomBytes(32));
      const expiresAt = expiryOf(at, request.expiresInDays);
      const life = { createdAt: at.toISOString(), expiresAt, ttl: ttlOf({ expiresAt }) };
      const token: ApiTokenRecord = { ...request, id, sellerId: seller.id, userId, sha256Hex: hashOfToken(text), ...life };
      const task = { kind: 'send-token-notice', sellerId: seller.id, tokenId: id } as const;
      await tokens.clearPlaces(seller.id, at);
      await table.transact([
        sellers.sellerEligible(seller.id),
        ...tokens.createToken(token),
        jobs.addJob(task),
        audit.recordAudit({ actor: userId, action: 'api_token.create', targetId: id, after: auditedToken(token) }),
      ]);
      await sendJob(task);
      return { ...toApiToken(token), token: text };
    },

    /** The caller's own tokens, newest first; of those that were revoked or expired the latest. */
    async listTokens(userId: string, request: PageRequest): Promise<Page<ApiToken>> {
      const seller = await sellers.findSellerOfUser(userId);
      if (!seller) return emptyPage(request);
      const page = await tokens.listTokens(seller.id, request, now());
      return { ...page, items: page.items.map(toApiToken) };
    },

    /** Ends a token from the next call on, whatever state the seller is in; again it changes nothing. @throws AppError token_not_found */
    revokeToken: (userId: string, tokenId: TokenId): Promise<ApiToken> =>
      retryOptimisticLock(async () => {
        const token = await getOwn(userId, tokenId);
        if (token.revokedAt !== undefined) return toApiToken(token);
        const revoked = { ...token, revokedAt: now().toISOString() };
        await table.transactOnce([
          ...tokens.revokeToken(token, revoked),
          audit.recordAudit({ actor: userId, action: 'api_token.revoke', targetId: tokenId }),
        ]);
        return toApiToken(revoked);
      }),
  };
}

const auditedToken = ({ scopes, productIds, expiresAt }: ApiTokenRecord) => ({
  scopes: scopes.join(' '),
  products: productIds?.join(' ') ?? 'all',
  expiresAt,
});
