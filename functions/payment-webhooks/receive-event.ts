import * as z from 'zod/mini';
import type { Keyring } from '../../shared/crypto/keyring.ts';
import { sealText } from '../../shared/crypto/sealed-text.ts';
import { AppError } from '../../shared/errors.ts';
import type { JobRepository } from '../../shared/jobs/job-repository.ts';
import { EventKnownError, type PaymentRepository } from '../../shared/payments/payment-repository.ts';
import { EventEnvelope, parseEvent, WebhookEvent } from '../../shared/payments/webhook-event.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';

const keptForDays = 90;

export interface Receipt {
  received: true;
  /** Whether the event's effect is durable already. */
  processed: boolean;
  /** We do not handle events of its kind. */
  ignored: boolean;
}

export type ReceiveEvent = (endpoint: WebhookEvent['endpoint'], body: unknown) => Promise<Receipt>;

/**
 * Stores a verified event once, by its id, and hands it to the projector.
 *
 * @throws AppError invalid_request without an id or type; dependency_unavailable when
 * it could not be stored or queued, so that the provider sends it again.
 */
export function createReceiveEvent(dependencies: {
  payments: PaymentRepository;
  jobs: JobRepository;
  sender: JobSender;
  encryptionKeys: Keyring;
  now: () => Date;
}): ReceiveEvent {
  const { payments, jobs, sender, encryptionKeys, now } = dependencies;

  function reduce(endpoint: WebhookEvent['endpoint'], envelope: EventEnvelope): WebhookEvent {
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

  return async (endpoint, body) => {
    const envelope = EventEnvelope.safeParse(body);
    if (!envelope.success) throw new AppError('invalid_request', 'The event needs an id and a type.');
    const event = reduce(endpoint, envelope.data);
    const known = await store(event);
    const { payload, projectedAt } = known ?? event;
    if (payload.kind === 'ignored') return { received: true, processed: false, ignored: true };
    if (projectedAt) return { received: true, processed: true, ignored: false };
    await sender.sendJobOrFail('project-event', event.id);
    return { received: true, processed: false, ignored: false };
  };

  /** The event as it was stored before, if it was. */
  async function store(event: WebhookEvent): Promise<WebhookEvent | undefined> {
    const job = event.payload.kind === 'ignored' ? [] : [jobs.addJob('project-event', event.id)];
    try {
      await payments.commit([payments.storeEvent(event), ...job]);
      return undefined;
    } catch (error) {
      if (error instanceof EventKnownError) return WebhookEvent.parse(error.old);
      throw error;
    }
  }
}

/** Snapshot events count seconds; account events carry ISO 8601. */
function timeOf(created: number | string | undefined): string | undefined {
  const date = typeof created === 'number' ? new Date(created * 1000) : new Date(created ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

export const PlatformReceipt = z.object({ received: z.boolean(), processed: z.boolean(), ignored: z.optional(z.boolean()) });
export const ConnectReceipt = z.object({ received: z.boolean(), processed: z.boolean() });
