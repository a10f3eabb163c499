import * as z from 'zod/mini';
import { AuditRecord } from '../../../../shared/audit/audit.ts';
import {
  activationTallyKey,
  apiTokenKey,
  auditKey,
  auditPartition,
  batchKey,
  deliveryKey,
  dueDeliveryKey,
  endpointKey,
  fileKey,
  jobKey,
  type Key,
  mailKey,
  orderKey,
  productKey,
  queueWalkKey,
  sellerOfUserKey,
  webhookEventKey,
} from '../../../../shared/db/keys.ts';
import { Job, type JobTask } from '../../../../shared/jobs/job.ts';
import { BackfillProgress } from '../../../../shared/review-queue/queue-backfill-repository.ts';
import { ActivationTally } from '../../../../shared/seller-events/activation-tally.ts';
import { SellerEvent } from '../../../../shared/seller-events/seller-event.ts';
import { PendingDelivery } from '../../../../shared/webhook-endpoints/deliveries/delivery.ts';
import { KnownDelivery } from '../../../../shared/webhook-endpoints/deliveries/delivery-repository.ts';
import { Replay } from '../../../../shared/webhook-endpoints/deliveries/replay.ts';
import { createRule, hasJob, idFromKey } from './rule.ts';
import type { Read } from './table-reader.ts';

export const workRules = {
  jobKey: createRule({
    schema: z.looseObject({ id: z.string() }),
    id: ({ id }) => id,
    key: ({ id }) => jobKey(id),
    list: async (item) => (item['state'] === 'dead' ? { name: 'dead-jobs', id: item.id } : undefined),
    pending: (item) => (item['state'] === 'dead' ? undefined : { id: item.id, dueAt: String(item['dueAt']) }),
    async *faults(item, read) {
      const job = readJob(item);
      if (!job) return yield 'is a job that cannot be read';
      if (job.state !== 'waiting') return;
      if (job.task.kind === 'publish-event') {
        if (!SellerEvent.safeParse(job.payload).success) yield 'publishes an event that cannot be read';
        return;
      }
      const target = targetOf(job.task);
      if (target && !(await read.get(target))) yield 'is about something that is not there';
    },
  }),
  auditKey: createRule({
    schema: AuditRecord,
    key: ({ targetId, at, id }) => auditKey(targetId, at, id),
    list: async ({ at, id }) => ({ name: 'audit', at, id }),
  }),
  queueWalkKey: createRule({
    schema: BackfillProgress,
    id: () => 'the walk that fills the queue',
    key: queueWalkKey,
  }),
  rateLimitKey: createRule({
    schema: z.object({ fullAt: z.number(), ttl: z.number() }),
    id: () => 'a limit of a caller',
  }),
  activationTallyKey: createRule({
    schema: ActivationTally,
    key: ({ licenseId }, { owner }) => activationTallyKey(idFromKey('seller', owner), licenseId),
    async *faults({ licenseId, refusals }, read, { owner }) {
      if (refusals > 0 && !(await hasJob(read, { kind: 'tell-refusals', sellerId: owner, licenseId })))
        yield 'has refusals that nobody tells';
    },
  }),
  deliveryKey: createRule({
    schema: KnownDelivery,
    id: ({ eventId }, { owner }) => `${eventId} to ${owner}`,
    key: ({ eventId }, { owner }) => deliveryKey(idFromKey('endpoint', owner), eventId),
    async *faults({ eventId, status, nextAttemptAt }, read, { owner }) {
      const endpointId = idFromKey('endpoint', owner);
      if (!(await isOrWasThere(owner, read))) yield 'goes to an endpoint that never was';
      if ((status === 'pending') !== (nextAttemptAt !== undefined)) yield `is ${status}, and says otherwise of its next attempt`;
      if (nextAttemptAt !== undefined && !(await read.get(dueDeliveryKey(endpointId, nextAttemptAt, eventId))))
        yield 'is pending, and is not among the due ones';
    },
  }),
  dueDeliveryKey: createRule({
    schema: PendingDelivery,
    id: ({ eventId }, { owner }) => `${eventId} to ${owner}`,
    key: ({ eventId, nextAttemptAt }, { owner }) => dueDeliveryKey(idFromKey('endpoint', owner), nextAttemptAt, eventId),
    async *faults({ eventId, nextAttemptAt }, read, { owner }) {
      const delivery = await read.get(deliveryKey(idFromKey('endpoint', owner), eventId));
      if (delivery?.['nextAttemptAt'] !== nextAttemptAt) yield 'is among the due ones at a time at which it is not';
    },
  }),
  replayKey: createRule({
    schema: Replay,
    async *faults(_, read, { owner }) {
      if (!(await isOrWasThere(owner, read))) yield 'is to get events again, and never was';
    },
  }),
} as const;

function readJob(item: unknown): Job | undefined {
  try {
    return Job.parse(item);
  } catch {
    return undefined;
  }
}

/** What a job cannot be done without. */
function targetOf(task: JobTask): Key | undefined {
  switch (task.kind) {
    case 'project-event':
      return webhookEventKey(task.eventId);
    case 'serve-waiting-orders':
      return productKey(task.productId);
    case 'issue-license':
    case 'follow-hold':
      return orderKey(task.orderId);
    case 'send-mail':
      return mailKey(task.orderId, task.mailId);
    case 'hash-file':
    case 'scan-file':
    case 'discard-upload':
    case 'abort-parts':
    case 'withdraw-unused-file':
      return fileKey(task.productId, task.fileId);
    case 'import-codes':
      return batchKey(task.productId, task.batchId);
    case 'tell-refusals':
      return activationTallyKey(task.sellerId, task.licenseId);
    case 'send-token-notice':
      return apiTokenKey(task.tokenId);
    case 'send-links':
    case 'publish-event':
    case 'deliver-events':
    case 'send-endpoint-notice':
    case 'send-review-notice':
      return undefined;
  }
}

/** Deliveries name no seller: the audit tells whose endpoint it is, or that it was deleted, which leaves its deliveries to expire. */
async function isOrWasThere(endpointId: string, read: Read): Promise<boolean> {
  const records = await read.query({ pk: auditPartition(endpointId), prefix: '' });
  if (records.some(({ action }) => action === 'webhook_endpoint.delete')) return true;
  const made = records.find(({ action }) => action === 'webhook_endpoint.create');
  const sellerId = made && (await read.get(sellerOfUserKey(String(made['actor']))))?.['sellerId'];
  return (
    typeof sellerId === 'string' &&
    (await read.get(endpointKey(idFromKey('seller', sellerId), idFromKey('endpoint', endpointId)))) !== undefined
  );
}
