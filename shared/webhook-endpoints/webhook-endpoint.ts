import * as z from 'zod/mini';
import { idOf } from '../ids.ts';
import { dateTime } from '../schemas.ts';
import { type SellerEvent, sellerEventTypes } from '../seller-events/seller-event.ts';

const EventTypes = z.array(z.enum(sellerEventTypes));

/** Where a seller's own systems hear what happens, as its seller sees it. */
export const WebhookEndpoint = z.object({
  id: idOf('endpoint'),
  url: z.string(),
  eventTypes: EventTypes,
  description: z.optional(z.string()),
  enabled: z.boolean(),
  /** Why nothing is sent, where it was not the seller who said so. */
  disabledReason: z.optional(z.enum(['gone', 'failing'])),
  createdAt: dateTime,
});
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

/** What the table holds of an endpoint. */
export const WebhookEndpointRecord = z.extend(WebhookEndpoint, {
  sellerId: idOf('seller'),
  /** In the order of `sellerEventTypes`; without it every type, also one that is added later. */
  eventTypes: z.optional(EventTypes),
  /** The signing secret, encrypted and bound to the endpoint's id. */
  sealedSecret: z.string(),
  /** The secrets before, the latest first, each of which signs too until then. */
  formerSecrets: z.optional(z.array(z.object({ sealed: z.string(), signsUntil: dateTime }))),
  /** Since when nothing but failures came back. Written by the sender, and removed when its seller begins anew. */
  failingSince: z.optional(dateTime),
  updatedAt: dateTime,
  /** Counts its seller's changes and the sender's disabling. */
  revision: z.int(),
});
export type WebhookEndpointRecord = z.infer<typeof WebhookEndpointRecord>;

/** Whether the endpoint is to hear of the event, while it is enabled. */
export function wantsEvent({ id, eventTypes }: WebhookEndpointRecord, { type, endpointId }: SellerEvent): boolean {
  return endpointId === undefined ? (eventTypes?.includes(type) ?? true) : endpointId === id;
}
