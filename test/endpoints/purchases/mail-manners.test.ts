import { SESv2Client } from '@aws-sdk/client-sesv2';
import { expect, test } from '@jest/globals';
import { type MailOutbox, startMailOutbox } from '../../../infra/local/services/mail-outbox.ts';
import { createMailClient } from '../../../shared/mail/sending/mail-client.ts';
import { UndeliverableMailError } from '../../../shared/mail/sending/send-failure.ts';
import { sessionEvent } from '../../support/samples/provider-events.ts';
import { createMailer, createProjectionHarness, sampleOrder } from '../../support/scenes/projection-harness.ts';

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const clientOf = ({ endpoint }: MailOutbox) => new SESv2Client({ endpoint, region: 'us-east-1', credentials, maxAttempts: 1 });

test('a mail says to the mail service whose it is, who answers, that no person wrote it, which one it is, and of which payment', async () => {
  const harness = await createProjectionHarness();
  Object.assign(harness.settings, { SERVICE_NAME: 'Minato Licenses', OPERATOR_CONTACT: 'desk@minato.example' });
  const outbox = await startMailOutbox({});
  const client = clientOf(outbox);
  const mailer = createMailer(harness, { send: createMailClient({ from: 'licenses@example.com', configurationSet: 'mails', client }) });
  const seller = {
    sellerDisplayName: 'Harbour "Works", Ltd.',
    supportEmail: 'help@harbour.example',
    siteUrl: 'https://harbour.example/shop',
  };
  const sold = { locale: 'en', amount: 4900, currency: 'USD', createdAt: '2026-01-12T08:00:00.000Z' } as const;
  const order = await harness.addOrder({ ...sold, terms: { ...sampleOrder().terms, ...seller } });
  const created = Date.parse('2026-01-15T08:00:00.000Z') / 1000;
  await harness.deliver(sessionEvent(order, 'completed', { customer_details: { email: 'buyer@example.com' } }, { created }));
  expect(await mailer(harness.queue.take())).toEqual({ batchItemFailures: [] });
  const [mail, ...others] = await outbox.listMails();
  expect([others, mail]).toMatchObject([
    [],
    {
      from: '"Harbour \\"Works\\", Ltd. via Minato Licenses" <licenses@example.com>',
      reply_to: 'help@harbour.example',
      to: 'buyer@example.com',
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Entity-Ref-ID': `${order.id}/issuance` },
    },
  ]);
  for (const said of [`Website: ${seller.siteUrl}`, '$49.00', order.id, 'January 15, 2026']) expect(mail?.text).toContain(said);
  await outbox.stop();
});

test('the mail service takes an address in ASCII, with quotes around dots that only these allow, and no other', async () => {
  const harness = await createProjectionHarness();
  const outbox = await startMailOutbox({});
  const send = createMailClient({ from: 'licenses@example.com', configurationSet: 'mails', client: clientOf(outbox) });
  const mailer = createMailer(harness, { send });
  for (const email of ['taro@例え.jp', 'a..b@docomo.ne.jp', 'a.@ezweb.ne.jp', 'hanako@例え.jp,x', '花子@example.jp']) {
    await harness.deliver(sessionEvent(await harness.addOrder(), 'completed', { customer_details: { email } }));
    expect(await mailer(harness.queue.take())).toEqual({ batchItemFailures: [] });
  }
  const sentTo = ['taro@xn--r8jz45g.jp', '"a..b"@docomo.ne.jp', '"a."@ezweb.ne.jp'];
  expect((await outbox.listMails()).map(({ to }) => to)).toEqual(sentTo);
  const plain = { subject: 'a', text: 'b', html: 'c', senderName: 'd', replyTo: undefined, reference: 'e' };
  const refused = ['taro@例え.jp', '花子@example.jp', 'a..b@docomo.ne.jp', 'a.@ezweb.ne.jp', '.a@ezweb.ne.jp', 'a@', 'a b@c.co', 'a@b..co'];
  const addressed = [...refused, `${'a'.repeat(65)}@b.co`].map((to) => ({ to, replyTo: undefined }));
  for (const mail of [...addressed, { to: 'a@b.co', replyTo: 'a..b@docomo.ne.jp' }]) {
    await expect(send({ ...plain, ...mail })).rejects.toMatchObject({ constructor: UndeliverableMailError, reason: 'address_refused' });
  }
  await outbox.stop();
});
