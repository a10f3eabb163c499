import { compose as composePublisher } from '../../../functions/event-publisher/compose.ts';
import { compose as composeLicenses } from '../../../functions/licenses/compose.ts';
import { settingNames } from '../../../functions/licenses/declaration.ts';
import { routes } from '../../../functions/licenses/routes.ts';
import { compose as composeUpdates } from '../../../functions/updates/compose.ts';
import { routes as updateRoutes } from '../../../functions/updates/routes.ts';
import { queueDefinitions } from '../../../infra/constructs/queues.ts';
import { mintCompletionToken } from '../../../shared/buyer-access/completion-token.ts';
import { createDynamoClient } from '../../../shared/db/dynamo/sdk-dynamo.ts';
import { takeDueJobs } from '../../../shared/jobs/due-job-repository.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import { queueOfJob } from '../../../shared/queue/messages.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { issueTestLicense } from '../../support/samples/licenses.ts';
import { sampleSettings } from '../../support/samples/sample-settings.ts';
import { createMailer, silentLogger, toSqsEvent } from '../../support/scenes/projection-harness.ts';
import { startUpdateScene } from '../../support/scenes/releases/update-scene.ts';
import { startSalesHarness } from '../../support/scenes/sales-harness.ts';
import { createMeter, type Usage } from './meter.ts';

/** What a function was measured to take for its part of an operation. */
export interface Step {
  function: string;
  usage: Usage;
}

export type Scenarios = Awaited<ReturnType<typeof startScenarios>>;

/** A shop in which operations are measured one at a time, over the real table engine and the fake payment provider. */
export async function startScenarios() {
  const client = createDynamoClient();
  const { table, tableName } = await createTestTable({ client });
  const sales = await startSalesHarness({ table });
  const meter = createMeter({ client, providerHost: new URL(sales.fakeProvider.endpoint).host });
  const settings = sampleSettings(settingNames, { TABLE_NAME: tableName, RATE_LIMIT_UNKNOWN_KEYS: '0' });
  const callLicenses = createCaller(composeLicenses({ settings, logger: silentLogger, table }), routes, { described: false });
  const workers = new Map<string, (event: ReturnType<typeof toSqsEvent>) => Promise<unknown>>([
    ['event-projector', sales.project],
    ['mail-sender', createMailer(sales, { send: async () => undefined })],
    ['event-publisher', composePublisher({ logger: silentLogger, table, sender: sales.queue })],
  ]);
  // Every job is due by this clock, as it were by the message that is sent with it.
  const dueByNow = { table, now: () => new Date(Date.now() + 60_000) };
  const { key, license } = await issueTestLicense(table, { activationLimit: 100_000, peppers: settings.LICENSE_PEPPERS });
  const { slug } = await sales.offer();
  // In a table of its own, as its jobs are not among those that are worked off here.
  const app = await startUpdateScene({ table: (await createTestTable({ client })).table });
  for (const version of ['1.0.0', '1.1.0']) await app.windows(version);
  const { settings: updateSettings, files } = app;
  const common = { logger: silentLogger, table: app.table, now: files.now };
  const updates = composeUpdates({ settings: updateSettings, downloadSigner: files.store, ...common });
  const callUpdates = createCaller(updates, updateRoutes, { described: false });
  const feed = `${app.base}/${app.ticketOf(await app.license())}/check/stable/windows/x64?current=1.0.0`;

  async function step<T>(name: string, work: () => Promise<T>): Promise<{ result: T; step: Step }> {
    const { result, usage } = await meter.measure(work);
    return { result, step: { function: name, usage } };
  }

  /** Has workers do all the jobs there are, one at a time. */
  async function workOff(): Promise<Step[]> {
    const steps: Step[] = [];
    for (let due = await takeDueJobs(dueByNow); due.length > 0; due = await takeDueJobs(dueByNow)) {
      for (const job of due) steps.push(await workOn(job));
    }
    return steps;
  }

  async function workOn({ id, task }: Job): Promise<Step> {
    const { worker } = queueDefinitions[queueOfJob[task.kind]];
    const run = workers.get(worker);
    if (!run) throw new Error(`${worker} is not among the workers that are measured.`);
    return (await step(worker, () => run(toSqsEvent([id])))).step;
  }

  async function callLicense(verb: 'activate' | 'validate', round: number): Promise<Step> {
    const body = { product_id: license.productId, license_key: key, device_fingerprint: `device-of-round-${round}` };
    const { result, step: taken } = await step('licenses', () => callLicenses('POST', `/v1/licenses/${verb}`, { body }));
    if (result.json.valid !== true) throw new Error(`${verb} answered ${result.json.code}.`);
    return taken;
  }

  return {
    table,
    client,
    validate: async (round: number): Promise<Step[]> => [await callLicense('validate', round)],

    /** An app asks for its update, of a function that has seen the releases before, and there is one. */
    async check(): Promise<Step[]> {
      const { result, step: taken } = await step('updates', () => callUpdates('GET', feed));
      if (result.json.code !== 'update_available') throw new Error(`A check answered ${result.json.code}.`);
      return [taken];
    },

    /** The first of its device, and the event that tells the seller. */
    activate: async (round: number): Promise<Step[]> => [await callLicense('activate', round), ...(await workOff())],

    /** From the checkout to the page with the license key: payment, license, mail and event. */
    async sell(round: number): Promise<Step[]> {
      const { result: order, step: checkout } = await step('storefront', () => sales.call('POST', `/v1/public/products/${slug}/checkout`));
      const event = await sales.paidEvent(order.json.checkout_url, `buyer-${round}@example.com`);
      const { step: webhook } = await step('payment-webhooks', () => sales.receiveEvent('platform', event));
      const work = await workOff();
      const token = await mintCompletionToken(
        { orderId: order.json.order_id, use: 'mail', expiresAt: new Date(Date.now() + 3_600_000) },
        new Date(),
        sales.tokenKeys,
      );
      const { result: page, step: completion } = await step('purchases', () =>
        sales.call('POST', '/v1/purchases/complete', { body: { token } }),
      );
      if (!page.json.license?.license_key) throw new Error('The sale led to no license.');
      return [checkout, webhook, ...work, completion];
    },

    async stop() {
      meter.stop();
      await Promise.all([sales.fakeProvider.stop(), app.stop()]);
    },
  };
}
