import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { compose as composeSender, leaseSeconds } from '../../../functions/event-sender/compose.ts';
import { sealText } from '../../../shared/crypto/sealed-text.ts';
import { writeIfHolds } from '../../../shared/db/table.ts';
import { newId } from '../../../shared/ids.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { deliveryLeaseSeconds } from '../../../shared/webhook-endpoints/deliveries/delivery.ts';
import type { WebhookEndpointRecord } from '../../../shared/webhook-endpoints/endpoints/webhook-endpoint.ts';
import { recordEarlierStart } from '../../../shared/webhook-endpoints/endpoints/webhook-endpoint-repository.ts';
import { createDeliveryScene, type DeliveryScene, newSecret } from '../../support/scenes/events/delivery-scene.ts';
import { startRawReceiver } from '../../support/scenes/events/hostile-receiver.ts';
import { createTestQueue, silentLogger, toSqsEvent } from '../../support/scenes/projection-harness.ts';

const url = 'https://hooks.example.com/';
let network: DeliveryScene['network'];
let scene: DeliveryScene;
let endpoint: WebhookEndpointRecord;
let secret: string;
beforeEach(async () => {
  scene = await createDeliveryScene();
  ({ network } = scene);
  secret = newSecret();
  endpoint = await scene.addEndpoint({ url, secret });
});
const id = () => jobId(scene.deliverJobOf(endpoint.id));
const many = <T>(count: number, value: T) => Array.from({ length: count }, () => value);
const typesSent = () => network.sent.map(({ type }) => type);
const failFor = (...types: string[]) => {
  network.answer = ({ type }) => (types.includes(type) ? { statusCode: 500, error: 'status' } : { statusCode: 200 });
};

