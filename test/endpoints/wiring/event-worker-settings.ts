import type { SettingName } from '../../../shared/config.ts';
import { sealText } from '../../../shared/crypto/sealed-text.ts';
import { endpointKey } from '../../../shared/db/keys.ts';
import { newId } from '../../../shared/ids.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { recordEvent } from '../../../shared/seller-events/event-record-repository.ts';
import type { SellerEvent } from '../../../shared/seller-events/seller-event.ts';
import { keepSellerEvent, listEventsAfter } from '../../../shared/seller-events/seller-event-repository.ts';
import { addDelivery, listDeliveries } from '../../../shared/webhook-endpoints/deliveries/delivery-repository.ts';
import { newSigningSecret } from '../../../shared/webhook-endpoints/endpoints/signing-secret.ts';
import type { WebhookEndpointRecord } from '../../../shared/webhook-endpoints/endpoints/webhook-endpoint.ts';
import { keyringOf, keyringText } from '../../support/samples/licenses.ts';
import { type Deployment, type Environment, startRecorder } from '../../support/scenes/deployment.ts';

type Effect = (name: string, setting: SettingName) => Promise<void>;
type Effects = Partial<Record<SettingName, Effect>>;
type NewJob = () => Promise<{ id: string }>;

/** What the settings of the publisher and of the sender of events change. `d` is there once the effects are shown. */
export function eventWorkerEffects(tools: {
  d: () => Deployment;
  differ<Job extends { id: string }>(
    name: string,
    newJob: () => Promise<Job>,
    see: (job: Job) => Promise<unknown>,
    seen: readonly [Environment, unknown][],
  ): Promise<void>;
  table<Job extends { id: string }>(
    newJob: () => Promise<Job>,
    see: (job: Job) => Promise<unknown>,
    found: unknown,
    missing: unknown,
  ): Effect;
  follows: (newJob: NewJob, kind: string) => Effect;
  retries: (newJob: NewJob, failing: Environment) => Effect;
  stage: Effect;
}): Record<string, Effects> {
  const { d, differ, follows, retries, stage } = tools;
  const table = () => d().table;

  async function addEndpoint(change: Partial<WebhookEndpointRecord> = {}) {
    const at = new Date().toISOString();
    const id = newId('endpoint');
    const record: WebhookEndpointRecord = {
      id,
      sellerId: newId('seller'),
      url: 'http://127.0.0.1:9/hook',
      enabled: true,
      sealedSecret: sealText(
        newSigningSecret((size) => Buffer.alloc(size, 1)),
        id,
        keyringOf('e1'),
      ),
      createdAt: at,
      updatedAt: at,
      revision: 1,
      ...change,
    };
    await table().write({ put: { Item: { ...endpointKey(record.sellerId, id), ...record } } });
    return record;
  }

  /** An event that is recorded, for a seller with an endpoint. */
  async function newEvent(change: Record<string, unknown> = {}) {
    const { id, sellerId } = await addEndpoint(change);
    const write = recordEvent({ now: () => new Date() }, sellerId, { type: 'test', data: { endpointId: id } });
    await table().write(write);
    const job = 'put' in write ? String(write.put.Item?.['id']) : '';
    return { id: job, sellerId };
  }
  const isKept = async ({ sellerId }: Awaited<ReturnType<typeof newEvent>>) =>
    (await listEventsAfter(table(), sellerId, undefined, 1)).length === 1;

  /** An event that is to be sent to an endpoint. */
  async function newDelivery(change: Partial<WebhookEndpointRecord> = {}) {
    const endpoint = await addEndpoint(change);
    const { id: endpointId, sellerId } = endpoint;
    const event: SellerEvent = { id: newId('event'), sellerId, type: 'test', at: new Date().toISOString(), data: { endpointId } };
    const task = { kind: 'deliver-events', sellerId, endpointId } as const;
    await table().transact([
      keepSellerEvent(event),
      ...addDelivery(endpointId, event, new Date()),
      addJob({ now: () => new Date() }, task),
    ]);
    const read = async () => (await listDeliveries(table(), endpointId, { limit: 1 })).items[0];
    return { id: jobId(task), read };
  }
  type Sent = Awaited<ReturnType<typeof newDelivery>>;

  /** What becomes of deliveries to a receiver that takes them. */
  const delivering = (see: (job: Sent) => Promise<unknown>, seen: readonly [Environment, unknown][]): Effect => {
    return async (name) => {
      const receiver = await startRecorder(async () => new Response());
      await differ(name, () => newDelivery({ url: `${receiver.endpoint}/hook` }), see, seen);
      await receiver.stop();
    };
  };
  const status = async ({ read }: Sent) => (await read())?.status;
  const unsealed = { ENCRYPTION_KEYS: keyringText('e2') };
  const sixDaysAgo = () => new Date(Date.now() - 6 * 24 * 3600_000).toISOString();

  return {
    'event-publisher': {
      STAGE: stage,
      TABLE_NAME: tools.table(() => newEvent(), isKept, true, false),
      EVENT_QUEUE_URL: retries(() => newEvent({ url: 1 }), {}),
      DELIVERY_QUEUE_URL: follows(() => newEvent(), 'deliver-events'),
    },
    'event-sender': {
      STAGE: async (...of) => {
        await stage(...of);
        await delivering(
          async ({ read }) => (await read())?.lastError ?? (await read())?.status,
          [
            [{ STAGE: 'local' }, 'delivered'],
            [{ STAGE: 'staging' }, 'url_not_allowed'],
            [{ STAGE: 'production' }, 'url_not_allowed'],
          ],
        )(...of);
      },
      PUBLIC_BASE_URL: async (...of) => {
        const receiver = await startRecorder(async () => new Response());
        const lastError = async ({ read }: Sent) => (await read())?.lastError ?? 'none';
        await differ(of[0], () => newDelivery({ url: `${receiver.endpoint}/hook` }), lastError, [
          [{}, 'none'],
          [{ PUBLIC_BASE_URL: receiver.endpoint }, 'url_not_allowed'],
        ]);
        await receiver.stop();
      },
      TABLE_NAME: (...of) =>
        delivering(status, [
          [{}, 'delivered'],
          [{ TABLE_NAME: d().emptyTable }, 'pending'],
        ])(...of),
      ENCRYPTION_KEYS: delivering(status, [
        [{}, 'delivered'],
        [unsealed, 'pending'],
        [{ ENCRYPTION_KEYS: keyringText('e2', 'e1') }, 'delivered'],
      ]),
      DELIVERY_QUEUE_URL: retries(() => newDelivery(), unsealed),
      MAIL_QUEUE_URL: follows(() => newDelivery({ failingSince: sixDaysAgo() }), 'send-endpoint-notice'),
    },
  };
}
