import { recordAudit } from '../../../shared/audit/audit-repository.ts';
import { completionUrl, mintCompletionToken, tokenLifetimes } from '../../../shared/buyer-access/completion-token.ts';
import type { Needs } from '../../../shared/context.ts';
import { AppError } from '../../../shared/errors.ts';
import type { OrderId } from '../../../shared/ids.ts';
import { wasPaid } from '../../../shared/orders/order.ts';
import { getOrder } from '../../../shared/orders/order-repository.ts';

/**
 * A token that opens the purchase page of a paid order for 15 minutes; audited.
 *
 * @throws AppError disabled_in_production, order_not_found, order_not_paid
 */
export async function createCompletionToken(
  c: Needs<'table' | 'now' | 'PUBLIC_BASE_URL' | 'STAGE' | 'TOKEN_KEYS'>,
  adminId: string,
  orderId: OrderId,
) {
  if (c.settings.STAGE === 'production') throw new AppError('disabled_in_production');
  const order = await getOrder(c.table, orderId);
  if (!wasPaid(order)) throw new AppError('order_not_paid');
  const at = c.now();
  const expiresAt = new Date(at.getTime() + tokenLifetimes.admin);
  const completionToken = await mintCompletionToken({ orderId: order.id, use: 'admin', expiresAt }, at, c.settings.TOKEN_KEYS);
  await c.table.transact([recordAudit(c, { actor: adminId, action: 'order.create_completion_token', targetId: order.id })]);
  return {
    orderId: order.id,
    completionToken,
    completionUrl: completionUrl(c.settings.PUBLIC_BASE_URL, completionToken),
    expiresAt: expiresAt.toISOString(),
  };
}
