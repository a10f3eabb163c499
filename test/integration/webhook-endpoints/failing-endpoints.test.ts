import { beforeEach, describe, expect, test } from '@jest/globals';
import { compose as composeMailSender } from '../../../functions/mail-sender/compose.ts';
import { settingNames } from '../../../functions/mail-sender/declaration.ts';
import { mailboxHash } from '../../../shared/buyer-email/buyer-email.ts';
import { endpointKey, jobKey, sellerKey } from '../../../shared/db/keys.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import { takeMailTurn } from '../../../shared/mail/outbox/mail-count-repository.ts';
import type { OutgoingMail } from '../../../shared/mail/sending/mail-client.ts';
import { UndeliverableMailError } from '../../../shared/mail/sending/send-failure.ts';
import type { InternalReviewStatus } from '../../../shared/sellers/seller.ts';
import type { WebhookEndpointRecord } from '../../../shared/webhook-endpoints/endpoints/webhook-endpoint.ts';
import { sampleSeller } from '../../support/samples/sample-seller.ts';
import { sampleSettings } from '../../support/samples/sample-settings.ts';
import { createDeliveryScene, type DeliveryScene } from '../../support/scenes/events/delivery-scene.ts';
import { createTestQueue, silentLogger, toSqsEvent } from '../../support/scenes/projection-harness.ts';

const day = 24 * 3600;
const url = 'https://hooks.example.com/events?token=of-the-receiver';
const failed = { statusCode: 500, error: 'status' } as const;
let scene: DeliveryScene;
let network: DeliveryScene['network'];
let endpoint: WebhookEndpointRecord;
beforeEach(async () => {
  scene = await createDeliveryScene();
  ({ network } = scene);
  endpoint = await scene.addEndpoint({ url });
});

const notices = () => scene.elsewhere.filter((id) => id.startsWith('send-endpoint-notice:'));
const noticeJob = () => scene.table.get(jobKey(`send-endpoint-notice:${scene.sellerId}/${endpoint.id}`));

describe('an endpoint', () => {
  test('is known since when it fails, until it takes any event', async () => {
    network.answer = () => failed;
    const since = scene.now().toISOString();
    await scene.happen('order.paid');
    for (const seconds of [0, 5]) {
      await scene.pass(seconds);
      expect((await scene.stored(endpoint))?.failingSince).toBe(since);
    }
    network.answer = ({ type }) => (type === 'order.paid' ? failed : { statusCode: 200 });
    await scene.happen('order.refunded');
    await scene.pass(5);
    const stored = await scene.stored(endpoint);
    expect(stored).not.toHaveProperty('failingSince');
    expect(stored?.revision).toBe(1);
  });

  test('that fails for five days is disabled, once, and keeps what is pending until it is enabled', async () => {
    network.answer = () => failed;
    await scene.happen('order.paid');
    await scene.arrive();
    scene.skip(5 * day - 1);
    await scene.happen('order.refunded');
    await scene.arrive();
    expect([(await scene.stored(endpoint))?.enabled, notices()]).toEqual([true, []]);
    scene.skip(1);
    await scene.happen('order.refunded');
    await scene.pass(5);
    const sent = network.sent.length;
    expect(await scene.stored(endpoint)).toMatchObject({ enabled: false, disabledReason: 'failing', revision: 2 });
    expect(await scene.stored(endpoint)).not.toHaveProperty('failingSince');
    expect(await scene.jobOf(endpoint)).toBeUndefined();
    expect(scene.lines.filter(({ reason }) => reason === 'endpoint_failing')).toMatchObject([
      { message: 'event_not_delivered', endpointId: endpoint.id },
    ]);
    await scene.happen('order.refunded');
    await scene.pass(day);
    expect(network.sent).toHaveLength(sent);
    const pending = await scene.deliveriesOf(endpoint);
    expect(pending.every(({ status }) => status === 'pending')).toBe(true);

    network.answer = () => ({ statusCode: 200 });
    await scene.enable(endpoint);
    expect(network.sent).toHaveLength(sent + pending.length);
    expect(notices()).toHaveLength(1);
    expect(await noticeJob()).toMatchObject({ state: 'waiting' });
  });

  test('does not count as failing what its seller changed while a request to the former URL failed', async () => {
    network.answer = async () => {
      await scene.change(endpoint, { url: 'https://other.example.com/' });
      return failed;
    };
    await scene.happen('order.paid');
    await scene.arrive();
    expect(await scene.stored(endpoint)).not.toHaveProperty('failingSince');
  });

  test('that says 410 is disabled at once, and nobody is mailed', async () => {
    network.answer = ({ type }) => (type === 'order.paid' ? { statusCode: 410, error: 'status' } : { statusCode: 200 });
    await scene.happen('order.paid', 'order.refunded');
    await scene.arrive();
    expect(await scene.stored(endpoint)).toMatchObject({ enabled: false, disabledReason: 'gone' });
    expect([notices(), await noticeJob(), scene.messages()]).toEqual([[], undefined, []]);
    expect(await scene.deliveriesOf(endpoint)).toMatchObject([
      { status: 'pending', attempts: 1, lastStatusCode: 410 },
      { status: 'delivered' },
    ]);
    await scene.pass(day);
    expect(network.sent).toHaveLength(2);
  });

  test('that its seller changed while it said 410 stays as its seller wants it', async () => {
    network.answer = async () => {
      network.answer = () => ({ statusCode: 200 });
      await scene.change(endpoint, { description: 'moved' });
      return { statusCode: 410, error: 'status' };
    };
    await scene.happen('order.paid');
    await scene.arrive();
    expect(await scene.stored(endpoint)).toMatchObject({ enabled: true, description: 'moved' });
    await scene.pass(5);
    expect(await scene.deliveriesOf(endpoint)).toMatchObject([{ status: 'delivered', attempts: 2 }]);
  });

  test.each([
    ['disabled', () => scene.change(endpoint, { enabled: false })],
    ['deleted', () => scene.table.write({ delete: { Key: endpointKey(scene.sellerId, endpoint.id) } })],
  ])('that is %s while an event is under way is sent no other, and its outcome changes nothing else', async (_, change) => {
    network.answer = async () => {
      await change();
      return failed;
    };
    await scene.happen('order.paid');
    await scene.arrive();
    const before = await scene.stored(endpoint);
    expect(await scene.deliveriesOf(endpoint)).toMatchObject([{ status: 'pending', attempts: 1, lastStatusCode: 500 }]);
    await scene.pass(day);
    expect([network.sent.length, await scene.stored(endpoint), await scene.jobOf(endpoint)]).toEqual([1, before, undefined]);
    expect(before?.disabledReason).toBeUndefined();
  });
});

