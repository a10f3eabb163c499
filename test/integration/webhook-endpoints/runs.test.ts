import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { compose as composeSender, leaseSeconds } from '../../../functions/event-sender/compose.ts';
import { jobKey } from '../../../shared/db/keys.ts';
import { newId } from '../../../shared/ids.ts';
import { addJob, wakeJob } from '../../../shared/jobs/job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { deliveryLeaseSeconds } from '../../../shared/webhook-endpoints/deliveries/delivery.ts';
import type { WebhookEndpointRecord } from '../../../shared/webhook-endpoints/endpoints/webhook-endpoint.ts';
import { createSendRequest, type SendRequest } from '../../../shared/webhook-endpoints/requests/send-request.ts';
import { createDeliveryScene, type DeliveryScene } from '../../support/scenes/events/delivery-scene.ts';
import { type EventReceiver, startEventReceiver } from '../../support/scenes/events/event-receiver.ts';
import { createTestQueue, silentLogger, toSqsEvent } from '../../support/scenes/projection-harness.ts';

const url = 'https://hooks.example.com/';
const many = <T>(count: number, value: T) => Array.from({ length: count }, () => value);

/** What was sent, and of which types nothing is taken. */
interface Network {
  sent: string[];
  failing: Set<string>;
  /** Whether what is not taken is not answered either. */
  hangs: boolean;
  before(): Promise<void>;
  send: SendRequest;
}

function createNetwork(): Network {
  const made: Network = {
    sent: [],
    failing: new Set<string>(),
    hangs: false,
    before: async () => undefined,
    async send(_url, { body }) {
      const { type } = JSON.parse(body);
      made.sent.push(type);
      await made.before();
      if (!made.failing.has(type)) return { statusCode: 200 };
      return made.hangs ? { error: 'timeout' } : { statusCode: 500, error: 'status' };
    },
  };
  return made;
}

let network: Network;
let scene: DeliveryScene;
let endpoint: WebhookEndpointRecord;
beforeEach(async () => {
  network = createNetwork();
  scene = await createDeliveryScene({ send: network.send });
  endpoint = await scene.addEndpoint({ url });
});
const id = () => jobId(scene.deliverJobOf(endpoint.id));

describe('a run', () => {
  test('is leased for as long as whoever wakes its job counts on', () => {
    expect(leaseSeconds).toBe(deliveryLeaseSeconds);
  });

  test('sends at most eight events at a time', async () => {
    let [open, most] = [0, 0];
    network.before = async () => {
      open += 1;
      most = Math.max(most, open);
      await sleep(1);
      open -= 1;
    };
    await scene.happen(...many(20, 'order.paid' as const));
    await scene.arrive();
    expect([network.sent.length, most]).toEqual([20, 8]);
  });

  test('begins nothing after 42 seconds, so that it ends within its lease, and goes on behind the others', async () => {
    network.before = async () => scene.skip(1);
    await scene.happen(...many(56, 'order.paid' as const));
    const begun = scene.now().getTime();
    scene.queue.splice(0);
    await scene.work([id()]);
    // The eighth of those sent together ends with the seconds of all.
    expect(network.sent).toHaveLength(48);
    expect(scene.now().getTime() - begun).toBe(48_000);
    expect(await scene.pendingOf(endpoint)).toHaveLength(8);
    expect(scene.queue).toEqual([{ id: id(), at: scene.now().getTime() }]);
    await scene.arrive();
    expect(network.sent).toHaveLength(56);
    expect(scene.messages()).toEqual([]);
  });

  test('that finds nothing of its own to do finishes the job', async () => {
    await scene.happen('order.paid');
    await scene.arrive();
    await scene.table.write(addJob(scene, scene.deliverJobOf(endpoint.id)));
    await scene.work([id()]);
    expect(await scene.jobOf(endpoint)).toBeUndefined();
    expect(network.sent).toHaveLength(1);
  });

  test('forgets the place of a delivery that moved, and sends it at its own time', async () => {
    network.failing.add('order.paid');
    await scene.happen('order.paid');
    const [place] = await scene.pendingOf(endpoint);
    await scene.arrive();
    await scene.table.write({ put: { Item: place ?? {} } });
    await scene.pass(4.999);
    expect(network.sent).toHaveLength(1);
    await scene.pass(0.001);
    expect(network.sent).toHaveLength(2);
    expect(await scene.pendingOf(endpoint)).toHaveLength(1);
  });
});

