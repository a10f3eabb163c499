import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { sealText } from '../../../shared/crypto/sealed-text.ts';
import { wakeJob } from '../../../shared/jobs/job-repository.ts';
import { createDeliveryScene, type DeliveryScene, newSecret } from '../../support/scenes/events/delivery-scene.ts';
import { type EventReceiver, startEventReceiver } from '../../support/scenes/events/event-receiver.ts';

let scene: DeliveryScene;
let receiver: EventReceiver;
const sentIds = () => receiver.received.map(({ eventId }) => eventId);

beforeEach(async () => {
  scene = await createDeliveryScene();
  receiver = await startEventReceiver();
});
afterEach(() => receiver.stop());

describe('an event', () => {
  test('is sent once to each endpoint that wants it, and its job is finished', async () => {
    const endpoint = await scene.addEndpoint({ url: receiver.url });
    await scene.addEndpoint({ url: receiver.url, eventTypes: ['order.refunded'] });
    const ids = await scene.happen('order.paid', 'product.reviewed', 'order.refunded');
    await scene.arrive();
    expect(sentIds().toSorted()).toEqual([...ids, ids[2]].toSorted());
    expect(await scene.deliveriesOf(endpoint)).toEqual(
      ids.map((eventId) => expect.objectContaining({ eventId, status: 'delivered', attempts: 1, lastStatusCode: 200 })),
    );
    expect(await scene.pendingOf(endpoint)).toEqual([]);
    expect(await scene.jobOf(endpoint)).toBeUndefined();
    await scene.pass(7 * 24 * 3600);
    expect(receiver.received).toHaveLength(4);
    expect(scene.messages()).toEqual([]);
  });

  test('says what happened in the names of the wire, and with which id', async () => {
    const endpoint = await scene.addEndpoint({ url: receiver.url });
    const [id = ''] = await scene.happen('order.paid');
    await scene.arrive();
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
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
    expect(Object.keys(JSON.parse(body))).toEqual(['type', 'timestamp', 'data']);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(new RegExp(`^${id}_[\\w-]{8}$`)),
    });
    const other = await scene.addEndpoint({ url: receiver.url });
    await scene.happen('order.paid');
    await scene.arrive();
    const [one, two] = receiver.received.slice(1).map((event) => event.headers['webhook-id']);
    expect(one).not.toBe(two);
    expect(endpoint.id).not.toBe(other.id);
  });

  test('expires with its deliveries and their places among the pending ones, however often it is sent', async () => {
    const endpoint = await scene.addEndpoint({ url: receiver.url });
    const ttl = Math.floor(scene.now().getTime() / 1000) + 30 * 24 * 3600;
    const expiries = async () =>
      Object.entries(await scene.readAll()).flatMap(([key, item]) => (/ (DELIVERY|DUE|EVENT)#/.test(key) ? [item['ttl']] : []));
    receiver.answer = 500;
    const [eventId] = await scene.happen('order.refunded');
    expect(await expiries()).toEqual([ttl, ttl, ttl]);
    await scene.arrive();
    await scene.pass(5);
    expect(await expiries()).toEqual([ttl, ttl, ttl]);
    await scene.replay(endpoint, { eventId: eventId! });
    await scene.arrive();
    expect(await expiries()).toEqual([ttl, ttl, ttl]);
    receiver.answer = 200;
    await scene.pass(301);
    expect(await expiries()).toEqual([ttl, ttl]);
  });

  test('has the same id and the same bytes in each attempt, and the time of the attempt', async () => {
    const secret = newSecret();
    await scene.addEndpoint({ url: receiver.url, secret });
    receiver.answer = 500;
    await scene.happen('order.refunded');
    await scene.arrive();
    await scene.pass(5);
    const [first, second] = receiver.received;
    expect(receiver.received).toHaveLength(2);
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(Number(second?.headers['webhook-timestamp']) - Number(first?.headers['webhook-timestamp'])).toBe(5);
    for (const { body, headers } of receiver.received) new Webhook(secret).verify(body, headers);
  });
});

