/** Takes the provider's events, and hands them to the event projector. See "A webhook, step by step" in functions/event-projector/README.md */

import * as z from 'zod/mini';
import type { Needs } from '../../shared/context.ts';
import { sealText } from '../../shared/crypto/sealed-text.ts';
import { invalidField } from '../../shared/faults/invalid-request.ts';
import * as rules from '../../shared/faults/rules.ts';
import type { RawRequest } from '../../shared/http/endpoint.ts';
import type { JobTask } from '../../shared/jobs/job.ts';
import { addJob } from '../../shared/jobs/job-repository.ts';
import { EventEnvelope, parseEvent } from '../../shared/payments/events/parse-event.ts';
import { WebhookEvent } from '../../shared/payments/events/webhook-event.ts';
import { verifyWebhookSignature } from '../../shared/payments/events/webhook-signature.ts';
import { DuplicateEventError, storePaymentEvent } from '../../shared/payments/payment-repository.ts';

const keptForDays = 90;

type EndpointName = WebhookEvent['endpoint'];

/** What both endpoints of the provider work with. */
export type WebhookNeeds = Needs<
  'table' | 'now' | 'sendJobOrFail' | 'ENCRYPTION_KEYS' | 'PAYMENT_WEBHOOK_SECRET' | 'PAYMENT_CONNECT_WEBHOOK_SECRET'
>;

export const ConnectReceipt = z.object({
  received: z.boolean(),
  /** Whether the event's effect is durable already. */
  processed: z.boolean(),
});

/** `ignored`, of an event that has no effect here. */
export const PlatformReceipt = z.extend(ConnectReceipt, { ignored: z.optional(z.boolean()) });

/** @throws AppError signature_missing, signature_invalid */
export function verifySignature(
  c: Needs<'now' | 'PAYMENT_CONNECT_WEBHOOK_SECRET' | 'PAYMENT_WEBHOOK_SECRET'>,
  endpoint: EndpointName,
  request: RawRequest,
): void {
  const secrets = endpoint === 'platform' ? c.settings.PAYMENT_WEBHOOK_SECRET : c.settings.PAYMENT_CONNECT_WEBHOOK_SECRET;
  verifyWebhookSignature(request, secrets, c.now());
}

/**
 * Stores a verified event once, by its id, and queues it for the projector.
 *
 * @throws AppError invalid_request without an id or type; dependency_unavailable when
 * it could not be stored or queued, so that the provider sends it again.
 */
export async function receiveEvent(
  c: Needs<'table' | 'now' | 'ENCRYPTION_KEYS' | 'sendJobOrFail'>,
  endpoint: EndpointName,
  body: unknown,
): Promise<z.infer<typeof PlatformReceipt>> {
  const envelope = EventEnvelope.safeParse(body);
  if (!envelope.success) throw invalidField('body', rules.notEvent);
  const event = reduce(c, endpoint, envelope.data);
  const task: JobTask = { kind: 'project-event', eventId: event.id };
  const stored = await store(c, event, task);
  const { payload, projectedAt } = stored ?? event;
  if (payload.kind === 'ignored') return { received: true, processed: false, ignored: true };
  if (projectedAt) return { received: true, processed: true };
  await c.sendJobOrFail(task);
  return { received: true, processed: false };
}

function reduce(c: Needs<'now' | 'ENCRYPTION_KEYS'>, endpoint: EndpointName, envelope: EventEnvelope): WebhookEvent {
  const { id, type } = envelope;
  return {
    id,
    type,
    endpoint,
    createdAt: timeOf(envelope.created) ?? c.now().toISOString(),
    receivedAt: c.now().toISOString(),
    payload: parseEvent(envelope, endpoint, (plain) => sealText(plain, id, c.settings.ENCRYPTION_KEYS)),
    ttl: Math.floor(c.now().getTime() / 1000) + keptForDays * 24 * 3600,
  };
}

/** Returns the event as stored before, if any. */
async function store(c: Needs<'table' | 'now'>, event: WebhookEvent, task: JobTask): Promise<WebhookEvent | undefined> {
  const job = event.payload.kind === 'ignored' ? [] : [addJob(c, task)];
  try {
    await c.table.transact([storePaymentEvent(event), ...job]);
    return undefined;
  } catch (error) {
    if (error instanceof DuplicateEventError) return WebhookEvent.parse(error.old);
    throw error;
  }
}

/** Snapshot events count seconds; account events carry ISO 8601. */
function timeOf(created: number | string | undefined): string | undefined {
  const date = typeof created === 'number' ? new Date(created * 1000) : new Date(created ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
