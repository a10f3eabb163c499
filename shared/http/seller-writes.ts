import type { Needs } from '../context.ts';
import { AppError } from '../errors.ts';
import { isApproved } from '../sellers/seller.ts';
import { findSellerOfUser } from '../sellers/seller-repository.ts';

/**
 * Spends one of the writes that a user has in a minute: by one request to the table, until a sixth of what approved
 * sellers have is spent. Only then it is looked up whether the user is one. See "Rate limits" in callers.md.
 *
 * @throws AppError rate_limited
 */
export async function limitWrites(c: Needs<'table' | 'limitRate'>, userId: string): Promise<void> {
  const caller = `user ${userId}`;
  try {
    await c.limitRate('writes', caller);
  } catch (refusal) {
    if (!(refusal instanceof AppError && refusal.code === 'rate_limited')) throw refusal;
    const seller = await findSellerOfUser(c.table, userId);
    if (!seller || !isApproved(seller)) throw refusal;
    await c.limitRate('approved-writes', caller);
  }
}
