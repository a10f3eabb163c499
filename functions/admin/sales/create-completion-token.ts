import * as z from 'zod/mini';
import { recordAudit } from '../../../shared/audit/audit-repository.ts';
import { completionUrl, mintCompletionToken, tokenLifetimes } from '../../../shared/buyer-access/completion-token.ts';
import type { Needs } from '../../../shared/context.ts';
import { AppError } from '../../../shared/errors.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { idOf } from '../../../shared/ids.ts';
import { wasPaid } from '../../../shared/orders/order.ts';
import { getOrder } from '../../../shared/orders/order-repository.ts';
import { dateTime, storedUri } from '../../../shared/schemas.ts';

export const AdminCompletionTokenResponse = z.object({
  orderId: idOf('order'),
  completionToken: z.string(),
  completionUrl: storedUri,
  expiresAt: dateTime,
});

export const createCompletionTokenRoute = endpoint({
  operationId: 'createCompletionToken',
  method: 'POST',
  path: '/v1/admin/orders/{order_id}/completion-token',
  tag: 'Admin',
  summary: 'Issues a short-lived completion token for a paid order, for staging and local inspection',
  description:
    'The token speaks for the order as one from the mail does, for 15 minutes. The license key is not in the reply. In production the endpoint is closed.',
  audience: 'admin',
  success: { status: 200, body: AdminCompletionTokenResponse },
  sensitive: true,
  errors: [{ code: 'order_not_paid', status: 400 }, 'disabled_in_production', 'order_not_found'],
  async handle({ params, identity }, c: Needs<'table' | 'now' | 'PUBLIC_BASE_URL' | 'STAGE' | 'TOKEN_KEYS'>) {
    if (c.settings.STAGE === 'production') throw new AppError('disabled_in_production');
    const order = await getOrder(c.table, params.orderId);
    if (!wasPaid(order)) throw new AppError('order_not_paid');
    const at = c.now();
    const expiresAt = new Date(at.getTime() + tokenLifetimes.admin);
    const completionToken = await mintCompletionToken({ orderId: order.id, use: 'admin', expiresAt }, at, c.settings.TOKEN_KEYS);
    await c.table.transact([recordAudit(c, { actor: identity.userId, action: 'order.create_completion_token', targetId: order.id })]);
    return {
      orderId: order.id,
      completionToken,
      completionUrl: completionUrl(c.settings.PUBLIC_BASE_URL, completionToken),
      expiresAt: expiresAt.toISOString(),
    };
  },
});
