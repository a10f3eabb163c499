import { randomBytes, randomUUID } from 'node:crypto';
import type { SQSEvent } from 'aws-lambda';
import { compose as composeProjector } from '../../../functions/event-projector/compose.ts';
import { compose as composeMailSender } from '../../../functions/mail-sender/compose.ts';
import { compose as composeWebhooks } from '../../../functions/payment-webhooks/compose.ts';
import { routes as webhookRoutes } from '../../../functions/payment-webhooks/routes.ts';
import { settingNames } from '../../../shared/config.ts';
import { Keyring } from '../../../shared/crypto/keyring.ts';
import type { Table } from '../../../shared/db/table.ts';
import { AppError } from '../../../shared/errors.ts';
import { newId, type OrderId } from '../../../shared/ids.ts';
import type { JobTask } from '../../../shared/jobs/job.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { getLicense } from '../../../shared/licenses/license-repository.ts';
import type { Logger } from '../../../shared/logging/logger.ts';
import { findMail } from '../../../shared/mail/outbox/mail-repository.ts';
import type { SendMail } from '../../../shared/mail/sending/mail-client.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { createOrder, getOrder } from '../../../shared/orders/order-repository.ts';
import { createStripeClient, type StripeClient } from '../../../shared/payments/provider/stripe-client.ts';
import type { JobSender } from '../../../shared/queue/job-sender.ts';
import type { Faults } from '../engines/faults.ts';
import { createTestTable } from '../engines/test-table.ts';
import { createCaller } from '../http/http-event.ts';
import { paid, sign } from '../samples/provider-events.ts';
import { sampleSettings } from '../samples/sample-settings.ts';

export const testKeyring = () => Keyring.parse(`1:${randomBytes(32).toString('base64url')}`);

export const silentLogger: Logger = { info() {}, warn() {}, error() {} };

/** A queue in memory: what was sent is delivered when the test says so. */
export function createTestQueue(outside?: Faults): JobSender & { sent: string[]; take(): SQSEvent } {
  const sent: string[] = [];
  const send = async (task: JobTask) => void sent.push(jobId(task));
  const sendJob: JobSender['sendJob'] = (task) => (outside ? outside.call('SendMessage', () => send(task)) : send(task));
  return {
    sent,
    sendJob,
    sendJobOrFail: sendJob,
    take: () => toSqsEvent(sent.splice(0)),
  };
}

export const toSqsEvent = (jobIds: readonly string[]): SQSEvent => ({
  Records: jobIds.map((jobId) => ({
    messageId: randomUUID(),
    receiptHandle: '',
    body: JSON.stringify({ jobId }),
    attributes: { ApproximateReceiveCount: '1', SentTimestamp: '0', SenderId: '', ApproximateFirstReceiveTimestamp: '0' },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: '',
    awsRegion: 'us-east-1',
  })),
});

/** An order as a checkout leaves it, with its session opened. */
export function sampleOrder(change: Partial<Order> = {}): Order {
  const id = newId('order');
  return {
    id,
    sellerId: newId('seller'),
    productId: newId('product'),
    kind: 'license',
    quantity: 1,
    terms: {
      productSlug: 'sample-app',
      productName: 'Sample App',
      sellerDisplayName: 'Sample Shop',
      supportEmail: 'support@shop.example',
      refundPolicy: 'Within 14 days.',
      softwareOperatingEnvironment: 'Any',
      licenseIssuanceMode: 'generated_server_validated',
      licenseKeyPrefix: 'SHOP7',
      activationLimit: 2,
      features: ['pro'],
      deactivationAllowed: true,
      offlineDays: 14,
      offlineFileDays: 0,
      updatesDays: 36_500,
    },
    amount: 1200,
    currency: 'JPY',
    applicationFeeAmount: 120,
    destinationAccountId: 'acct_test',
    locale: 'auto',
    status: 'pending',
    paymentStatus: 'pending',
    checkout: {},
    checkoutSessionId: `cs_test_${id}`,
    expiresAt: new Date(Date.now() + 1800_000).toISOString(),
    createdAt: new Date().toISOString(),
    revision: 1,
    ttl: Math.floor(Date.now() / 1000) + 3_000_000,
    ...change,
  };
}

