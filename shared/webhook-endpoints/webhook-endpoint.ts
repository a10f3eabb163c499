import * as z from 'zod/mini';
import { idOf } from '../ids.ts';
import { dateTime } from '../schemas.ts';
import { type SellerEvent, sellerEventTypes } from '../seller-events/seller-event.ts';

/** Where a seller's own systems hear what happens, as its seller sees it. */
export const WebhookEndpoint = z.object({
  id: idOf('endpoint'),
  url: z.string(),
  eventTypes: z.array(z.enum(sellerEventTypes)),
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
  /** The signing secret, encrypted and bound to the endpoint's id. */
  sealedSecret: z.string(),
  /** The secret before, which signs too until then. */
  formerSecret: z.optional(z.object({ sealed: z.string(), signsUntil: dateTime })),
  /** Since when nothing but failures came back. Written by the sender alone. */
  failingSince: z.optional(dateTime),
  updatedAt: dateTime,
  /** Counts its seller's changes and the sender's disabling. */
  revision: z.int(),
});
export type WebhookEndpointRecord = z.infer<typeof WebhookEndpointRecord>;

/** Whether the endpoint is to hear of the event, while it is enabled. */
export function wantsEvent({ id, eventTypes }: WebhookEndpointRecord, { type, endpointId }: SellerEvent): boolean {
  return endpointId === undefined ? eventTypes.includes(type) : endpointId === id;
}
