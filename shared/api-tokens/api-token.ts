import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { tokenScopes } from '../audit/caller.ts';
import { idOf, isId, type TokenId } from '../ids.ts';
import { dateTime } from '../schemas.ts';

/** How many tokens of a seller may live at once. */
export const maxLiveTokens = 20;
/** How long a token stays listed after it was revoked or expired. */
const daysKept = 90;
const dayMs = 24 * 3600_000;

/** What a seller's program calls with, as its seller sees it. */
export const ApiToken = z.object({
  id: idOf('token'),
  name: z.string(),
  scopes: z.array(z.enum(tokenScopes)),
  /** Without it the token is for every product of the seller, also those of later. */
  productIds: z.optional(z.array(idOf('product'))),
  expiresInDays: z.int(),
  createdAt: dateTime,
  expiresAt: dateTime,
  /** At most a minute late. */
  lastUsedAt: z.optional(dateTime),
  revokedAt: z.optional(dateTime),
});
export type ApiToken = z.infer<typeof ApiToken>;

/** A new token with its text, which shows when it is made and never again. */
export const NewApiToken = z.extend(ApiToken, { token: z.string() });
export type NewApiToken = z.infer<typeof NewApiToken>;

/** What the table holds of a token. */
export const ApiTokenRecord = z.extend(ApiToken, {
  sellerId: idOf('seller'),
  /** The user in whose right it calls: the owner of the seller. */
  userId: z.string(),
  /** Of its whole text. */
  sha256Hex: z.string(),
  /** In seconds: when the table may forget it. */
  ttl: z.int(),
});
export type ApiTokenRecord = z.infer<typeof ApiTokenRecord>;

/** The prefix of every API token, and of no other bearer token. */
export const tokenPrefix = 'lst_';
const tokenForm = /^lst_([0-9A-Z]{26})_[\w-]{43}$/;

/** The text of a token: its id, so that one read finds it, and 32 random bytes. */
export const formatToken = (id: TokenId, secret: Buffer): string =>
  `${tokenPrefix}${id.slice(id.indexOf('_') + 1)}_${secret.toString('base64url')}`;

/** The id in a token's text; undefined if the text is not a token. */
export function parseTokenId(text: string): TokenId | undefined {
  const id = `tok_${tokenForm.exec(text)?.[1]}`;
  return isId('token', id) ? id : undefined;
}

export const hashToken = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Whether the text is this token's, compared in constant time. */
export const matchesToken = ({ sha256Hex }: Pick<ApiTokenRecord, 'sha256Hex'>, text: string): boolean =>
  timingSafeEqual(Buffer.from(sha256Hex, 'hex'), Buffer.from(hashToken(text), 'hex'));

type Life = Pick<ApiToken, 'expiresAt' | 'revokedAt'>;

export const tokenExpiry = (at: Date, days: number): string => new Date(at.getTime() + days * dayMs).toISOString();

/** Whether the token is valid. */
export const isLiveToken = ({ expiresAt, revokedAt }: Life, now: Date): boolean => revokedAt === undefined && now.toISOString() < expiresAt;

/** Until when the token is listed: some time after it was revoked or expired, whichever came first. */
export function tokenKeptUntil({ expiresAt, revokedAt = expiresAt }: Life): Date {
  const endedAt = revokedAt < expiresAt ? revokedAt : expiresAt;
  return new Date(Date.parse(endedAt) + daysKept * dayMs);
}

/** The same for the table, in seconds. */
export const tokenTtl = (token: Life): number => Math.ceil(tokenKeptUntil(token).getTime() / 1000);

export const toApiToken = (record: ApiTokenRecord): ApiToken => ApiToken.parse(record);
