import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import type { Settings } from '../../config.ts';
import { fault } from '../../faults/fault.ts';
import * as rules from '../../faults/rules.ts';
import { idOf } from '../../ids.ts';
import { dateTime, line } from '../../schemas.ts';
import { type SellerEvent, type SellerEventType, sellerEventTypes } from '../../seller-events/seller-event.ts';
import { endpointUrl } from './endpoint-url.ts';

const EventTypes = z.array(z.enum(sellerEventTypes));

/** A webhook endpoint as its seller sees it. */
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
  /** When it was disabled, where it was not the seller who said so. */
  disabledAt: z.optional(dateTime),
  updatedAt: dateTime,
  /** Counts its seller's changes and the sender's disabling. */
  revision: z.int(),
});
export type WebhookEndpointRecord = z.infer<typeof WebhookEndpointRecord>;

// How many there are comes first: each element that is none would be told of.
const someTypes = z
  .array(z.unknown())
  .check(z.maxLength(100))
  .register(z.globalRegistry, { items: { type: 'string', enum: sellerEventTypes }, minItems: 1 });
const requestedTypes = z.pipe(
  someTypes,
  EventTypes.check(
    z.minLength(1, fault(rules.noType)),
    z.refine((types) => new Set(types).size === types.length, fault(rules.repeatedType)),
  ),
);
const optionalFields = { eventTypes: z.optional(requestedTypes), description: z.optional(line(200)) };

/** What a seller sends; which URLs are taken depends on the stage, and on where the service itself is. */
export const createEndpointRequest = (stage: Settings['STAGE'], publicBaseUrl?: string) =>
  z.object({ url: endpointUrl(stage, publicBaseUrl), ...optionalFields });
export const CreateWebhookEndpointRequest = createEndpointRequest('production');
export type CreateWebhookEndpointRequest = z.infer<typeof CreateWebhookEndpointRequest>;

export const updateEndpointRequest = (stage: Settings['STAGE'], publicBaseUrl?: string) =>
  z.object({ url: z.optional(endpointUrl(stage, publicBaseUrl)), ...optionalFields, enabled: z.optional(z.boolean()) });
export const UpdateWebhookEndpointRequest = updateEndpointRequest('production');
export type UpdateWebhookEndpointRequest = z.infer<typeof UpdateWebhookEndpointRequest>;

export const toWebhookEndpoint = (endpoint: WebhookEndpointRecord): WebhookEndpoint =>
  WebhookEndpoint.parse({ ...endpoint, eventTypes: endpoint.eventTypes ?? sellerEventTypes });

/** An endpoint subscribed to every type also gets types added later. */
export function storedTypes(types: readonly SellerEventType[] | undefined): SellerEventType[] | undefined {
  const named = sellerEventTypes.filter((type) => types?.includes(type) ?? true);
  return named.length === sellerEventTypes.length ? undefined : named;
}

const sellersFields = ['url', 'eventTypes', 'description', 'enabled'] as const;

/** The endpoint with the fields that its seller sent, and which of them differ. What begins anew is not failing any more. */
export function revisedEndpoint(endpoint: WebhookEndpointRecord, request: UpdateWebhookEndpointRequest, at: Date) {
  const { url = endpoint.url, description = endpoint.description, enabled = endpoint.enabled } = request;
  const eventTypes = request.eventTypes === undefined ? endpoint.eventTypes : storedTypes(request.eventTypes);
  const sent = { url, eventTypes, description, enabled };
  const changed = sellersFields.filter((name) => !isDeepStrictEqual(sent[name], endpoint[name]));
  const isEnabled = enabled && !endpoint.enabled;
  const beginsAnew = enabled && (isEnabled || changed.includes('url'));
  const next: WebhookEndpointRecord = {
    ...endpoint,
    ...sent,
    disabledReason: isEnabled ? undefined : endpoint.disabledReason,
    disabledAt: isEnabled ? undefined : endpoint.disabledAt,
    failingSince: beginsAnew ? undefined : endpoint.failingSince,
    updatedAt: at.toISOString(),
  };
  return { next, changed, beginsAnew, isDisabled: endpoint.enabled && !enabled };
}

/** By how much a clock may be ahead: the table refuses requests that are signed by one that is further off. */
const maxClockLeadMs = 5 * 60_000;

/**
 * Since when the endpoint may have existed, where the clock that made it was ahead: it was read at `now`, and says that it
 * is of a later time. Then it cannot be told what happened first, and the event counts as what came after.
 */
export function earlierStartOf({ createdAt }: WebhookEndpointRecord, { at }: SellerEvent, now: Date): string | undefined {
  const earliest = new Date(Date.parse(createdAt) - maxClockLeadMs).toISOString();
  return createdAt > now.toISOString() && at < createdAt && at >= earliest ? at : undefined;
}

/** Whether the endpoint existed when the event happened and may receive it, unless it is for another endpoint. */
export const mayReceive = ({ id, createdAt }: WebhookEndpointRecord, { at, endpointId }: SellerEvent): boolean =>
  createdAt <= at && (endpointId === undefined || endpointId === id);

/** Whether the endpoint is to hear of the event, while it is enabled. */
export function isSubscribed(endpoint: WebhookEndpointRecord, event: SellerEvent): boolean {
  return mayReceive(endpoint, event) && (event.endpointId !== undefined || (endpoint.eventTypes?.includes(event.type) ?? true));
}

/** The endpoint in audit records: of its URL the host alone, since the rest may hold a secret of the receiver. */
export const auditedEndpoint = ({ url, eventTypes, enabled }: WebhookEndpointRecord) => ({
  host: new URL(url).host,
  eventTypes: eventTypes?.join(' ') ?? 'all',
  enabled,
});
