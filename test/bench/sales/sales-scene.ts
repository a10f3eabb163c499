import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { compose as composeProjector } from '../../../functions/event-projector/compose.ts';
import { compose as composePublisher } from '../../../functions/event-publisher/compose.ts';
import { compose as composeMailSender } from '../../../functions/mail-sender/compose.ts';
import { compose as composeWebhooks } from '../../../functions/payment-webhooks/compose.ts';
import { routes } from '../../../functions/payment-webhooks/routes.ts';
import { compose as composeSweeper } from '../../../functions/sweeper/compose.ts';
import { queueDefinitions } from '../../../infra/constructs/queues.ts';
import { settingNames } from '../../../shared/config.ts';
import { createDynamoClient, createSdkDynamo } from '../../../shared/db/dynamo/sdk-dynamo.ts';
import { pendingPartitions } from '../../../shared/db/keys.ts';
import { createTable } from '../../../shared/db/table.ts';
import { newId, type SellerId } from '../../../shared/ids.ts';
import type { JobKind } from '../../../shared/jobs/job.ts';
import { jobIdFields } from '../../../shared/jobs/new-job.ts';
import type { SendMail } from '../../../shared/mail/sending/mail-client.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { bindCheckoutSession, createOrder } from '../../../shared/orders/order-repository.ts';
import { createStripeClient } from '../../../shared/payments/provider/stripe-client.ts';
import { queueOfJob } from '../../../shared/queue/messages.ts';
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import { httpEvent } from '../../support/http/http-event.ts';
import { sessionEvent, sign } from '../../support/samples/provider-events.ts';
import { sampleSettings } from '../../support/samples/sample-settings.ts';
import { keepEventsOf } from '../../support/scenes/events/keep-events.ts';
import { sampleOrder, silentLogger, toSqsEvent } from '../../support/scenes/projection-harness.ts';
import { followStream } from './follow-stream.ts';
import { createLocalQueue } from './local-queue.ts';
import { createModelClock, type ModelClock } from './model-clock.ts';

export type SalesScene = Awaited<ReturnType<typeof openSalesScene>>;

const secret = 'whsec_of_the_platform';
const provider = createStripeClient({ secretKey: 'sk_test_none', apiBase: 'http://127.0.0.1:9' });
/** How long the provider waits here before it sends an event again that was not taken. */
const resendMs = 1000;
/** By so much the clock is moved on when nothing happens, so that the sweeper finds what is due. */
const sweepEveryMs = 15_000;
const mostSweeps = 400;

export type PaidEvent = ReturnType<typeof sessionEvent>;

/**
 * The webhook function, the workers of a sale and the sweeper over a new table, with all queues in memory: what happens
 * between a signed event of a payment and the license, the mail and the seller's events. Orders are as a checkout leaves them.
 */
export async function openSalesScene({ clock = createModelClock(), workers = 64 }: { clock?: ModelClock; workers?: number } = {}) {
  const place: TestTable = await createTestTable();
  // Beside the place's own client: what the service does is limited and watched, what looks at it is not.
  const client = createDynamoClient();
  const table = createTable({ tableName: place.tableName, dynamo: createSdkDynamo(client), wait: clock.wait });
  const { now } = clock;
  const settings = sampleSettings(settingNames, { PAYMENT_WEBHOOK_SECRET: secret, TABLE_NAME: place.tableName });
  /** The orders of which a mail was sent. */
  const sent = new Set<string | undefined>();
  const heard = new Set<SellerId>();

  const queue = createLocalQueue({ work: (id) => work(id), workers, clock });
  let issued = 0;
  followStream(client, ({ pk, sk, id }) => {
    if (id?.S?.startsWith('publish-event:')) queue.deliver(id.S);
    if (pk?.S?.startsWith('LICENSE#') && sk?.S === 'LICENSE') issued += 1;
  });
  const common = { settings, logger: silentLogger, table, sender: queue, now };
  const send: SendMail = async ({ tags }) => void sent.add(tags?.order_id);
  const handlers: Record<string, (event: SQSEvent) => Promise<SQSBatchResponse>> = {
    'event-projector': composeProjector({ ...common, provider }),
    'mail-sender': composeMailSender({ ...common, send }),
    'event-publisher': composePublisher(common),
  };
  const webhooks = composeWebhooks(common);
  const sweep = composeSweeper(common);

  async function work(id: string): Promise<SQSBatchResponse> {
    const kind = id.slice(0, id.indexOf(':'));
    if (!(kind in jobIdFields)) throw new Error(`${id} is no job.`);
    const { worker } = queueDefinitions[queueOfJob[kind as JobKind]];
    const handler = handlers[worker];
    if (!handler) throw new Error(`${worker} has no part in a sale.`);
    return handler(toSqsEvent([id]));
  }

  /** The status of the reply to a signed event. */
  async function post(event: PaidEvent): Promise<number | undefined> {
    const body = JSON.stringify(event);
    const headers = { 'Content-Type': 'application/json', 'Payment-Signature': sign(body, secret, now().getTime()) };
    return (await webhooks(httpEvent(routes, 'POST', '/v1/payment/webhook', { body, headers }), {} as Context)).statusCode;
  }

  const pendingJobs = async () => {
    const reads = await Promise.all(pendingPartitions().map((partition) => place.table.query({ index: 'pending', partition, limit: 1 })));
    return reads.some(({ items }) => items.length > 0);
  };

  return {
    ...place,
    serviceClient: client,
    clock,
    sent,

    licensesIssued: () => issued,

    /** Opens an order with its session, as a checkout does. */
    async checkOut(sellerId: SellerId): Promise<Order> {
      const order = sampleOrder({ sellerId, id: newId('order', now()), createdAt: now().toISOString(), checkoutAttempt: 1 });
      const { checkoutSessionId = '', ...unopened } = order;
      if (!heard.has(sellerId)) await keepEventsOf(place.table, sellerId);
      heard.add(sellerId);
      await table.transact(createOrder(unopened));
      await table.write(bindCheckoutSession(unopened, checkoutSessionId));
      return order;
    },

    paidEvent: (order: Order): PaidEvent =>
      sessionEvent(order, 'completed', { customer_details: { email: `${order.id}@example.com`.toLowerCase() } }),

    /** Posts the event until it is taken, and waits until a worker has worked on it; how often it had to be posted. */
    async sell(event: PaidEvent): Promise<number> {
      for (let posts = 1; ; posts += 1) {
        if ((await post(event)) === 200) {
          await queue.workedOn(`project-event:${event.id}`);
          return posts;
        }
        await clock.wait(resendMs);
      }
    },

    /** Ends what is under way, with the sweeper: until no job is left that is not dead. */
    async settle(): Promise<void> {
      for (let sweeps = 0; sweeps < mostSweeps; sweeps += 1) {
        await queue.empty();
        if (!(await pendingJobs())) return;
        clock.pass(sweepEveryMs);
        await sweep({}, { getRemainingTimeInMillis: () => 60_000 });
      }
      throw new Error('Jobs are left that come to no end.');
    },
  };
}
