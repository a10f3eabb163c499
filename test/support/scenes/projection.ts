import { randomBytes, randomUUID } from 'node:crypto';
import type { SQSEvent } from 'aws-lambda';
import { createEventProjector } from '../../../functions/event-projector/event-projector.ts';
import type { RefreshAccount } from '../../../functions/event-projector/project-event.ts';
import { createSendMail } from '../../../functions/mail-sender/send-mail.ts';
import { createReceiveEvent } from '../../../functions/payment-webhooks/receive-event.ts';
import { createAuditRepository } from '../../../shared/audit/audit-repository.ts';
import { Keyring } from '../../../shared/crypto/keyring.ts';
import type { Table } from '../../../shared/db/table.ts';
import { newId } from '../../../shared/ids.ts';
import { type JobTask, jobId } from '../../../shared/jobs/job.ts';
import { createJobRepository } from '../../../shared/jobs/job-repository.ts';
import { createLicenseRepository } from '../../../shared/licenses/license-repository.ts';
import type { Logger } from '../../../shared/logger.ts';
import { createMailRepository } from '../../../shared/mail/mail-repository.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { createOrderRepository } from '../../../shared/orders/order-repository.ts';
import { createPaymentRepository } from '../../../shared/payments/payment-repository.ts';
import { createStripeClient, type StripeClient } from '../../../shared/payments/stripe-client.ts';
import { createWorker } from '../../../shared/queue/create-worker.ts';
import type { JobSender } from '../../../shared/queue/job-sender.ts';
import type { Faults } from '../engines/faults.ts';
import { createTestTable } from '../engines/test-table.ts';

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
    terms: {
      productSlug: 'sample-app',
      productName: 'Sample App',
      sellerDisplayName: 'Sample Shop',
      supportEmail: 'support@shop.example',
      refundPolicy: 'Within 14 days.',
      softwareOperatingEnvironment: 'Any',
      licenseIssuanceMode: 'generated_server_validated',
      licenseKeyPrefix: 'LIC1',
      activationLimit: 2,
      features: ['pro'],
      deactivationAllowed: true,
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

/**
 * The webhook receiver and the projector over one table of the real engine. By
 * default the provider cannot be reached, which tells when something asks it.
 */
export async function createProjectionBench(
  options: { provider?: StripeClient; table?: Table; refreshAccount?: RefreshAccount; outside?: Faults } = {},
) {
  const table = options.table ?? (await createTestTable()).table;
  const encryptionKeys = testKeyring();
  const peppers = testKeyring();
  const queue = createTestQueue(options.outside);
  const now = () => new Date();
  const provider = options.provider ?? createStripeClient({ secretKey: 'sk_test_none', apiBase: 'http://127.0.0.1:9' });
  const repositories = {
    orders: createOrderRepository({ table }),
    payments: createPaymentRepository({ table }),
    licenses: createLicenseRepository({ table }),
    mails: createMailRepository({ table }),
    jobs: createJobRepository({ table }),
    audit: createAuditRepository({ table }),
  };
  const receiveEvent = createReceiveEvent({ ...repositories, sender: queue, encryptionKeys, now });
  const project = createEventProjector({
    settings: { STAGE: 'local', LICENSE_PEPPERS: peppers, ENCRYPTION_KEYS: encryptionKeys },
    table,
    provider,
    refreshAccount: options.refreshAccount ?? (async () => {}),
    sender: queue,
    logger: silentLogger,
  });

  return {
    ...repositories,
    table,
    queue,
    encryptionKeys,
    peppers,
    receiveEvent,
    project,

    async addOrder(change: Partial<Order> = {}): Promise<Order> {
      const order = sampleOrder(change);
      await repositories.orders.commit(repositories.orders.createOrder(order));
      return order;
    },

    /** Delivers an event to the platform endpoint and lets the projector work on it. */
    async deliver(event: unknown, endpoint: 'platform' | 'connect' = 'platform') {
      const receipt = await receiveEvent(endpoint, event);
      await project({ Records: queue.take().Records.filter((record) => !record.body.includes('send-mail')) });
      return receipt;
    },

    async show(orderId: string) {
      const order = await repositories.orders.getOrder(orderId);
      const license = order.licenseId === undefined ? undefined : await repositories.licenses.getLicense(order.licenseId);
      const mail = await repositories.mails.findMail(orderId, 'issuance');
      return { order, license, mail };
    },
  };
}

export type ProjectionBench = Awaited<ReturnType<typeof createProjectionBench>>;

/** The mail worker beside a projector; `send` is the mail service. */
export function createMailer(
  bench: ProjectionBench,
  { send, orders = bench.orders }: Pick<SendMailOptions, 'send'> & Partial<SendMailOptions>,
) {
  const sendMail = createSendMail({
    ...bench,
    orders,
    send,
    publicBaseUrl: 'http://shop.test',
    tokenKeys: testKeyring(),
    now: () => new Date(),
  });
  return createWorker({ run: { 'send-mail': sendMail }, jobs: bench.jobs, sender: bench.queue, logger: silentLogger, leaseSeconds: 30 });
}

type SendMailOptions = Parameters<typeof createSendMail>[0];
