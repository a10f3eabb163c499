import { SESv2Client } from '@aws-sdk/client-sesv2';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { compose as composeMailSender } from '../../../functions/mail-sender/compose.ts';
import { type MailOutbox, startMailOutbox } from '../../../infra/local/engines/mail-outbox.ts';
import { newId } from '../../../shared/ids.ts';
import { jobId } from '../../../shared/jobs/job.ts';
import { createMailClient } from '../../../shared/mail/mail-client.ts';
import { createMailRepository } from '../../../shared/mail/mail-repository.ts';
import { buyerEmailHashes } from '../../../shared/orders/buyer-email.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { sessionEvent } from '../../support/samples/provider-events.ts';
import { createProjectionHarness, sampleOrder, silentLogger, toSqsEvent } from '../../support/scenes/projection-harness.ts';

type Harness = Awaited<ReturnType<typeof createProjectionHarness>>;

/** What the mail service gets, from the worker and the client that are deployed. */
describe('a mail as the mail service gets it', () => {
  let harness: Harness;
  let outbox: MailOutbox;
  beforeAll(async () => {
    const { table } = await createTestTable();
    harness = await createProjectionHarness({ table, now: () => new Date() });
    outbox = await startMailOutbox({});
  });
  afterAll(() => outbox.stop());

  const operator = { SERVICE_NAME: 'Minato Licenses', OPERATOR_CONTACT: 'desk@minato.example' };
  function mailer() {
    const { table, queue: sender } = harness;
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    const client = new SESv2Client({ endpoint: outbox.endpoint, region: 'us-east-1', credentials, maxAttempts: 1 });
    const send = createMailClient({ from: 'licenses@example.com', client });
    return composeMailSender({ settings: { ...harness.settings, ...operator }, logger: silentLogger, table, send, sender });
  }

  async function buy(change: Partial<Order['terms']> = {}, email = 'buyer@example.com', order: Partial<Order> = {}): Promise<Order> {
    const added = await harness.addOrder({ locale: 'en', ...order, terms: { ...sampleOrder().terms, ...change } });
    const status = added.amount === 0 ? { payment_status: 'no_payment_required' as const, payment_intent: null } : {};
    await harness.deliver(sessionEvent(added, 'completed', { customer_details: { email }, amount_total: added.amount, ...status }));
    return added;
  }
  /** Sends what waits, and returns it. */
  async function work() {
    const before = (await outbox.listMails()).length;
    expect(await mailer()(harness.queue.take())).toEqual({ batchItemFailures: [] });
    return (await outbox.listMails()).slice(before);
  }

  test('says whose it is, who answers, that no person wrote it, and which one it is', async () => {
    const order = await buy({ sellerDisplayName: 'Harbour "Works", Ltd.', supportEmail: 'help@harbour.example' });
    expect(await work()).toMatchObject([
      {
        from: '"Harbour \\"Works\\", Ltd. via Minato Licenses" <licenses@example.com>',
        reply_to: 'help@harbour.example',
        to: 'buyer@example.com',
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Entity-Ref-ID': `${order.id}/issuance` },
      },
    ]);
  });

  test('proves the purchase by order, amount and day, and names them in fresh links too', async () => {
    const email = 'proof@example.com';
    const order = await buy({ productName: 'Waves' }, email, { amount: 4900, currency: 'USD' });
    const facts = ['$49.00', order.id, new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date())];
    const [bought] = await work();
    for (const fact of facts) expect([bought?.text, bought?.html]).toEqual([expect.stringContaining(fact), expect.stringContaining(fact)]);

    const { mailings, jobs, table } = { ...harness, ...repositories() };
    const task = { kind: 'send-links', mailId: newId('mail') } as const;
    await table.transact([mailings.requestMailing(task.mailId, buyerEmailHashes(email, harness.encryptionKeys)), jobs.addJob(task)]);
    harness.queue.take();
    const before = (await outbox.listMails()).length;
    await mailer()(toSqsEvent([jobId(task)]));
    const [links] = (await outbox.listMails()).slice(before);
    for (const fact of facts) expect([links?.text, links?.html]).toEqual([expect.stringContaining(fact), expect.stringContaining(fact)]);
    expect(links?.headers).toEqual({ 'Auto-Submitted': 'auto-generated', 'X-Entity-Ref-ID': task.mailId });
  });
});
