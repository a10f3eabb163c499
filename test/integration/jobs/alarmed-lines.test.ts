import { expect, test } from '@jest/globals';
import { compose as composeProjector } from '../../../functions/event-projector/compose.ts';
import { recordScan } from '../../../functions/file-scanner/record-scan.ts';
import { compose as composeMailSender } from '../../../functions/mail-sender/compose.ts';
import { compose as composeOrders } from '../../../functions/orders/compose.ts';
import { settingNames as ordersSettings } from '../../../functions/orders/declaration.ts';
import { routes as ordersRoutes } from '../../../functions/orders/routes.ts';
import { compose as composeSweeper } from '../../../functions/sweeper/compose.ts';
import { AppError } from '../../../shared/errors.ts';
import { ThrottledJobError } from '../../../shared/jobs/job.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { alarmedMessages, type LogMessage } from '../../../shared/logging/log-messages.ts';
import { createLogger, type Logger } from '../../../shared/logging/logger.ts';
import type { SendMail } from '../../../shared/mail/sending/mail-client.ts';
import { UndeliverableMailError } from '../../../shared/mail/sending/send-failure.ts';
import { createWorker } from '../../../shared/queue/create-worker.ts';
import type { JobSender } from '../../../shared/queue/job-sender.ts';
import type { Faults } from '../../support/engines/faults.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { sessionEvent } from '../../support/samples/provider-events.ts';
import { sampleSettings } from '../../support/samples/sample-settings.ts';
import { createDeliveryScene } from '../../support/scenes/events/delivery-scene.ts';
import { startFileHarness } from '../../support/scenes/file-harness.ts';
import { createRedemptionScene } from '../../support/scenes/products/redemption-scene.ts';
import { createProjectionHarness, createTestQueue } from '../../support/scenes/projection-harness.ts';
import { startStubProvider } from '../../support/scenes/stub-provider.ts';

type Alarmed = (typeof alarmedMessages)[keyof typeof alarmedMessages][number];

/** What happens when each line is logged that an alarm counts. */
const causes: Record<Alarmed, (logger: Logger) => Promise<unknown>> = {
  async request_refused(logger) {
    const { table } = await createTestTable();
    const orders = composeOrders({ settings: sampleSettings(ordersSettings), logger, table, sender: createTestQueue() });
    await createCaller(orders, ordersRoutes)('GET', '/v1/orders');
  },
  async job_dead(logger) {
    const harness = await createProjectionHarness();
    const { settings, table, queue: sender } = harness;
    const provider = { call: () => Promise.reject(new Error('The provider is not asked.')) };
    const project = composeProjector({ settings, table, sender, logger, provider });
    await harness.receiveEvent('platform', sessionEvent(await harness.addOrder(), 'completed', { amount_total: 1 }));
    await project(sender.take());
  },
  async job_postponed(logger) {
    const { table } = await createTestTable();
    const c = { table, now: () => new Date(), logger, ...createTestQueue() };
    const task = { kind: 'project-event', eventId: 'evt_1' } as const;
    await table.write(addJob(c, task));
    const run = { 'project-event': () => Promise.reject(new AppError('dependency_unavailable')) };
    const work = createWorker(c, { run, leaseSeconds: 60 });
    await work({ Records: [{ messageId: 'one', body: JSON.stringify({ jobId: jobId(task) }) }] });
  },
  async sweep_finished(logger) {
    await sweepDueJob(logger);
  },
  async job_not_taken(logger) {
    await sweepDueJob(logger, {
      call: (name, make) => (name === 'Query' ? Promise.reject(new AppError('dependency_unavailable')) : make()),
    });
  },
  async job_not_sent(logger) {
    await sweepDueJob(logger, undefined, { sendJobOrFail: () => Promise.reject(new AppError('dependency_unavailable')) });
  },
  async license_not_issued(logger) {
    const { table } = await createTestTable();
    const transact: typeof table.transact = (writes) => {
      const issues = writes.some((write) => 'put' in write && write.put.Item?.['sealedKey'] !== undefined);
      return issues ? Promise.reject(new AppError('dependency_unavailable')) : table.transact(writes);
    };
    const harness = await createProjectionHarness({ table: { ...table, transact }, logger });
    await harness.deliver(sessionEvent(await harness.addOrder(), 'completed'));
  },
  async discount_over_redeemed(logger) {
    const provider = await startStubProvider();
    const scene = await createRedemptionScene({ provider, logger });
    const { openCart } = await scene.addDiscount(1);
    const late = await openCart();
    await scene.happen(sessionEvent(late, 'expired'));
    for (const order of [await openCart(), late]) await scene.happen(sessionEvent(order, 'completed'));
    await provider.stop();
  },
  async event_not_delivered(logger) {
    const scene = await createDeliveryScene({ logger, send: async () => ({ statusCode: 500, error: 'status' }) });
    const fiveDaysAgo = new Date(scene.now().getTime() - 5 * 24 * 3600_000).toISOString();
    await scene.addEndpoint({ url: 'https://hooks.example.com/', failingSince: fiveDaysAgo });
    await scene.happen('order.paid');
    await scene.arrive();
  },
  async events_late(logger) {
    const scene = await createDeliveryScene({ logger, send: async () => ({ statusCode: 200 }) });
    await scene.addEndpoint({ url: 'https://hooks.example.com/' });
    await scene.happen('order.paid');
    scene.skip(15 * 60 + 1);
    await scene.arrive();
  },
  async job_throttled(logger) {
    await mailOnce(logger, () => Promise.reject(new ThrottledJobError('mail_rate', 5)));
  },
  async mail_undeliverable(logger) {
    await mailOnce(logger, () => Promise.reject(new UndeliverableMailError('recipient_unverified')));
  },
  async approved_file_infected(logger) {
    const harness = await startFileHarness();
    const fileId = await harness.offerFile();
    const { versionId = '' } = await harness.file(fileId);
    const file = { productId: harness.product.id, fileId };
    await recordScan(harness.c, file, { versionId, engine: 'clamav', trusted: true, verdict: 'infected', at: new Date().toISOString() });
    await harness.stop();
    for (const line of harness.logged) logger.info(JSON.parse(line).message);
  },
};

async function mailOnce(logger: Logger, send: SendMail) {
  const { settings, table, queue: sender, ...harness } = await createProjectionHarness();
  await harness.deliver(sessionEvent(await harness.addOrder(), 'completed'));
  await composeMailSender({ settings, table, sender, logger, send })(sender.take());
}

async function sweepDueJob(logger: Logger, faults?: Faults, change: Partial<JobSender> = {}) {
  const { table } = await createTestTable({ faults });
  const earlier = new Date(Date.now() - 3600_000);
  await table.write(addJob({ now: () => earlier }, { kind: 'project-event', eventId: 'evt_1' }));
  await composeSweeper({ logger, table, sender: { ...createTestQueue(), ...change } })({}, { getRemainingTimeInMillis: () => 60_000 });
}

test.each(Object.values(alarmedMessages).flat())('%s, which an alarm counts, is logged when it happens', async (message: Alarmed) => {
  const logged: LogMessage[] = [];
  await causes[message](createLogger({ function: 'any' }, (line) => logged.push(JSON.parse(line).message)));
  expect(logged).toContain(message);
});
