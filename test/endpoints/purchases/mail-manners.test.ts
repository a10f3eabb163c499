import { SESv2Client } from '@aws-sdk/client-sesv2';
import { expect, test } from '@jest/globals';
import { startMailOutbox } from '../../../infra/local/services/mail-outbox.ts';
import { createMailClient } from '../../../shared/mail/sending/mail-client.ts';
import { sessionEvent } from '../../support/samples/provider-events.ts';
import { createMailer, createProjectionHarness, sampleOrder } from '../../support/scenes/projection-harness.ts';

test('a mail says to the mail service whose it is, who answers, that no person wrote it, which one it is, and of which payment', async () => {
  const harness = await createProjectionHarness();
  Object.assign(harness.settings, { SERVICE_NAME: 'Minato Licenses', OPERATOR_CONTACT: 'desk@minato.example' });
  const outbox = await startMailOutbox({});
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new SESv2Client({ endpoint: outbox.endpoint, region: 'us-east-1', credentials, maxAttempts: 1 });
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
