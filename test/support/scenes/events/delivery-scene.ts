import { randomBytes } from 'node:crypto';
import { compose as composePublisher } from '../../../../functions/event-publisher/compose.ts';
import { compose as composeSender } from '../../../../functions/event-sender/compose.ts';
import { settingNames } from '../../../../functions/event-sender/declaration.ts';
import { sealText } from '../../../../shared/crypto/sealed-text.ts';
import { dueDeliveries, endpointKey, jobKey } from '../../../../shared/db/keys.ts';
import { type EndpointId, type EventId, newId, type SellerId } from '../../../../shared/ids.ts';
import { takeDueJobs } from '../../../../shared/jobs/due-job-repository.ts';
import type { Job, JobTask } from '../../../../shared/jobs/job.ts';
import { wakeJob } from '../../../../shared/jobs/job-repository.ts';
import { jobId } from '../../../../shared/jobs/new-job.ts';
import { createLogger } from '../../../../shared/logging/logger.ts';
import { recordEvent } from '../../../../shared/seller-events/event-record-repository.ts';
import { type NewEvent, type SellerEventType, sellerEventTypes } from '../../../../shared/seller-events/seller-event.ts';
import type { Delivery } from '../../../../shared/webhook-endpoints/deliveries/delivery.ts';
import { listDeliveries, requestReplay } from '../../../../shared/webhook-endpoints/deliveries/delivery-repository.ts';
import type { WebhookEndpointRecord } from '../../../../shared/webhook-endpoints/endpoints/webhook-endpoint.ts';
import { findEndpoint } from '../../../../shared/webhook-endpoints/endpoints/webhook-endpoint-repository.ts';
import type { Faults } from '../../engines/faults.ts';
import { createTestTable } from '../../engines/test-table.ts';
import { sampleSettings } from '../../samples/sample-settings.ts';
import { toSqsEvent } from '../projection-harness.ts';
import { createNetwork } from './network.ts';

export type DeliveryScene = Awaited<ReturnType<typeof createDeliveryScene>>;

const productId = newId('product');
const orderId = newId('order');
const sale = { orderId, productId, status: 'paid', amount: 1200, currency: 'JPY', kind: 'license', quantity: 3 };

/** Something of the type, as it happens. */
export function happening(type: SellerEventType): NewEvent {
  if (type === 'order.refunded') return { type, data: { ...sale, amountRefunded: 1200 } };
  if (type === 'product.reviewed') return { type, data: { productId, decision: 'approve', status: 'approved' } };
  return { type: 'order.paid', data: sale };
}

/**
 * The publisher and the sender of events over a real table, with a clock and a queue that the test moves: a message
 * arrives at its time, a sweep finds what is due.
 */
