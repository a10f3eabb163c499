import * as z from 'zod/mini';
import { email } from '../../shared/addresses.ts';
import { resendLinks } from '../../shared/buyer-access/resend-links.ts';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { acceptedLocale } from '../../shared/locale.ts';

export const resendLinkRoute = endpoint({
  operationId: 'resendLink',
  method: 'POST',
  path: '/v1/purchases/resend-link',
  tag: 'Purchases',
  summary: 'Emails fresh completion links for the paid orders of an email address, all in one email',
  description:
    'The reply is the same whether or not the address is known. An address gets at most 3 such emails an hour, none after the tenth email with links that anybody had sent to it in an hour, and later where it got ten emails that were free to whoever caused them. `name+…@` is the same address as `name@`. It comes in the language that `Accept-Language` prefers, Japanese or English, else in that of the latest order.',
  audience: 'anyone',
  rateLimit: 'complete',
  body: z.object({ buyerEmail: email }),
  success: { status: 202, body: z.object({}) },
  errors: [],
  handle: async ({ body, headers }, c: Needs<'table' | 'now' | 'sendJob' | 'ENCRYPTION_KEYS'>) => {
    await resendLinks(c, body.buyerEmail, acceptedLocale(headers['accept-language']));
    return {};
  },
});