/** Every setting, without rate limits; the platform's webhooks have two secrets. */
const testSettings = sampleSettings(settingNames, {
  PUBLIC_BASE_URL: 'http://shop.test',
  PAYMENT_WEBHOOK_SECRET: 'whsec_platform_new,whsec_platform_old',
  PAYMENT_CONNECT_WEBHOOK_SECRET: 'whsec_connect_only',
  RATE_LIMIT_CHECKOUT: '0',
  RATE_LIMIT_COMPLETE: '0',
  RATE_LIMIT_DOWNLOAD: '0',
  RATE_LIMIT_QUOTE: '0',
});
export const platformSecrets = testSettings.PAYMENT_WEBHOOK_SECRET;
export const connectSecrets = testSettings.PAYMENT_CONNECT_WEBHOOK_SECRET;

const webhookOf = {
  platform: { path: '/v1/payment/webhook', secret: platformSecrets[0] ?? '' },
  connect: { path: '/v1/payment/connect/webhook', secret: connectSecrets[0] ?? '' },
};

/**
 * The webhook endpoints and the projector over one table of the real engine. By
 * default the provider cannot be reached, so that a call to it fails.
 */
export async function createProjectionHarness(
  options: {
    provider?: StripeClient;
    table?: Table;
    outside?: Faults;
    logger?: Logger;
    now?: (() => Date) | undefined;
    peppers?: Keyring;
    encryptionKeys?: Keyring | undefined;
  } = {},
) {
  const { logger = silentLogger, now = () => new Date() } = options;
  const table = options.table ?? (await createTestTable()).table;
  const encryptionKeys = options.encryptionKeys ?? testKeyring();
  const peppers = options.peppers ?? testKeyring();
  const settings = { ...testSettings, LICENSE_PEPPERS: peppers, ENCRYPTION_KEYS: encryptionKeys };
  const queue = createTestQueue(options.outside);
  const provider = options.provider ?? createStripeClient({ secretKey: 'sk_test_none', apiBase: 'http://127.0.0.1:9' });
  const webhooks = composeWebhooks({ settings, logger, table, sender: queue, now });
  const post = createCaller(webhooks, webhookRoutes, { described: false });
  const project = composeProjector({ settings, logger, table, provider, sender: queue, now });

  /** Posts a signed event. @throws AppError what the reply says when it is no success */
  async function receiveEvent(endpoint: 'platform' | 'connect', event: unknown): Promise<{ processed: boolean; ignored?: boolean }> {
    const body = JSON.stringify(event);
    const { path, secret } = webhookOf[endpoint];
    const headers = { 'Content-Type': 'application/json', 'Payment-Signature': sign(body, secret, now().getTime()) };
    const { status, json } = await post('POST', path, { body, headers });
    if (status !== 200) throw new AppError(json.code, json.message);
    return json;
  }

  const harness = {
    settings,
    table,
    now,
    queue,
    encryptionKeys,
    peppers,
    webhooks,
    receiveEvent,
    project,

    async addOrder(change: Partial<Order> = {}): Promise<Order> {
      const order = sampleOrder(change);
      await table.transact(createOrder(order));
      return order;
    },

    /** Delivers an event to an endpoint and lets the projector work on it. */
    async deliver(event: unknown, endpoint: 'platform' | 'connect' = 'platform') {
      const receipt = await receiveEvent(endpoint, event);
      await project({ Records: queue.take().Records.filter((record) => !record.body.includes('send-mail')) });
      return receipt;
    },

    /** An order that was paid, with its license. */
    async sell(change: Partial<Order> = {}): Promise<Order> {
      const order = await harness.addOrder(change);
      await harness.deliver(paid(order));
      return order;
    },

    async show(orderId: OrderId) {
      const order = await getOrder(table, orderId);
      const license = order.licenseId === undefined ? undefined : await getLicense(table, order.licenseId);
      const mail = await findMail(table, orderId, 'issuance');
      return { order, license, mail };
    },
  };
  return harness;
}

export type ProjectionHarness = Awaited<ReturnType<typeof createProjectionHarness>>;

/** The mail worker beside a projector; `send` is the mail service. */
export function createMailer(
  { settings, queue, ...harness }: ProjectionHarness,
  {
    send,
    table = harness.table,
    logger = silentLogger,
    now,
  }: { send: SendMail; table?: Table; logger?: Logger; now?: (() => Date) | undefined },
) {
  return composeMailSender({ settings, logger, table, send, sender: queue, now });
}
