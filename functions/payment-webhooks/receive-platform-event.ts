import { endpoint } from '../../shared/http/endpoint.ts';
import { PlatformReceipt, receiveEvent, verifySignature, type WebhookNeeds } from './receive-event.ts';

export const receivePlatformEventRoute = endpoint({
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
  verify: (request, c: WebhookNeeds) => verifySignature(c, 'platform', request),
  handle: ({ body }, c: WebhookNeeds) => receiveEvent(c, 'platform', body),
});
