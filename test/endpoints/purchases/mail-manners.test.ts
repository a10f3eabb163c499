import { SESv2Client } from '@aws-sdk/client-sesv2';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { compose as composeMailSender } from '../../../functions/mail-sender/compose.ts';
import { type MailOutbox, startMailOutbox } from '../../../infra/local/services/mail-outbox.ts';
import { buyerEmailHashes } from '../../../shared/buyer-email/buyer-email.ts';
import { newId } from '../../../shared/ids.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { requestLinkMail } from '../../../shared/mail/outbox/link-mail-repository.ts';
import { createMailClient } from '../../../shared/mail/sending/mail-client.ts';
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
    const send = createMailClient({ from: 'licenses@example.com', configurationSet: 'mails', client });
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
    const createdAt = new Date(Date.now() - 3 * 24 * 3600_000).toISOString();
    const order = await buy({ productName: 'Waves' }, email, { amount: 4900, currency: 'USD', createdAt });
    const facts = ['$49.00', order.id, new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date())];
    const [bought] = await work();
    for (const fact of facts) expect([bought?.text, bought?.html]).toEqual([expect.stringContaining(fact), expect.stringContaining(fact)]);

    const task = { kind: 'send-links', mailId: newId('mail') } as const;
    await harness.table.transact([
      requestLinkMail(harness, task.mailId, { emailHashes: buyerEmailHashes(email, harness.encryptionKeys) }),
      addJob(harness, task),
    ]);
    harness.queue.take();
    const before = (await outbox.listMails()).length;
    await mailer()(toSqsEvent([jobId(task)]));
    const [links] = (await outbox.listMails()).slice(before);
    for (const fact of facts) expect([links?.text, links?.html]).toEqual([expect.stringContaining(fact), expect.stringContaining(fact)]);
    expect(links?.headers).toEqual({ 'Auto-Submitted': 'auto-generated', 'X-Entity-Ref-ID': task.mailId });
  });

  test('speaks of no payment when the product was free', async () => {
    await buy({}, 'free@example.com', { amount: 0, applicationFeeAmount: 0 });
    const [mail] = await work();
    expect(mail?.text).toContain('Price: Free');
    expect(JSON.stringify(mail)).not.toMatch(/\bpa(y|id)|purchas|bought|buying|charge/i);
  });

  test("tells the seller's own pages as they were when it was ordered", async () => {
    await buy({ siteUrl: 'https://harbour.example/shop' });
    expect((await work())[0]?.text).toContain('Website: https://harbour.example/shop');
  });

  test.each([
    ['line breaks', 'Harbour\r\nBcc: victim@example.com\r\n\r\nHello', 'Harbour Bcc: victim@example.com Hello'],
    ['other line ends', 'Harbour\u2028Bcc: x@example.com\u0085Cc: y@example.com', 'Harbour Bcc: x@example.com Cc: y@example.com'],
    ['an address of its own', 'Bank <bank@example.com>', 'Bank <bank@example.com>'],
    ['encoded words', '=?UTF-8?B?QmFuaw==?=', '=?UTF-8?B?QmFuaw==?='],
    ['Japanese and marks of direction', '\u202e株式会社\u2066みなと\u200f工房', '株式会社みなと工房'],
    ['200 characters', '漢'.repeat(200), `${'漢'.repeat(59)}…`],
  ])('keeps one sender and one subject whatever names hold: %s', async (_, name, shown) => {
    const order = await buy({ sellerDisplayName: name, productName: name, supportEmail: 'a@b.example\r\nBcc: x@example.com' });
    const [mail] = await work();
    expect(mail?.from).toMatch(/^("([^"\\]|\\.)*"|=\?UTF-8\?B\?[ -~]*\?=) <licenses@example\.com>$/);
    expect(mail && shownSender(mail)).toBe(`${shown} via Minato Licenses`);
    expect(mail?.subject).toBe(`Your purchase: ${name.startsWith('漢') ? name : shown}`);
    expect([mail?.reply_to, mail?.to]).toEqual([undefined, 'buyer@example.com']);
    expect(Object.entries(mail?.headers ?? {})).toEqual([
      ['Auto-Submitted', 'auto-generated'],
      ['X-Entity-Ref-ID', `${order.id}/issuance`],
    ]);
  });
});

/** The display name of the sender, as a mail program reads it. */
function shownSender({ from = '' }: { from?: string | undefined }): string {
  const name = from.replace(/ <[^<]*$/, '');
  if (name.startsWith('"')) return name.slice(1, -1).replace(/\\(.)/g, '$1');
  return name.replace(/ ?=\?UTF-8\?B\?([^?]*)\?=/g, (_, word: string) => Buffer.from(word, 'base64').toString());
}