describe('an endpoint that takes nothing', () => {
  test.each([
    ['rests for 5 seconds each time', false, [5, 5, 5, 5]],
    ['that does not even answer rests each time twice as long, for 5 minutes at most', true, [5, 10, 20, 40, 80, 160, 300, 300]],
  ])('%s', async (_, hangs, expected) => {
    network.failing.add('order.paid');
    network.hangs = hangs;
    const tries: number[] = [];
    network.before = async () => void tries.push(scene.now().getTime());
    // Enough that each run meets some that were never sent.
    await scene.happen(...many(8 * 10, 'order.paid' as const));
    await scene.pass(expected.reduce((sum, rest) => sum + rest));
    const runs = [...new Set(tries)];
    const rests = runs.slice(1).map((time, index) => (time - (runs[index] ?? 0)) / 1000);
    expect(rests.slice(0, expected.length)).toEqual(expected);
    expect(tries.filter((time) => time === runs[0])).toHaveLength(8);
  });

  test('rests no longer when its seller tests it, asks for a replay or enables it', async () => {
    network.failing.add('order.paid');
    network.hangs = true;
    await scene.happen(...many(60, 'order.paid' as const));
    await scene.pass(60);
    network.failing.clear();
    const sent = network.sent.length;
    await scene.replay(endpoint);
    await scene.arrive();
    expect(network.sent.length).toBeGreaterThan(sent);
    expect(await scene.pendingOf(endpoint)).toEqual([]);
  });

  test('is not sent what happens while it rests, and the messages do not pile up', async () => {
    network.failing.add('order.paid');
    await scene.happen(...many(3, 'order.paid' as const));
    await scene.arrive();
    await scene.pass(5);
    const sent = network.sent.length;
    for (let times = 0; times < 20; times += 1) {
      await scene.happen('order.refunded');
      await scene.arrive();
    }
    expect(network.sent).toHaveLength(sent);
    expect(scene.queue).toHaveLength(1);
    await scene.pass(10);
    expect(network.sent.filter((type) => type === 'order.refunded')).toHaveLength(20);
    expect(scene.queue.length).toBeLessThanOrEqual(1);
  });

  test('is sent at full speed once it takes something', async () => {
    network.failing.add('order.paid');
    network.hangs = true;
    await scene.happen(...many(60, 'order.paid' as const));
    await scene.pass(40);
    network.failing.clear();
    await scene.pass(80);
    expect(await scene.pendingOf(endpoint)).toEqual([]);
  });
});

describe('a type of events that fails', () => {
  test('keeps others waiting for one rest at most: they go first', async () => {
    network.failing.add('order.paid');
    await scene.happen(...many(100, 'order.paid' as const), ...many(10, 'order.refunded' as const));
    await scene.pass(5);
    expect(network.sent.slice(8, 18)).toEqual(many(10, 'order.refunded'));
  });

  test('stops no run in which others are taken', async () => {
    network.failing.add('order.paid');
    const mixed = Array.from({ length: 40 }, (_, index) => (index % 4 === 0 ? ('order.paid' as const) : ('order.refunded' as const)));
    await scene.happen(...mixed);
    await scene.arrive();
    expect(network.sent.filter((type) => type === 'order.refunded')).toHaveLength(30);
  });
});

describe('late', () => {
  const late = () => scene.messages().filter((message) => message === 'events_late').length;

  test('is what waits for more than 15 minutes, and nothing that waits less', async () => {
    await scene.happen('order.paid');
    scene.skip(15 * 60);
    await scene.arrive();
    expect(late()).toBe(0);
    await scene.happen('order.paid');
    scene.skip(15 * 60 + 0.001);
    await scene.arrive();
    expect(late()).toBe(1);
    expect(scene.lines[0]).toMatchObject({ endpointId: endpoint.id });
  });

  test('is nothing that its endpoint kept waiting: by failing, by taking long, or while it was disabled', async () => {
    network.failing.add('order.paid');
    network.hangs = true;
    await scene.happen(...many(8 * 14, 'order.paid' as const));
    await scene.pass(3600);
    network.failing.clear();
    await scene.pass(24 * 3600);
    network.before = async () => scene.skip(6);
    await scene.happen(...many(200, 'order.paid' as const));
    await scene.pass(7200);
    await scene.happen('order.refunded');
    await scene.change(endpoint, { enabled: false });
    await scene.arrive();
    scene.skip(3600);
    await scene.change(endpoint, { enabled: true });
    await scene.table.write(wakeJob(scene, scene.deliverJobOf(endpoint.id), 60));
    await scene.work([id()]);
    expect(network.sent.at(-1)).toBe('order.refunded');
    expect(late()).toBe(0);
  });
});

