import * as z from 'zod/mini';
import { findItem, findItems } from '../db/find-items.ts';
import { apiTokenKey, apiTokenOfSellerKey, apiTokensOfSeller, liveApiTokensKey, productOfSellerKey } from '../db/keys.ts';
import { freePlace, readyPlaces, takePlace } from '../db/live-places.ts';
import { lockConflict } from '../db/optimistic-lock.ts';
import { listPartitionPage, type Page, type PageRequest } from '../db/sharded-list.ts';
import { ConditionFailedError, ifAbsent, type Table, type Write } from '../db/table.ts';
import { AppError, hasCode } from '../errors.ts';
import { idOf, isId, type ProductId, type SellerId, type TokenId } from '../ids.ts';
import { ApiTokenRecord, maxLiveTokens, tokenKeptUntil, tokenTtl } from './api-token.ts';

/** Under the seller: what leads to a token. */
const Pointer = z.object({ id: idOf('token') });

/** When the tokens of a seller that were not revoked expire, by id. */
export const LiveApiTokens = z.object({ live: z.record(z.string(), z.string()) });

/** `lastUsedAt` is written again when it is older than this. */
const usedEveryMs = 60_000;

const placesOf = (sellerId: SellerId) => ({ key: liveApiTokensKey(sellerId), attribute: 'live' });

/** As long as it is kept. */
export async function findToken(table: Table, id: TokenId, now: Date): Promise<ApiTokenRecord | undefined> {
  const token = isId('token', id) ? await findItem(table, apiTokenKey(id), ApiTokenRecord) : undefined;
  return token && now < tokenKeptUntil(token) ? token : undefined;
}

/** Those of a seller that are kept, newest first. */
export async function listTokens(table: Table, sellerId: SellerId, request: PageRequest, now: Date): Promise<Page<ApiTokenRecord>> {
  const range = apiTokensOfSeller(sellerId);
  const { items, nextCursor } = await listPartitionPage(table, `api-tokens-of-${sellerId}`, range, { ...request, newestFirst: true });
  const keys = items.map((item) => apiTokenKey(Pointer.parse(item).id));
  const tokens = await findItems(table, keys, ApiTokenRecord);
  return { items: tokens.filter((token) => now < tokenKeptUntil(token)), nextCursor };
}

/** Whether all of these are products of the seller. */
export async function areProductsOf(table: Table, sellerId: SellerId, productIds: readonly ProductId[]): Promise<boolean> {
  if (!productIds.every((id) => isId('product', id))) return false;
  const pointers = await table.batchGet(productIds.map((id) => productOfSellerKey(sellerId, id)));
  return pointers.length === productIds.length;
}

/** Prepares the seller for a new token: expired tokens no longer count. */
export const readyForToken = (table: Table, sellerId: SellerId, now: Date): Promise<void> => readyPlaces(table, placesOf(sellerId), now);

/** Adds a token, and takes a place for it. @throws AppError too_many_tokens */
export function addToken(token: ApiTokenRecord): Write[] {
  const { id, sellerId, expiresAt, ttl } = token;
  return [
    takePlace(placesOf(sellerId), id, { endsAt: expiresAt, max: maxLiveTokens, refusal: () => new AppError('too_many_tokens') }),
    { put: { Item: { ...apiTokenKey(id), ...token }, ...ifAbsent } },
    { put: { Item: { ...apiTokenOfSellerKey(sellerId, id), id, ttl }, ...ifAbsent } },
  ];
}

/** Ends a token, and gives its place back. Revoked since it was read → OptimisticLockError. */
export function recordTokenRevocation({ id, sellerId }: ApiTokenRecord, revoked: ApiTokenRecord): Write[] {
  const ttl = tokenTtl(revoked);
  return [
    {
      update: {
        Key: apiTokenKey(id),
        UpdateExpression: 'SET revokedAt = :at, #ttl = :ttl',
        ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(revokedAt)',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':at': revoked.revokedAt, ':ttl': ttl },
      },
      onConditionFailed: lockConflict,
    },
    freePlace(placesOf(sellerId), id),
    { put: { Item: { ...apiTokenOfSellerKey(sellerId, id), id, ttl } } },
  ];
}

/** Records that the token was used, at most once a minute. A failure here never fails the call. */
export async function recordTokenUse(table: Table, { id, lastUsedAt }: ApiTokenRecord, now: Date): Promise<void> {
  const before = new Date(now.getTime() - usedEveryMs).toISOString();
  if (lastUsedAt !== undefined && lastUsedAt > before) return;
  try {
    await table.write({
      update: {
        Key: apiTokenKey(id),
        UpdateExpression: 'SET lastUsedAt = :now',
        ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(lastUsedAt) OR lastUsedAt <= :before)',
        ExpressionAttributeValues: { ':now': now.toISOString(), ':before': before },
      },
    });
  } catch (error) {
    // Another call recorded it, or the table is throttled.
    if (!(error instanceof ConditionFailedError || hasCode(error, 'dependency_unavailable'))) throw error;
  }
}