describe('an event', () => {
  test('is sent once to each endpoint that wants it, and its job is finished', async () => {
    await scene.addEndpoint({ url, eventTypes: ['order.refunded'] });
    const ids = await scene.happen('order.paid', 'product.reviewed', 'order.refunded');
    await scene.arrive();
    expect(network.sent.map(({ eventId }) => eventId).toSorted()).toEqual([...ids, ids[2]].toSorted());
    expect(await scene.deliveriesOf(endpoint)).toEqual(
      ids.map((eventId) => expect.objectContaining({ eventId, status: 'delivered', attempts: 1, lastStatusCode: 200 })),
    );
    expect([await scene.pendingOf(endpoint), await scene.jobOf(endpoint)]).toEqual([[], undefined]);
    await scene.table.write(addJob(scene, scene.deliverJobOf(endpoint.id)));
    await scene.work([id()]);
    expect([network.sent.length, await scene.jobOf(endpoint), scene.messages()]).toEqual([4, undefined, []]);
  });

  test('reaches an endpoint also when the clock that made it was ahead, by a replay too, and none that was made after it', async () => {
    const before = await scene.record('order.paid');
    scene.skip(61);
    const made = [0, 240_000].map((aheadMs) => new Date(scene.now().getTime() + aheadMs).toISOString());
    const [exact, ahead] = [await scene.addEndpoint({ url, createdAt: made[0]! }), await scene.addEndpoint({ url, createdAt: made[1]! })];
    await scene.publish([before]);
    const caused = await scene.happen('order.paid', 'order.refunded');
    const late = await scene.record('product.reviewed');
    scene.skip(300);
    await scene.publish([late]);
    await scene.arrive();
    const ids = [...caused, late.slice('publish-event:'.length)];
    const heardBy = async (one: WebhookEndpointRecord) => (await scene.deliveriesOf(one)).map(({ eventId }) => eventId);
    expect([await heardBy(exact), await heardBy(ahead)]).toEqual([ids, ids]);
    expect((await scene.stored(ahead))?.createdAt).toBe(made[0]);
    expect(await writeIfHolds(scene.table, recordEarlierStart(ahead, made[1]!))).toBeUndefined();
    const gone = { ...ahead, id: newId('endpoint') };
    expect([await writeIfHolds(scene.table, recordEarlierStart(gone, made[0]!)), await scene.stored(gone)]).toEqual([undefined, undefined]);
    network.sent.length = 0;
    await scene.replay(ahead);
    await scene.arrive();
    expect(network.sent.map(({ eventId }) => eventId)).toEqual(ids);
  });

  test('says what happened in the names of the wire', async () => {
    await scene.happen('order.paid');
    await scene.arrive();
    const [{ headers, body } = { headers: {} as Record<string, string>, body: '' }] = network.sent;
    expect(Object.keys(JSON.parse(body))).toEqual(['type', 'timestamp', 'data']);
    expect(JSON.parse(body)).toEqual({
      type: 'order.paid',
      timestamp: scene.now().toISOString(),
      data: {
        order_id: expect.stringMatching(/^ord_/),
        product_id: expect.stringMatching(/^prd_/),
        kind: 'license',
        quantity: 3,
        status: 'paid',
        amount: 1200,
        currency: 'JPY',
      },
    });
    expect(headers['webhook-id']).toMatch(/^evt_\w{26}_[\w-]{8}$/);
  });

  test('has in each attempt the same id and bytes, and the time and the signature of the attempt', async () => {
    failFor('order.refunded');
    await scene.happen('order.refunded');
    await scene.arrive();
    await scene.pass(5);
    const [first, second] = network.sent;
    expect(network.sent).toHaveLength(2);
    expect([second?.body, second?.headers['webhook-id']]).toEqual([first?.body, first?.headers['webhook-id']]);
    expect(Number(second?.headers['webhook-timestamp']) - Number(first?.headers['webhook-timestamp'])).toBe(5);
    for (const { body, headers } of network.sent) {
      new Webhook(secret).verify(body, headers);
      expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow();
    }
  });

  test('is signed with the former secret too, up to its end, the new one first', async () => {
    const byHand = (key: string, { headers, body }: (typeof network.sent)[number]) => {
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
      return `v1,${createHmac('sha256', Buffer.from(key.replace('whsec_', ''), 'base64'))
        .update(signed)
        .digest('base64')}`;
    };
    const former = newSecret();
    const signsUntil = new Date(scene.now().getTime() + 24 * 3600_000).toISOString();
    const sealed = sealText(former, endpoint.id, scene.settings.ENCRYPTION_KEYS);
    await scene.change(endpoint, { formerSecrets: [{ sealed, signsUntil }] });
    for (const seconds of [24 * 3600 - 0.001, 0.001]) {
      scene.skip(seconds);
      await scene.happen('order.paid');
      await scene.arrive();
    }
    const made = network.sent.map((event) => [byHand(secret, event), byHand(former, event)]);
    expect(network.sent.map(({ headers }) => headers['webhook-signature'])).toEqual([made[0]?.join(' '), made[1]?.[0]]);
  });

  test('expires with its deliveries and their places among the pending ones, however often it is sent', async () => {
    const ttl = Math.floor(scene.now().getTime() / 1000) + 30 * 24 * 3600;
    const expiries = async () =>
      Object.entries(await scene.readAll()).flatMap(([key, item]) => (/ (DELIVERY|DUE|EVENT)#/.test(key) ? [item['ttl']] : []));
    failFor('order.refunded');
    const [eventId] = await scene.happen('order.refunded');
    expect(await expiries()).toEqual([ttl, ttl, ttl]);
    await scene.pass(5);
    expect(await expiries()).toEqual([ttl, ttl, ttl]);
    await scene.replay(endpoint, { eventId: eventId! });
    await scene.arrive();
    expect(await expiries()).toEqual([ttl, ttl, ttl]);
    failFor();
    await scene.pass(301);
    expect(await expiries()).toEqual([ttl, ttl]);
  });
});

describe('an event that was not taken', () => {
  test('is sent again in its time, by the queue or by the sweeper, and failed after the tenth attempt', async () => {
    network.answer = () => ({ statusCode: 503, error: 'status' });
    const [eventId] = await scene.happen('order.paid');
    await scene.arrive();
    let attempts = 1;
    for (let [one] = await scene.deliveriesOf(endpoint); one?.status === 'pending'; [one] = await scene.deliveriesOf(endpoint)) {
      expect(one).toMatchObject({ attempts, lastStatusCode: 503, lastError: 'status' });
      const delay = (Date.parse(one.nextAttemptAt ?? '') - scene.now().getTime()) / 1000;
      await scene.pass(delay - 0.001);
      expect(network.sent).toHaveLength(attempts);
      await scene.pass(0.001);
      // The queue keeps no message so long: the sweeper brings it.
      if (delay > 900) expect(scene.queue).toEqual([]);
      if (delay > 900) scene.skip(15);
      await scene.sweep();
      attempts += 1;
      expect(network.sent).toHaveLength(attempts);
    }
    const failed = { status: 'failed', attempts: 10, lastStatusCode: 503, lastError: 'status', createdAt: expect.any(String) };
    expect(await scene.deliveriesOf(endpoint)).toEqual([{ eventId, type: 'order.paid', ...failed }]);
    await scene.pass(300);
    expect(await scene.jobOf(endpoint)).toBeUndefined();
    expect(scene.lines).toMatchObject([{ message: 'event_not_delivered', endpointId: endpoint.id, reason: 'status' }]);
  });

  test('is taken by the receiver at a later time, and its record says so', async () => {
    failFor('order.paid');
    await scene.happen('order.paid');
    await scene.arrive();
    const [place] = await scene.pendingOf(endpoint);
    network.answer = () => ({ statusCode: 204 });
    await scene.pass(5);
    const delivered = { status: 'delivered', attempts: 2, lastStatusCode: 204 };
    const [{ eventId, type, createdAt, ...rest } = { eventId: '', type: '', createdAt: '' }] = await scene.deliveriesOf(endpoint);
    expect([rest, eventId]).toEqual([delivered, place?.['eventId']]);
  });

  test('is failed without an attempt once the event is gone', async () => {
    failFor('order.paid');
    await scene.happen('order.paid');
    await scene.arrive();
    await scene.change(endpoint, { enabled: false });
    await scene.pass(10);
    scene.skip(30 * 24 * 3600 - 10);
    await scene.enable(endpoint);
    expect(await scene.deliveriesOf(endpoint)).toMatchObject([{ status: 'failed', attempts: 1, lastError: 'event_gone' }]);
    expect([network.sent.length, await scene.pendingOf(endpoint), scene.messages()]).toEqual([1, [], ['event_not_delivered']]);
  });

  test('is sent at its own time where the place that it had is still there', async () => {
    failFor('order.paid');
    await scene.happen('order.paid');
    const [place] = await scene.pendingOf(endpoint);
    await scene.arrive();
    await scene.table.write({ put: { Item: place ?? {} } });
    await scene.pass(4.999);
    expect(network.sent).toHaveLength(1);
    await scene.pass(0.001);
    expect([network.sent.length, (await scene.pendingOf(endpoint)).length]).toEqual([2, 1]);
  });
});

describe('a run', () => {
  test('begins nothing after 42 seconds, so that it ends within its lease, and goes on behind the others', async () => {
    expect(leaseSeconds).toBe(deliveryLeaseSeconds);
    network.before = async () => scene.skip(6);
    await scene.happen(...many(9, 'order.paid' as const));
    scene.queue.splice(0);
    await scene.work([id()]);
    // Eight are sent together, and each has taken its seconds.
    expect([network.sent.length, (await scene.pendingOf(endpoint)).length]).toEqual([8, 1]);
    expect(scene.queue).toEqual([{ id: id(), at: scene.now().getTime() }]);
    await scene.arrive();
    expect([network.sent.length, scene.messages()]).toEqual([9, []]);
  });

  test('rests after one in which nothing was taken, twice as long where nothing was answered, and begins with what did not fail', async () => {
    const tries: number[] = [];
    network.before = async () => void tries.push(scene.now().getTime());
    network.answer = ({ type }) => (type === 'order.paid' ? { error: 'timeout' } : { statusCode: 200 });
    await scene.happen(...many(20, 'order.paid' as const), 'order.refunded');
    await scene.pass(5);
    expect([typesSent().indexOf('order.refunded'), typesSent().lastIndexOf('order.refunded')]).toEqual([8, 8]);
    await scene.happen('order.refunded');
    await scene.arrive();
    const [begin = 0, ...runs] = [...new Set(tries)];
    expect(runs.map((time) => (time - begin) / 1000)).toEqual([5]);
    await scene.pass(20);
    expect(typesSent().filter((type) => type === 'order.refunded')).toHaveLength(2);
    expect(scene.queue.length).toBeLessThanOrEqual(1);
  });

  test('is told of as late when it begins with what waits for more than 15 minutes, unless its endpoint was disabled', async () => {
    const late = () => scene.lines.filter(({ message, endpointId }) => message === 'events_late' && endpointId === endpoint.id).length;
    for (const [seconds, times] of [
      [15 * 60, 0],
      [15 * 60 + 0.001, 1],
    ] as const) {
      await scene.happen('order.paid');
      scene.skip(seconds);
      await scene.arrive();
      expect(late()).toBe(times);
    }
    await scene.happen('order.refunded');
    await scene.change(endpoint, { enabled: false });
    await scene.arrive();
    scene.skip(3600);
    await scene.enable(endpoint);
    expect([typesSent().at(-1), late()]).toEqual(['order.refunded', 1]);
  });

  test('waits for a hanging endpoint for so long only that one which began in its last second ends within its lease', async () => {
    const hanging = await startRawReceiver(() => undefined);
    const made = await scene.addEndpoint({ url: `http://127.0.0.1:${hanging.port}/events` });
    await scene.happen('order.paid');
    const waits: number[] = [];
    const wait = globalThis.setTimeout;
    const hastened = (act: () => void, milliseconds = 0) => {
      // Requests of the table have shorter ones.
      if (milliseconds >= 5000) waits.push(milliseconds);
      return wait(act, milliseconds >= 5000 ? 50 : milliseconds);
    };
    jest.spyOn(globalThis, 'setTimeout').mockImplementation(hastened as typeof setTimeout);
    const { settings, table, now } = scene;
    await composeSender({ settings, logger: silentLogger, table, sender: createTestQueue(), now })(
      toSqsEvent([jobId(scene.deliverJobOf(made.id))]),
    );
    jest.restoreAllMocks();
    await hanging.stop();
    expect(await scene.deliveriesOf(made)).toMatchObject([{ lastError: 'timeout' }]);
    expect(Math.max(...waits) / 1000).toBeLessThan(leaseSeconds - 42);
  });
});

describe('of several endpoints', () => {
  test('one that hangs delays no other, and gets eight events at a time', async () => {
    const slow = await scene.addEndpoint({ url: 'https://slow.example.com/' });
    const hanging = Promise.withResolvers<{ error: 'timeout' }>();
    network.answer = (event) => (event.url === slow.url ? hanging.promise : { statusCode: 200 });
    await scene.happen(...many(20, 'order.paid' as const));
    const slowRun = scene.work([jobId(scene.deliverJobOf(slow.id))]);
    await scene.work([id()]);
    const sentTo = (to: string) => network.sent.filter((event) => event.url === to).length;
    expect([sentTo(url), sentTo(slow.url)]).toEqual([20, 8]);
    expect((await scene.deliveriesOf(slow)).filter(({ attempts }) => attempts > 0)).toEqual([]);
    hanging.resolve({ error: 'timeout' });
    await slowRun;
    expect((await scene.deliveriesOf(slow)).filter(({ lastError }) => lastError === 'timeout')).toHaveLength(8);
  });

  test('twenty get every event once, and none of another seller', async () => {
    const sellers = Array.from({ length: 10 }, () => newId('seller'));
    const expected: string[] = [];
    for (const sellerId of sellers) {
      for (const path of ['one', 'other']) await scene.addEndpoint({ url: `https://${path}.example.com/${sellerId}`, sellerId });
      const ids = await scene.happenTo(sellerId, 'order.paid', 'order.refunded');
      for (const path of ['one', 'other']) expected.push(...ids.map((eventId) => `https://${path}.example.com/${sellerId} ${eventId}`));
    }
    await scene.arrive();
    expect(network.sent.map((event) => `${event.url} ${event.eventId}`).toSorted()).toEqual(expected.toSorted());
    expect(scene.messages()).toEqual([]);
  });
});

describe('a message', () => {
  test('that is lost is made good by the sweeper, for an event and for a retry', async () => {
    failFor('order.paid');
    await scene.happen('order.paid');
    for (const [seconds, sent] of [
      [60, 1],
      [5 + 15, 2],
    ] as const) {
      scene.queue.splice(0);
      scene.skip(seconds);
      await scene.sweep();
      expect(network.sent).toHaveLength(sent);
    }
  });

  test('that comes again while the endpoint waits sends nothing, and no further message; one that came too early is followed by another', async () => {
    failFor('order.paid');
    await scene.happen('order.paid');
    await scene.pass(100);
    const [sent, messages] = [network.sent.length, [...scene.queue]];
    for (let times = 0; times < 3; times += 1) await scene.work([id()]);
    expect([network.sent.length, scene.queue]).toEqual([sent, messages]);
    expect(messages).toHaveLength(1);
    scene.queue.splice(0);
    scene.skip(204);
    await scene.work([id()]);
    await scene.pass(1);
    expect(network.sent).toHaveLength(sent + 1);
  });
});