describe('a signature', () => {
  const byHand = (secret: string, { headers, body }: { headers: Record<string, string>; body: string }) => {
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  };

  test('is made of id, time and body with the secret', async () => {
    const secret = newSecret();
    await scene.addEndpoint({ url: receiver.url, secret });
    await scene.happen('order.paid');
    await scene.arrive();
    const [event] = receiver.received;
    if (!event) throw new Error('Nothing was sent.');
    expect(event.headers['webhook-signature']).toBe(byHand(secret, event));
    expect(Math.abs(Number(event.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60);
    new Webhook(secret).verify(event.body, event.headers);
    expect(() => new Webhook(newSecret()).verify(event.body, event.headers)).toThrow();
  });

  test('is made with the former secret too, up to its end, the new one first', async () => {
    const [secret, former] = [newSecret(), newSecret()];
    const endpoint = await scene.addEndpoint({ url: receiver.url, secret });
    const signsUntil = new Date(scene.now().getTime() + 24 * 3600_000).toISOString();
    await scene.change(endpoint, {
      formerSecrets: [{ sealed: sealText(former, endpoint.id, scene.settings.ENCRYPTION_KEYS), signsUntil }],
    });
    await scene.happen('order.paid');
    await scene.arrive();
    scene.skip(24 * 3600 - 0.001);
    await scene.happen('order.paid');
    await scene.arrive();
    scene.skip(0.001);
    await scene.happen('order.paid');
    await scene.arrive();
    const signatures = receiver.received.map((event) => event.headers['webhook-signature']);
    const made = receiver.received.map((event) => [byHand(secret, event), byHand(former, event)]);
    expect(signatures).toEqual([made[0]?.join(' '), made[1]?.join(' '), made[2]?.[0]]);
    const [event] = receiver.received;
    for (const known of [secret, former]) new Webhook(known).verify(event?.body ?? '', event?.headers ?? {});
  });
});

describe('an event that was not taken', () => {
  test('is sent again after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 hours, and then failed', async () => {
    receiver.answer = 503;
    const endpoint = await scene.addEndpoint({ url: receiver.url });
    const [eventId] = await scene.happen('order.paid');
    await scene.arrive();
    const delays: number[] = [];
    for (
      let [delivery] = await scene.deliveriesOf(endpoint);
      delivery?.status === 'pending';
      [delivery] = await scene.deliveriesOf(endpoint)
    ) {
      expect(delivery).toMatchObject({ attempts: delays.length + 1, lastStatusCode: 503, lastError: 'status' });
      const delay = (Date.parse(delivery.nextAttemptAt ?? '') - scene.now().getTime()) / 1000;
      delays.push(delay);
      await scene.pass(delay - 0.001);
      expect(receiver.received).toHaveLength(delays.length);
      await scene.pass(0.001);
      // The queue keeps no message so long: the sweeper brings it.
      if (delay > 900) scene.skip(15);
      if (delay > 900) await scene.sweep();
      expect(receiver.received).toHaveLength(delays.length + 1);
    }
    expect(delays).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
    expect(await scene.deliveriesOf(endpoint)).toEqual([
      {
        eventId,
        type: 'order.paid',
        status: 'failed',
        attempts: 10,
        lastStatusCode: 503,
        lastError: 'status',
        createdAt: expect.any(String),
      },
    ]);
    await scene.pass(300);
    expect(await scene.jobOf(endpoint)).toBeUndefined();
    expect(scene.messages()).toEqual(['event_not_delivered']);
    expect(scene.lines[0]).toMatchObject({ endpointId: endpoint.id, reason: 'status' });
  });

  test('is taken by the receiver at a later time, and its record says so', async () => {
    receiver.answer = 500;
    const endpoint = await scene.addEndpoint({ url: receiver.url });
    await scene.happen('order.paid');
    await scene.arrive();
    expect(await scene.pendingOf(endpoint)).toHaveLength(1);
    receiver.answer = 204;
    await scene.pass(5);
    const [delivery] = await scene.deliveriesOf(endpoint);
    expect(delivery).toMatchObject({ status: 'delivered', attempts: 2, lastStatusCode: 204 });
    expect(delivery).not.toHaveProperty('lastError');
    expect(delivery).not.toHaveProperty('nextAttemptAt');
  });

  test('is failed without an attempt once the event is gone', async () => {
    receiver.answer = 500;
    const endpoint = await scene.addEndpoint({ url: receiver.url });
    await scene.happen('order.paid');
    await scene.arrive();
    await scene.change(endpoint, { enabled: false });
    await scene.pass(10);
    scene.skip(30 * 24 * 3600 - 10);
    await scene.change(endpoint, { enabled: true });
    await scene.table.write(wakeJob(scene, scene.deliverJobOf(endpoint.id), 60));
    await scene.work([`deliver-events:${scene.sellerId}/${endpoint.id}`]);
    expect(receiver.received).toHaveLength(1);
    expect(await scene.deliveriesOf(endpoint)).toMatchObject([{ status: 'failed', attempts: 1, lastError: 'event_gone' }]);
    expect(await scene.pendingOf(endpoint)).toEqual([]);
    expect(scene.messages()).toEqual(['event_not_delivered']);
  });
});
