import * as z from 'zod/mini';
import { EmailRequestDecision, emailRequestDecisions } from '../../../shared/buyer-email/email-request.ts';
import { decideEmailRequest } from '../../../shared/buyer-email/email-request-service.ts';
import type { Needs } from '../../../shared/context.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { idOf } from '../../../shared/ids.ts';

export const decideEmailRequestRoute = endpoint({
  operationId: 'decideEmailRequest',
  method: 'POST',
  path: '/v1/admin/email-requests/{order_id}/decide',
  tag: 'Admin',
  summary: 'Decides on a seller’s request for another address of a buyer',
  description: 'Approved, the address is corrected as an admin’s own correction does it. Nobody decides on a sale of their own.',
  audience: 'admin',
  body: EmailRequestDecision,
  success: { status: 200, body: z.object({ orderId: idOf('order'), decision: z.enum(emailRequestDecisions) }) },
  errors: ['request_not_found', 'self_review_forbidden'],
  handle: async ({ params, body, identity }, c: Needs<'table' | 'now' | 'sendJob' | 'ENCRYPTION_KEYS'>) => {
    await decideEmailRequest(c, identity, params.orderId, body);
    return { orderId: params.orderId, decision: body.decision };
  },
});