describe('the mail about an endpoint that is disabled', () => {
  const settings = sampleSettings(settingNames, { OPERATOR_CONTACT: 'desk@example.com' });

  /** What is sent for the message of the notice, and when it comes again after the time for which a failure is put off. */
  async function sendNotice(refusal?: Error, internalReviewStatus: InternalReviewStatus = 'approved', ids?: string[]) {
    const mails: OutgoingMail[] = [];
    const send = async (mail: OutgoingMail) => {
      mails.push(mail);
      if (refusal) throw refusal;
    };
    const work = composeMailSender({
      settings,
      logger: silentLogger,
      table: scene.table,
      send,
      sender: createTestQueue(),
      now: scene.now,
    });
    const seller = sampleSeller({ id: scene.sellerId, displayName: 'みなと工房', contactEmail: 'alice@example.com', internalReviewStatus });
    await scene.table.write({ put: { Item: { ...sellerKey(scene.sellerId), ...seller } } });
    const [notice] = notices();
    for (const id of ids ?? [notice ?? '', notice ?? '']) {
      expect(await work(toSqsEvent([id]))).toEqual({ batchItemFailures: [] });
      await scene.pass(5);
    }
    return mails;
  }

  beforeEach(async () => {
    await scene.change(endpoint, {
      failingSince: new Date(scene.now().getTime() - 5 * day * 1000).toISOString(),
      description: 'Bookkeeping',
    });
    network.answer = () => failed;
    await scene.happen('order.paid');
    await scene.arrive();
  });

  test('goes to the contact address of its seller once, in both languages, that of its name first, and shows the host alone', async () => {
    const [mail, ...others] = await sendNotice();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      to: 'alice@example.com',
      subject: 'イベントの送信先を停止しました / Events are no longer sent to your endpoint',
      replyTo: 'desk@example.com',
      reference: expect.stringMatching(new RegExp(`^${endpoint.id}/`)),
    });
    for (const form of [mail?.text, mail?.html]) {
      expect(form).toContain(endpoint.id);
      expect(form).toContain(new URL(url).host);
      expect(form).toContain('Bookkeeping');
      expect(form).toContain('5日間');
      expect(form).toContain('For five days');
      expect(form).not.toContain('/events');
    }
  });

  test('waits beyond the ten mails of an hour, for each endpoint by itself', async () => {
    const other = await scene.addEndpoint({ url: 'https://other.example.com/', enabled: false, disabledReason: 'failing' });
    await scene.table.write(addJob(scene, { kind: 'send-endpoint-notice', sellerId: scene.sellerId, endpointId: other.id }));
    const mailbox = mailboxHash('alice@example.com', settings.ENCRYPTION_KEYS);
    for (let sent = 0; sent < 10; sent += 1) {
      await takeMailTurn(scene, { mailboxHash: mailbox, mailId: `m${sent}`, cause: 'free' }, `m${sent}`);
    }
    const ids = [notices()[0] ?? '', `send-endpoint-notice:${scene.sellerId}/${other.id}`];
    expect(await sendNotice(undefined, 'approved', ids)).toEqual([]);
    scene.skip(3600);
    expect((await sendNotice(undefined, 'approved', ids)).map(({ reference }) => reference.split('/')[0])).toEqual([endpoint.id, other.id]);
  });

  test('holds no words of a seller that is not approved', async () => {
    const [mail] = await sendNotice(undefined, 'pending_review');
    for (const form of [mail?.text, mail?.html]) {
      expect(form).toContain(endpoint.id);
      expect(form).not.toMatch(/Bookkeeping|hooks\.example/);
    }
  });

  test.each([
    ['that no mail can reach is given up', new UndeliverableMailError('rejected'), undefined],
    ['that cannot be reached now is tried again', new Error('busy'), expect.objectContaining({ state: 'waiting', lastFailure: 'Error' })],
  ])('to an address %s', async (_, refusal, job) => {
    expect(await sendNotice(refusal)).toHaveLength(job ? 2 : 1);
    expect(await noticeJob()).toEqual(job);
  });

  test('is not sent once the endpoint is enabled again', async () => {
    const { disabledReason: _, ...item } = (await scene.stored(endpoint)) ?? {};
    await scene.table.write({ put: { Item: { ...endpointKey(scene.sellerId, endpoint.id), ...item, enabled: true } } });
    expect(await sendNotice()).toEqual([]);
  });
});
