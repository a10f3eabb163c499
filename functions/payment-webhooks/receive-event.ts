import * as z from 'zod/mini';
import type { Keyring } from '../../shared/crypto/keyring.ts';
import { sealText } from '../../shared/crypto/sealed-text.ts';
import type { Table } from '../../shared/db/table.ts';
import { AppError } from '../../shared/errors.ts';
import type { RawRequest } from '../../shared/http/endpoint.ts';
import type { JobTask } from '../../shared/jobs/job.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { EventEnvelope, parseEvent } from '../../shared/payments/parse-event.ts';
import { createPaymentRepository, EventKnownError } from '../../shared/payments/payment-repository.ts';
import { WebhookEvent } from '../../shared/payments/webhook-event.ts';
import { verifyWebhookSignature } from '../../shared/payments/webhook-signature.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';

const keptForDays = 90;

type EndpointName = WebhookEvent['endpoint'];

export interface Receipt {
  received: true;
  /** Whether the event's effect is durable already. */
  processed: boolean;
  /** Whether the event is one that has no effect here. */
  ignored: boolean;
}

export const PlatformReceipt = z.object({ received: z.boolean(), processed: z.boolean(), ignored: z.optional(z.boolean()) });
export const ConnectReceipt = z.object({ received: z.boolean(), processed: z.boolean() });

export type WebhookReceiver = ReturnType<typeof createWebhookReceiver>;

/** Takes the provider's events, and hands them to the event projector. See "A webhook, step by step" in functions/event-projector/README.md */
export function createWebhookReceiver(options: {
  /** What each endpoint's events are signed with. */
  secrets: Record<EndpointName, readonly string[]>;
  table: Table;
  sender: JobSender;
  encryptionKeys: Keyring;
  now: () => Date;
}) {
  const { secrets, table, sender, encryptionKeys, now } = options;
  const payments = createPaymentRepository({ table });
  const jobs = createJobRepository({ table, now });

  /** @throws AppError signature_missing, signature_invalid */
  function verifySignature(endpoint: EndpointName, request: RawRequest): void {
    verifyWebhookSignature(request, secrets[endpoint], now());
  }

  /**
   * Stores a verified event once, by its id, and queues it for the projector.
   *
   * @throws AppError invalid_request without an id or type; dependency_unavailable when
   * it could not be stored or queued, so that the provider sends it again.
   */
  async function receiveEvent(endpoint: EndpointName, body: unknown): Promise<Receipt> {
    const envelope = EventEnvelope.safeParse(body);
    if (!envelope.success) throw new AppError('invalid_request', 'body must have an id and a type');
    const event = reduce(endpoint, envelope.data);
    const task: JobTask = { kind: 'project-event', eventId: event.id };
    const known = await store(event, task);
    const { payload, projectedAt } = known ?? event;
    if (payload.kind === 'ignored') return { received: true, processed: false, ignored: true };
    if (projectedAt) return { received: true, processed: true, ignored: false };
    await sender.sendJobOrFail(task);
    return { received: true, processed: false, ignored: false };
  }

  function reduce(endpoint: EndpointName, envelope: EventEnvelope): WebhookEvent {
    const { id, type } = envelope;
    return {
      id,
      type,
      endpoint,
      createdAt: timeOf(envelope.created) ?? now().toISOString(),
      receivedAt: now().toISOString(),
      payload: parseEvent(envelope, endpoint, (plain) => sealText(plain, id, encryptionKeys)),
      ttl: Math.floor(now().getTime() / 1000) + keptForDays * 24 * 3600,
    };
  }

  /** Returns the event as it was stored before, if it was. */
  async function store(event: WebhookEvent, task: JobTask): Promise<WebhookEvent | undefined> {
    const job = event.payload.kind === 'ignored' ? [] : [jobs.addJob(task)];
    try {
      await table.transact([payments.storeEvent(event), ...job]);
      return undefined;
    } catch (error) {
      if (error instanceof EventKnownError) return WebhookEvent.parse(error.old);
      throw error;
    }
  }

  return { verifySignature, receiveEvent };
}

/** Snapshot events count seconds; account events carry ISO 8601. */
function timeOf(created: number | string | undefined): string | undefined {
  const date = typeof created === 'number' ? new Date(created * 1000) : new Date(created ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