export async function createDeliveryScene(faults: Faults = { call: (_name, make) => make() }) {
  let clock = new Date();
  const now = () => clock;
  const { table, readAll, takeRequestCounts } = await createTestTable({ faults });
  const c = { table, now };
  const settings = sampleSettings(settingNames);
  /** What was logged beside how each job ended. */
  const lines: Record<string, unknown>[] = [];
  const note = (line: Record<string, unknown>) => line['message'] === 'job_ended' || lines.push(line);
  const logger = createLogger({}, (line) => note(JSON.parse(line)));
  /** Messages under way, with the time at which each arrives. */
  const queue: { id: string; at: number }[] = [];
  /** Messages for other workers. */
  const elsewhere: string[] = [];
  const sendJob = async (task: JobTask, delay = 0) => {
    await faults.call('SendMessage', async () => undefined);
    if (task.kind === 'deliver-events') queue.push({ id: jobId(task), at: clock.getTime() + delay * 1000 });
    else elsewhere.push(jobId(task));
  };
  const sender = { sendJob, sendJobOrFail: sendJob };
  const sellerId = newId('seller');
  const network = createNetwork();
  const sendRequest: typeof network.send = (...request) => faults.call('SendEvent', () => network.send(...request));
  const deliver = composeSender({ settings, logger, table, sender, sendRequest, now, random: () => 0.5 });
  const publish = composePublisher({ logger, table, sender, now });
  const deliverJobOf = (endpointId: EndpointId, owner: SellerId = sellerId): JobTask & { kind: 'deliver-events' } => ({
    kind: 'deliver-events',
    sellerId: owner,
    endpointId,
  });

  async function work(ids: readonly string[]): Promise<void> {
    const { batchItemFailures } = await deliver(toSqsEvent(ids));
    if (batchItemFailures.length > 0) throw new Error('The sender could not handle a message.');
  }

  /** Lets every message arrive that does so by then, those of one moment together. */
  async function arriveUntil(time: number): Promise<void> {
    for (;;) {
      const next = Math.min(...queue.map(({ at }) => at));
      if (next > time) return;
      clock = new Date(Math.max(next, clock.getTime()));
      const arrived = queue.filter(({ at }) => at <= clock.getTime());
      for (const message of arrived) queue.splice(queue.indexOf(message), 1);
      await work([...new Set(arrived.map(({ id }) => id))]);
    }
  }

  async function change(endpoint: WebhookEndpointRecord, changes: Partial<WebhookEndpointRecord>): Promise<void> {
    const item = await table.get(endpointKey(endpoint.sellerId, endpoint.id));
    const revision = Number(item?.['revision']) + 1;
    await table.write({ put: { Item: { ...item, ...changes, updatedAt: clock.toISOString(), revision } } });
  }

  /** Records that it happens, which nobody hears of yet. Returns the id of its job. */
  async function record(type: SellerEventType, owner: SellerId = sellerId): Promise<string> {
    const write = recordEvent(c, owner, happening(type));
    await table.write(write);
    return 'put' in write ? String(write.put.Item?.['id']) : '';
  }

  /** Each happens, and is published at once. */
  async function happenTo(owner: SellerId, ...types: SellerEventType[]): Promise<EventId[]> {
    const ids: EventId[] = [];
    for (const type of types) {
      const id = await record(type, owner);
      await publish(toSqsEvent([id]));
      ids.push(id.slice('publish-event:'.length) as EventId);
    }
    return ids;
  }

  return {
    table,
    readAll,
    takeRequestCounts,
    settings,
    network,
    lines,
    queue,
    elsewhere,
    sellerId,
    now,
    deliverJobOf,
    messages: () => lines.map(({ message }) => message),

    async addEndpoint(changes: Partial<WebhookEndpointRecord> & { url: string; secret?: string }): Promise<WebhookEndpointRecord> {
      const { secret = newSecret(), ...fields } = changes;
      const id = newId('endpoint', clock);
      const at = clock.toISOString();
      const record: WebhookEndpointRecord = {
        id,
        sellerId,
        eventTypes: [...sellerEventTypes],
        enabled: true,
        // Before all that tests keep to be sent again.
        createdAt: new Date(0).toISOString(),
        updatedAt: at,
        revision: 1,
        sealedSecret: sealText(secret, id, settings.ENCRYPTION_KEYS),
        ...fields,
      };
      await table.write({ put: { Item: { ...endpointKey(record.sellerId, id), ...record } } });
      return record;
    },

    change,
    /** As its seller does, whereupon what waits is sent. */
    async enable(endpoint: WebhookEndpointRecord): Promise<void> {
      await change(endpoint, { enabled: true });
      await table.write(wakeJob(c, deliverJobOf(endpoint.id), 60));
      await work([jobId(deliverJobOf(endpoint.id))]);
    },

    happen: (...types: SellerEventType[]) => happenTo(sellerId, ...types),
    happenTo,

    /** Asks for a replay, and wakes the job as the endpoint's seller does. */
    async replay(endpoint: WebhookEndpointRecord, request: { since?: string; eventId?: EventId | undefined } = {}): Promise<void> {
      await table.transact([...requestReplay(endpoint.id, request, clock), wakeJob(c, deliverJobOf(endpoint.id), 60, {})]);
      await sendJob(deliverJobOf(endpoint.id));
    },

    work,
    publish: (ids: readonly string[]) => publish(toSqsEvent(ids)),
    record,
    arrive: () => arriveUntil(clock.getTime()),
    async pass(seconds: number): Promise<void> {
      const time = clock.getTime() + seconds * 1000;
      await arriveUntil(time);
      clock = new Date(time);
    },
    /** Time passes and no message comes. */
    skip(seconds: number): void {
      clock = new Date(clock.getTime() + seconds * 1000);
    },
    async sweep(): Promise<void> {
      for (const job of await takeDueJobs(c)) await sendJob(job.task);
      await arriveUntil(clock.getTime());
    },

    async deliveriesOf({ id }: Pick<WebhookEndpointRecord, 'id'>): Promise<Delivery[]> {
      const { items } = await listDeliveries(table, id, { limit: 100 });
      return items.toReversed();
    },
    async pendingOf({ id }: Pick<WebhookEndpointRecord, 'id'>) {
      const { pk, prefix } = dueDeliveries(id);
      return (await table.query({ partition: pk, prefix })).items;
    },
    async jobOf(endpoint: WebhookEndpointRecord): Promise<(Partial<Job> & Record<string, unknown>) | undefined> {
      return table.get(jobKey(jobId(deliverJobOf(endpoint.id, endpoint.sellerId))));
    },
    async stored({ sellerId: owner, id }: WebhookEndpointRecord): Promise<WebhookEndpointRecord | undefined> {
      return findEndpoint(table, owner, id);
    },
  };
}

export const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
