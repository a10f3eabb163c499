import { SESv2Client } from '@aws-sdk/client-sesv2';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type MailOutbox, startMailOutbox } from '../../../infra/local/services/mail-outbox.ts';
import { buyerEmailHashes } from '../../../shared/buyer-email/buyer-email.ts';
import { newId } from '../../../shared/ids.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { requestLinkMail } from '../../../shared/mail/outbox/link-mail-repository.ts';
import { createMailClient } from '../../../shared/mail/sending/mail-client.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { sessionEvent } from '../../support/samples/provider-events.ts';
import { createMailer, createProjectionHarness, type ProjectionHarness, sampleOrder } from '../../support/scenes/projection-harness.ts';

/** What the mail service gets, from the worker and the client that are deployed. */
describe('a mail as the mail service gets it', () => {
  let harness: ProjectionHarness;
  let outbox: MailOutbox;
  let mailer: ReturnType<typeof createMailer>;
  beforeAll(async () => {
    harness = await createProjectionHarness();
    Object.assign(harness.settings, { SERVICE_NAME: 'Minato Licenses', OPERATOR_CONTACT: 'desk@minato.example' });
    outbox = await startMailOutbox({});
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    const client = new SESv2Client({ endpoint: outbox.endpoint, region: 'us-east-1', credentials, maxAttempts: 1 });
    mailer = createMailer(harness, { send: createMailClient({ from: 'licenses@example.com', configurationSet: 'mails', client }) });
  });
  afterAll(() => outbox.stop());

  async function buy(terms: Partial<Order['terms']>, change: Partial<Order> = {}, email = 'buyer@example.com'): Promise<Order> {
    const order = await harness.addOrder({ locale: 'en', ...change, terms: { ...sampleOrder().terms, ...terms } });
    const paid = { created: Date.parse('2026-01-15T08:00:00.000Z') / 1000 };
    await harness.deliver(sessionEvent(order, 'completed', { customer_details: { email } }, paid));
    return order;
  }
  /** Sends what waits, and returns it. */
  async function work() {
    const before = (await outbox.listMails()).length;
    expect(await mailer(harness.queue.take())).toEqual({ batchItemFailures: [] });
    return (await outbox.listMails()).slice(before);
  }

  test('says whose it is, who answers, that no person wrote it, and which one it is', async () => {
    const siteUrl = 'https://harbour.example/shop';
    const order = await buy({ sellerDisplayName: 'Harbour "Works", Ltd.', supportEmail: 'help@harbour.example', siteUrl });
    const mails = await work();
    expect(mails).toMatchObject([
      {
        from: '"Harbour \\"Works\\", Ltd. via Minato Licenses" <licenses@example.com>',
        reply_to: 'help@harbour.example',
        to: 'buyer@example.com',
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Entity-Ref-ID': `${order.id}/issuance` },
      },
    ]);
    expect(mails[0]?.text).toContain(`Website: ${siteUrl}`);
  });

  test('proves the purchase by order, amount and day, and names them in fresh links too', async () => {
    const email = 'proof@example.com';
    const order = await buy({ productName: 'Waves' }, { amount: 4900, currency: 'USD', createdAt: '2026-01-12T08:00:00.000Z' }, email);
    const facts = ['$49.00', order.id, 'January 15, 2026'].map((fact) => expect.stringContaining(fact));
    const [bought] = await work();
    for (const fact of facts) expect([bought?.text, bought?.html]).toEqual([fact, fact]);

    const task = { kind: 'send-links', mailId: newId('mail') } as const;
    const request = requestLinkMail(harness, task.mailId, { emailHashes: buyerEmailHashes(email, harness.encryptionKeys) });
    await harness.table.transact([request, addJob(harness, task)]);
    harness.queue.sent.push(jobId(task));
    const [links] = await work();
    for (const fact of facts) expect([links?.text, links?.html]).toEqual([fact, fact]);
    expect(links?.headers).toEqual({ 'Auto-Submitted': 'auto-generated', 'X-Entity-Ref-ID': task.mailId });
  });

  test('keeps one sender and one subject whatever names hold', async () => {
    const name = 'Harbour\r\nBcc: victim@example.com\u2028\u202eHello';
    const order = await buy({ sellerDisplayName: name, productName: name, supportEmail: 'a@b.example\r\nBcc: x@example.com' });
    const shown = 'Harbour Bcc: victim@example.com Hello';
    expect(await work()).toMatchObject([
      { from: `"${shown} via Minato Licenses" <licenses@example.com>`, subject: `Your purchase: ${shown}`, to: 'buyer@example.com' },
    ]);
    const [mail] = (await outbox.listMails()).slice(-1);
    expect([mail?.reply_to, Object.keys(mail?.headers ?? {})]).toEqual([undefined, ['Auto-Submitted', 'X-Entity-Ref-ID']]);
    expect(mail?.headers?.['X-Entity-Ref-ID']).toBe(`${order.id}/issuance`);
  });
});