describe('a message', () => {
  test('that is lost is made good by the sweeper, for an event, a retry and the rest of a run', async () => {
    await scene.happen('order.paid');
    scene.queue.splice(0);
    scene.skip(60);
    await scene.sweep();
    expect(network.sent).toHaveLength(1);

    network.failing.add('order.refunded');
    await scene.happen('order.refunded');
    await scene.arrive();
    network.failing.clear();
    scene.queue.splice(0);
    scene.skip(5 + 15);
    await scene.sweep();
    expect(network.sent).toHaveLength(3);
    expect(await scene.pendingOf(endpoint)).toEqual([]);
  });

  test('that comes again while the endpoint waits sends nothing, and no further message', async () => {
    network.failing.add('order.paid');
    await scene.happen('order.paid');
    await scene.arrive();
    await scene.pass(100);
    const [sent, under] = [network.sent.length, scene.queue.length];
    for (let times = 0; times < 3; times += 1) await scene.work([id()]);
    expect([network.sent.length, scene.queue.length]).toEqual([sent, under]);
    expect(under).toBe(1);
  });

  test('that comes a moment too early is followed by one that comes in time', async () => {
    network.failing.add('order.paid');
    await scene.happen('order.paid');
    await scene.arrive();
    scene.queue.splice(0);
    scene.skip(4);
    await scene.work([id()]);
    await scene.pass(1);
    expect(network.sent).toHaveLength(2);
  });

  test('is not sent for a time that the queue cannot wait for', async () => {
    network.failing.add('order.paid');
    await scene.happen('order.paid');
    await scene.arrive();
    await scene.pass(5 + 300 + 300);
    const [place] = await scene.pendingOf(endpoint);
    expect(Date.parse(String(place?.['nextAttemptAt'])) - scene.now().getTime()).toBeGreaterThan(900_000);
    expect(scene.queue).toEqual([]);
    expect(await scene.table.get(jobKey(id()))).toMatchObject({ state: 'waiting', createdAt: place?.['nextAttemptAt'] });
  });
});

describe('over sockets', () => {
  const receivers: EventReceiver[] = [];
  afterEach(async () => {
    jest.restoreAllMocks();
    await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()));
  });
  const receiver = async () => {
    const made = await startEventReceiver();
    receivers.push(made);
    return made;
  };

  test('waits for a hanging endpoint for so long only that a run which began in its last second ends within its lease', async () => {
    const real = await createDeliveryScene();
    const hanging = await receiver();
    hanging.answer = () => undefined;
    const made = await real.addEndpoint({ url: hanging.url });
    await real.happen('order.paid');
    const waits: number[] = [];
    const wait = globalThis.setTimeout;
    const hastened = (act: () => void, milliseconds = 0) => {
      // Requests of the table have shorter ones.
      if (milliseconds >= 5000) waits.push(milliseconds);
      return wait(act, milliseconds >= 5000 ? 50 : milliseconds);
    };
    jest.spyOn(globalThis, 'setTimeout').mockImplementation(hastened as typeof setTimeout);
    const { settings, table, now } = real;
    const work = composeSender({ settings, logger: silentLogger, table, sender: createTestQueue(), now });
    await work(toSqsEvent([jobId(real.deliverJobOf(made.id))]));
    expect(await real.deliveriesOf(made)).toMatchObject([{ lastError: 'timeout' }]);
    expect(Math.max(...waits) / 1000).toBeLessThan(leaseSeconds - 42);
  });

  test('an endpoint that hangs delays no other', async () => {
    const real = await createDeliveryScene({ send: createSendRequest({ stage: 'local', deadlineMs: 1500 }) });
    const [slow, fast] = [await receiver(), await receiver()];
    slow.answer = () => undefined;
    const slowEndpoint = await real.addEndpoint({ url: slow.url });
    const fastEndpoint = await real.addEndpoint({ url: fast.url });
    await real.happen(...many(20, 'order.paid' as const));
    const [slowJob, fastJob] = [slowEndpoint, fastEndpoint].map((one) => jobId(real.deliverJobOf(one.id)));
    const slowRun = real.work([slowJob ?? '']);
    await real.work([fastJob ?? '']);
    expect(fast.received).toHaveLength(20);
    expect((await real.deliveriesOf(slowEndpoint)).filter(({ attempts }) => attempts > 0)).toEqual([]);
    await slowRun;
    expect(slow.received).toHaveLength(8);
    expect((await real.deliveriesOf(slowEndpoint)).filter(({ lastError }) => lastError === 'timeout')).toHaveLength(8);
  });

  test('twenty endpoints get every event once', async () => {
    const real = await createDeliveryScene();
    const made = await Promise.all(Array.from({ length: 20 }, receiver));
    const sellers = Array.from({ length: 10 }, () => newId('seller'));
    for (const [index, { url: to }] of made.entries()) await real.addEndpoint({ url: to, sellerId: sellers[index % 10] ?? real.sellerId });
    const ids: string[][] = [];
    for (const seller of sellers) ids.push(await real.happenTo(seller, 'order.paid', 'order.refunded'));
    await real.arrive();
    const expected = made.map((_, index) => ids[index % 10]?.toSorted());
    expect(made.map(({ received }) => received.map(({ eventId }) => eventId).toSorted())).toEqual(expected);
    expect(real.messages()).toEqual([]);
  });
});
