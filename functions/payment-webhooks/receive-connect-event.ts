import { endpoint } from '../../shared/http/endpoint.ts';
import { ConnectReceipt, receiveEvent, verifySignature, type WebhookNeeds } from './receive-event.ts';

export const receiveConnectEventRoute = endpoint({
  operationId: 'receiveConnectEvent',
  method: 'POST',
  path: '/v1/payment/connect/webhook',
  tag: 'Webhooks',
  summary: 'Takes an event of the payment provider about a connected account',
  description: 'Signed with a secret of its own. Only account events have an effect here.',
  audience: 'anyone',
  bodyKind: 'json',
  success: { status: 200, body: ConnectReceipt },
  errors: ['signature_missing', 'signature_invalid'],
  verify: (request, c: WebhookNeeds) => verifySignature(c, 'connect', request),
  handle: ({ body }, c: WebhookNeeds) => receiveEvent(c, 'connect', body),
});
