import { SESv2Client } from '@aws-sdk/client-sesv2';
import { DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { SQSEvent } from 'aws-lambda';
import { compose as composeMailSender } from '../../../functions/mail-sender/compose.ts';
import { createAccessControl } from '../../../infra/local/access/access-control.ts';
import { nameResources } from '../../../infra/local/access/name-resources.ts';
import { createQueues, createTables, nameBuckets } from '../../../infra/local/engines/provision.ts';
import { createPollingClient, startSqs } from '../../../infra/local/engines/queue-engine.ts';
import { createEventBus, type EventBus } from '../../../infra/local/lambda/event-bus.ts';
import { type MailOutbox, startMailOutbox } from '../../../infra/local/services/mail-outbox.ts';
import { readMailSets } from '../../../infra/local/services/mail-sets.ts';
import { readSynthesizedApp } from '../../../infra/local/template.ts';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import { correctEmail } from '../../../shared/buyer-email/buyer-email-service.ts';
import { newId, type OrderId } from '../../../shared/ids.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import type { MailReport } from '../../../shared/mail/outbox/mail-report.ts';
import { countBouncedMails, findMail, findMailStatus } from '../../../shared/mail/outbox/mail-repository.ts';
import { createMailClient } from '../../../shared/mail/sending/mail-client.ts';
import { getOrder } from '../../../shared/orders/order-repository.ts';
import { readContents } from '../../support/engines/table-contents.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { mailEvent } from '../../support/samples/mail-events.ts';
import { sessionEvent } from '../../support/samples/provider-events.ts';
import { createProjectionHarness, toSqsEvent } from '../../support/scenes/projection-harness.ts';
import { synthesizeAt } from '../../support/synthesized.ts';

jest.setTimeout(60_000);
const sender = 'licenses@example.com';
type Table = Awaited<ReturnType<typeof createTestTable>>;

const eventOf = (bodies: readonly string[]): SQSEvent => ({
  Records: toSqsEvent(bodies).Records.map((record, index) => ({ ...record, body: bodies[index] ?? '' })),
});

/** The rules and the queue of the templates, between the mail service and the worker. */
describe('what the mail service reports of a mail', () => {
  let stops: (() => Promise<unknown>)[] = [];
  let bus: EventBus;
  let outbox: MailOutbox;
  let set: string;
  let receive: () => Promise<SQSEvent>;
  let contents: Table;
  let harness: Awaited<ReturnType<typeof createProjectionHarness>>;
  let lines: string[];
  let work: ReturnType<typeof composeMailSender>;

  beforeAll(async () => {
    Object.assign(process.env, { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' });
    const app = readSynthesizedApp((await synthesizeAt('local')).assembly.directory);
    const engine = await startSqs();
    const sqs = createPollingClient(engine.endpoint);
    const queues = await createQueues(app, sqs, engine.endpoint);
    await createTables(app, process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
    nameBuckets(app, []);
    nameResources(app, sender);
    const sets = readMailSets(app);
    set = [...sets.keys()][0] ?? '';
    bus = createEventBus(app, { sqs, queues, ...createAccessControl(app, { seed: 'of the test', sender }) });
    outbox = await startMailOutbox({ sets, publish: bus.put });
    stops = [outbox.stop, engine.stop];
    const QueueUrl = queues.find(({ resource }) => /\.MailQueue/.test(resource.id))?.url;
    receive = async () => {
      const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 0 }));
      for (const { ReceiptHandle } of Messages) await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      return eventOf(Messages.map(({ Body = '' }) => Body));
    };
  });
  afterAll(() => Promise.all(stops.map((stop) => stop())));

  beforeEach(async () => {
    contents = await createTestTable();
    harness = await createProjectionHarness({ table: contents.table });
    lines = [];
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    const client = new SESv2Client({ endpoint: outbox.endpoint, region: 'us-east-1', credentials });
    work = composeMailSender({
      settings: harness.settings,
      table: contents.table,
      sender: harness.queue,
      logger: createLogger({}, (line) => lines.push(line)),
      send: createMailClient({ from: sender, configurationSet: set, client }),
    });
  });

  async function buy(email = 'buyer@example.com'): Promise<OrderId> {
    const order = await harness.addOrder();
    await harness.deliver(sessionEvent(order, 'completed', { customer_details: { email } }));
    expect(await work(harness.queue.take())).toEqual({ batchItemFailures: [] });
    return order.id;
  }
  const tagsOf = (orderId: string, mailId = 'issuance') => ({ order_id: orderId, mail_id: mailId });
  /** Puts the events on the bus one after the other, and has the worker take what the rules make of each. */
  async function tell(...events: ReturnType<typeof mailEvent>[]): Promise<void> {
    for (const event of events) {
      await bus.put(event);
      expect(await work(await receive())).toEqual({ batchItemFailures: [] });
    }
  }
  const reportOf = async (orderId: OrderId, mailId = 'issuance') => (await findMail(harness.table, orderId, mailId))?.report;
  const auditsOf = async (orderId: OrderId) =>
    (await listAudit(harness.table, { targetId: orderId, limit: 20 })).items.filter(({ action }) => action === 'order.record_mail_report');

  test.each<[string, Parameters<typeof mailEvent>[0]['type'], [string, string] | undefined, Omit<MailReport, 'at'>]>([
    ['a permanent bounce', 'Bounce', ['Permanent', 'General'], { outcome: 'bounced', bounce: 'permanent' }],
    ['a transient bounce', 'Bounce', ['Transient', 'MailboxFull'], { outcome: 'bounced', bounce: 'transient' }],
    ['an undetermined bounce', 'Bounce', ['Undetermined', 'Undetermined'], { outcome: 'bounced', bounce: 'transient' }],
    ['an address on the list of SES', 'Bounce', ['Permanent', 'Suppressed'], { outcome: 'suppressed' }],
    ['an address on the list of the account', 'Bounce', ['Permanent', 'OnAccountSuppressionList'], { outcome: 'suppressed' }],
    ['a complaint', 'Complaint', undefined, { outcome: 'complained' }],
    ['malware', 'Reject', undefined, { outcome: 'rejected' }],
    ['a delay', 'DeliveryDelay', undefined, { outcome: 'delayed' }],
  ])('is kept with the mail and in the audit: %s', async (_, type, bounce, expected) => {
    const orderId = await buy();
    await tell(mailEvent({ type, set, tags: tagsOf(orderId), ...(bounce && { bounce }) }));
    expect(await reportOf(orderId)).toEqual({ ...expected, at: '2026-11-22T09:00:00.000Z' });
    expect((await findMail(harness.table, orderId, 'issuance'))?.state).toBe('sent');
    expect(await auditsOf(orderId)).toMatchObject([{ actor: 'mail-sender', after: { mailId: 'issuance', ...expected } }]);
  });

  test('reaches queue, table and log without the address', async () => {
    const orderId = await buy();
    await bus.put(mailEvent({ type: 'Bounce', set, tags: tagsOf(orderId) }));
    const batch = await receive();
    expect(batch.Records.map(({ body }) => JSON.parse(body))).toEqual([
      {
        type: 'Email Bounced',
        time: '2026-11-22T09:00:00Z',
        orderId: [orderId],
        mailId: ['issuance'],
        bounceType: 'Permanent',
        bounceSubType: 'General',
      },
    ]);
    await work(batch);
    const kept = JSON.stringify([await readContents(contents), lines]);
    expect(kept).toContain('"permanent"');
    expect(kept).not.toContain('buyer@');
  });

  test('is counted while it is a bounce of the last days, whatever else is told of the mail', async () => {
    const [bounced, delayed, ...others] = [await buy(), await buy('two@example.com'), await buy('three@example.com')];
    const counted = async () => {
      const of = (after: string, most: number) => countBouncedMails(harness.table, after, most);
      return [await of('2026-11-22T08:59:59.999Z', 9), await of('2026-11-22T09:00:00.001Z', 9), await of('2026-11-22T08:59:59.999Z', 1)];
    };
    expect(await counted()).toEqual([0, 0, 0]);
    await tell(mailEvent({ type: 'Bounce', set, tags: tagsOf(bounced) }), mailEvent({ type: 'DeliveryDelay', set, tags: tagsOf(delayed) }));
    expect(await counted()).toEqual([1, 0, 1]);
    for (const orderId of others) await tell(mailEvent({ type: 'Bounce', set, tags: tagsOf(orderId), bounce: ['Transient', 'General'] }));
    await tell(mailEvent({ type: 'Complaint', set, tags: tagsOf(bounced) }));
    expect(await counted()).toEqual([2, 0, 1]);
  });

  test('is the gravest of several, and of the same the latest, in whatever order they come; what adds nothing changes nothing', async () => {
    const told = (second: number, ...bounce: [] | [string, string]) => ({
      ...{ type: bounce.length ? ('Bounce' as const) : ('DeliveryDelay' as const), at: `2026-11-22T09:00:0${second}Z` },
      ...(bounce.length && { bounce }),
    });
    const reports = [told(0), told(4), told(1, 'Transient', 'General'), told(3, 'Permanent', 'General'), told(2, 'Permanent', 'General')];
    for (const [order, records] of [
      [reports, 4],
      [reports.toReversed(), 2],
    ] as const) {
      const orderId = await buy();
      const events = order.map((report) => mailEvent({ set, tags: tagsOf(orderId), ...report }));
      await tell(...events, ...events);
      expect(await reportOf(orderId)).toEqual({ outcome: 'bounced', bounce: 'permanent', at: '2026-11-22T09:00:03.000Z' });
      expect(await auditsOf(orderId)).toHaveLength(records);
    }
  });

  test('is of the mail that it is about, also when the address was corrected since', async () => {
    const orderId = await buy('wrong@example.com');
    const { table, queue } = harness;
    await correctEmail({ ...harness, sendJob: queue.sendJob }, 'root', orderId, async () => ({ email: 'right@example.com' }));
    await work(queue.take());
    const { completionMailId = '' } = await getOrder(table, orderId);
    await tell(mailEvent({ type: 'Bounce', set, tags: tagsOf(orderId) }));
    expect([await reportOf(orderId), await reportOf(orderId, completionMailId)]).toEqual([expect.anything(), undefined]);
    expect(await findMailStatus(table, orderId, completionMailId)).toMatchObject({ state: 'sent', addressSuppressed: false });
  });

  test('comes before the mail is recorded as sent, and both are kept', async () => {
    const order = await harness.sell();
    await tell(mailEvent({ type: 'Bounce', set, tags: tagsOf(order.id) }));
    await work(harness.queue.take());
    expect(await findMail(harness.table, order.id, 'issuance')).toMatchObject({ state: 'sent', report: { outcome: 'bounced' } });
  });

  test('does not reach the queue when it is of another set or type, or without our tags', async () => {
    const changes = [{ set: 'others' }, { type: 'Delivery' as const }, { tags: {} }, { tags: { order_id: 'x', mail_id: 'issuance' } }];
    for (const change of changes) await bus.put(mailEvent({ type: 'Bounce', set, tags: tagsOf(newId('order')), ...change }));
    expect((await receive()).Records).toEqual([]);
  });

  test('is dropped when it is about no mail of ours, or cannot be read, and keeps no other message back', async () => {
    const orderId = await buy();
    const ids = { orderId: [orderId], mailId: ['issuance'] };
    const readable = { type: 'Email Bounced', time: '2026-11-22T09:00:00Z', bounceType: 'Permanent', bounceSubType: 'General', ...ids };
    const broken = [
      { orderId: [newId('order')] },
      { orderId: [`ord_${'x'.repeat(100_000)}`] },
      { mailId: ['issuance#../ORDER'] },
      { orderId: ['ord_1', 'ord_2'] },
      { orderId: [] },
      { time: 'today' },
      { time: '2026'.repeat(10_000) },
      { type: 'Email Opened' },
      { bounceType: undefined },
    ];
    const before = await readContents(contents);
    const bodies = broken.map((change) => JSON.stringify({ ...readable, ...change }));
    expect(await work(eventOf(bodies))).toEqual({ batchItemFailures: [] });
    expect(await readContents(contents)).toEqual(before);
    expect(lines.filter((line) => line.includes('mail_report_ignored'))).toHaveLength(broken.length);
    expect(lines.join().length).toBeLessThan(10_000);
    expect(await work(eventOf([bodies[1] ?? '', JSON.stringify(readable)]))).toEqual({ batchItemFailures: [] });
    expect(await reportOf(orderId)).toMatchObject({ outcome: 'bounced' });
  });

  test('goes back to the queue when it cannot be recorded now', async () => {
    const orderId = await buy();
    const { table } = contents;
    const away = composeMailSender({
      settings: harness.settings,
      table: { ...table, transact: () => Promise.reject(new Error('away')) },
      sender: harness.queue,
      logger: createLogger({}, () => undefined),
      send: async () => undefined,
    });
    await bus.put(mailEvent({ type: 'Bounce', set, tags: tagsOf(orderId) }));
    const batch = await receive();
    expect(await away(batch)).toEqual({ batchItemFailures: [{ itemIdentifier: batch.Records[0]?.messageId }] });
    await work(batch);
    expect(await reportOf(orderId)).toMatchObject({ outcome: 'bounced' });
  });

  test('comes of itself for mails to the mailbox simulator that are to fare so, and for no others', async () => {
    for (const address of ['success@simulator.amazonses.com', 'buyer@example.com']) await buy(address);
    const simulated = {
      'bounce+label': { outcome: 'bounced', bounce: 'permanent' },
      complaint: { outcome: 'complained' },
      suppressionlist: { outcome: 'suppressed' },
    };
    for (const [name, expected] of Object.entries(simulated)) {
      const orderId = await buy(`${name}@simulator.amazonses.com`);
      let batch = await receive();
      while (batch.Records.length === 0) batch = await receive();
      expect(JSON.parse(batch.Records[0]?.body ?? '')).toMatchObject({ orderId: [orderId] });
      await work(batch);
      expect(await reportOf(orderId)).toMatchObject(expected);
    }
  });
});
