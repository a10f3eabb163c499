import * as z from 'zod/mini';
import { email } from '../../shared/addresses.ts';
import { authorizePurchase, credentialErrors } from '../../shared/buyer-access/authorize-purchase.ts';
import { correctOwnEmail } from '../../shared/buyer-email/buyer-email-service.ts';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nonBlankText } from '../../shared/schemas.ts';

export const correctBuyerEmailRoute = endpoint({
  operationId: 'correctBuyerEmail',
  method: 'POST',
  path: '/v1/purchases/buyer-email',
  tag: 'Purchases',
  summary: 'Lets a payer correct a mistyped e-mail address, once an order',
  description:
    'Takes the token of the success URL alone, in the quarter of an hour after payment. The new address gets the mail with the completion link; the links in mails that were sent before end. The same address again changes nothing.',
  audience: 'anyone',
  rateLimit: 'complete',
  body: z.object({ token: nonBlankText(4096), buyerEmail: email }),
  success: { status: 202, body: z.object({}) },
  sensitive: true,
  errors: [...credentialErrors, 'license_not_usable', 'email_already_corrected'],
  handle: async ({ body: { token, buyerEmail } }, c: Needs<'table' | 'now' | 'sendJob' | 'ENCRYPTION_KEYS' | 'TOKEN_KEYS'>) => {
    const { order } = await authorizePurchase(c, { token }, ['redirect']);
    await correctOwnEmail(c, order.id, buyerEmail);
    return {};
  },
});
