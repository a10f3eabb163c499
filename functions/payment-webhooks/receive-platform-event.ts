import { endpoint } from '../../shared/http/endpoint.ts';
import { verifyWebhookSignature } from '../../shared/payments/webhook-signature.ts';
import { PlatformReceipt } from './receive-event.ts';
import type { WebhookServices } from './routes.ts';

export const receivePlatformEvent = endpoint({
  operationId: 'receivePlatformEvent',
  method: 'POST',
  path: '/v1/payment/webhook',
  tag: 'Webhooks',
  summary: 'Takes an event of the payment provider about our own account',
  description:
    'Signed in the Payment-Signature (or Stripe-Signature) header. `processed` tells whether the effect is durable already; `ignored` is there for events of kinds we do not handle.',
  audience: 'anyone',
  bodyKind: 'json',
  success: { status: 200, body: PlatformReceipt },
  errors: ['signature_missing', 'signature_invalid'],
  verify: (request, { platformSecrets, now }: WebhookServices) => verifyWebhookSignature(request, platformSecrets, now()),
  handle: async ({ body }, { receiveEvent }: WebhookServices) => {
    const { ignored, ...receipt } = await receiveEvent('platform', body);
    return ignored ? { ...receipt, ignored } : receipt;
  },
});
