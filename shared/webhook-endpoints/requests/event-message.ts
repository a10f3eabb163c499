import { Webhook } from 'standardwebhooks';
import type { Keyring } from '../../crypto/keyring.ts';
import { openText } from '../../crypto/sealed-text.ts';
import { type SellerEvent, sellerEventData } from '../../seller-events/seller-event.ts';
import { toWire } from '../../wire.ts';
import { messageIdOf } from '../deliveries/delivery.ts';
import { sealedSecretsOf } from '../endpoints/signing-secret.ts';
import type { WebhookEndpointRecord } from '../endpoints/webhook-endpoint.ts';
import type { OutgoingRequest } from './send-request.ts';

/**
 * An event as its endpoint gets it, in the form of Standard Webhooks. The id and the bytes of the body are the same
 * in every attempt; the timestamp is the attempt's own. After a rotation the former secrets sign too, the
 * current one first, until they end.
 */
export function eventMessage(event: SellerEvent, endpoint: WebhookEndpointRecord, encryptionKeys: Keyring, at: Date): OutgoingRequest {
  const id = messageIdOf(event.id, endpoint.id);
  // Parsed, because a table keeps no order of fields.
  const data = toWire(sellerEventData[event.type].parse(event.data));
  const body = JSON.stringify({ type: event.type, timestamp: event.at, data });
  const signatures = sealedSecretsOf(endpoint, at).map((sealed) =>
    new Webhook(openText(sealed, endpoint.id, encryptionKeys)).sign(id, at, body),
  );
  return {
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': signatures.join(' '),
    },
    body,
  };
}
