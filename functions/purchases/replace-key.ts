import { authorizePurchase, credentialErrors, TokenCredential } from '../../shared/buyer-access/authorize-purchase.ts';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { replaceLicenseKey } from '../../shared/licenses/buyers/buyer-license-service.ts';
import { PurchaseCompletionPageResponse } from '../../shared/licenses/purchase-page.ts';
import { completionPageReply } from './complete-purchase.ts';

export const replaceKeyRoute = endpoint({
  operationId: 'replaceLicenseKey',
  method: 'POST',
  path: '/v1/purchases/replace-key',
  tag: 'Purchases',
  summary: 'Gives the purchased license another key, for a buyer whose key leaked',
  description:
    'From then on apps are told `license_replaced` for the old key, and every seat is empty. For generated keys of active licenses, once in 30 days. The reply is that of the page, with the new key.',
  audience: 'anyone',
  rateLimit: 'complete',
  body: TokenCredential,
  success: { status: 200, body: PurchaseCompletionPageResponse },
  sensitive: true,
  errors: [...credentialErrors, 'wrong_issuance_mode', 'license_not_usable', 'moves_exhausted'],
  handle: async (
    { body: { token } },
    c: Needs<'table' | 'now' | 'sendJob' | 'store' | 'randomBytes' | 'ENCRYPTION_KEYS' | 'LICENSE_PEPPERS' | 'TOKEN_KEYS'>,
  ) => {
    const purchase = await authorizePurchase(c, { token });
    await replaceLicenseKey(c, purchase.order);
    return completionPageReply(purchase, c);
  },
});
