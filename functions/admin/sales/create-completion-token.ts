import * as z from 'zod/mini';
import type { Needs } from '../../../shared/context.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { idOf } from '../../../shared/ids.ts';
import { dateTime, storedUri } from '../../../shared/schemas.ts';
import { createCompletionToken } from './completion-tokens.ts';

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
  handle: ({ params, identity }, c: Needs<'table' | 'now' | 'PUBLIC_BASE_URL' | 'STAGE' | 'TOKEN_KEYS'>) =>
    createCompletionToken(c, identity.userId, params.orderId),
});
