import { createAuditRepository } from '../../../shared/audit/audit-repository.ts';
import type { Keyring } from '../../../shared/crypto/keyring.ts';
import type { Table } from '../../../shared/db/table.ts';
import { AppError } from '../../../shared/errors.ts';
import type { OrderId } from '../../../shared/ids.ts';
import { completionUrl, mintCompletionToken, tokenLifetimes } from '../../../shared/orders/completion-token.ts';
import { wasPaid } from '../../../shared/orders/order.ts';
import { createOrderRepository } from '../../../shared/orders/order-repository.ts';

export type CompletionTokens = ReturnType<typeof createCompletionTokens>;

export function createCompletionTokens(options: {
  table: Table;
  stage: string;
  publicBaseUrl: string;
  tokenKeys: Keyring;
  now: () => Date;
}) {
  const { table, stage, publicBaseUrl, tokenKeys, now } = options;
  const orders = createOrderRepository({ table });
  const audit = createAuditRepository({ table, now });

  return {
    /**
     * A token that opens the purchase page of a paid order for 15 minutes; audited.
     *
     * @throws AppError disabled_in_production, order_not_found, order_not_paid
     */
    async createCompletionToken(adminId: string, orderId: OrderId) {
      if (stage === 'production') throw new AppError('disabled_in_production');
      const order = await orders.getOrder(orderId);
      if (!wasPaid(order)) throw new AppError('order_not_paid');
      const at = now();
      const expiresAt = new Date(at.getTime() + tokenLifetimes.admin);
      const completionToken = await mintCompletionToken({ orderId: order.id, use: 'admin', expiresAt }, at, tokenKeys);
      await table.transact([audit.recordAudit({ actor: adminId, action: 'order.create_completion_token', targetId: order.id })]);
      return {
        orderId: order.id,
        completionToken,
        completionUrl: completionUrl(publicBaseUrl, completionToken),
        expiresAt: expiresAt.toISOString(),
      };
    },
  };
}
