import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { jobKey, pendingKey } from '../../../shared/db/keys.ts';
import { type EventId, newId } from '../../../shared/ids.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import type { NewEvent } from '../../../shared/seller-events/seller-event.ts';
import { listDeliveries } from '../../../shared/webhook-endpoints/deliveries/delivery-repository.ts';
import { crashPoints, createCrashPlan } from '../../support/engines/faults.ts';
import { createInterleaver, meetingsOf } from '../../support/interleave.ts';
import { happening } from '../../support/scenes/events/delivery-scene.ts';
import { openWebhookScene, type WebhookScene } from '../../support/scenes/events/webhook-scene.ts';
import { toSqsEvent } from '../../support/scenes/projection-harness.ts';
import { expectSerializable } from '../../support/serializable.ts';

const paid = () => happening('order.paid');

/** A new seller, and what was kept and is to be sent of what happens to it. */
async function openShop(scene: WebhookScene) {
  const { seller, ...shop } = await scene.newSeller();
  return {
    ...shop,
    id: seller.id,
    taskOf: ({ id }: { id: string }) => `deliver-events:${seller.id}/${id}`,
    keptIds: async () => (await scene.keptOf(seller.id)).map(({ id }) => id),
    deliveriesTo: async ({ id }: { id: any }) =>
      (await listDeliveries(scene.plain, id, { limit: 100 })).items.map(({ eventId }) => eventId).reverse(),
  };
}
type Shop = Awaited<ReturnType<typeof openShop>>;

describe('the publisher', () => {
  let scene: WebhookScene;
  let shop: Shop;
  beforeAll(async () => {
    scene = await openWebhookScene();
  });
  beforeEach(async () => {
    shop = await openShop(scene);
    scene.queue.take();
    scene.logged.length = 0;
  });
  const messageOf = (event: { id: string } | undefined) => toSqsEvent([`publish-event:${event?.id}`]);

  test('keeps an event for 30 days, brings it to each endpoint that wants it, and wakes the sender of each', async () => {
    const all = await shop.add();
    const sales = await shop.add({ event_types: ['order.paid', 'order.refunded'] });
    const other = await shop.add({ event_types: ['product.reviewed'] });
    const disabled = await shop.add();
    await shop.ask('PATCH', `/${disabled.id}`, { body: { enabled: false } });
    const elsewhere = await (await openShop(scene)).add();
    await shop.happen(paid());
    const [recorded] = await scene.log.recorded();
    await scene.log.publish();

    expect(await scene.keptOf(shop.id)).toEqual([recorded]);
    const kept = (await scene.readAll())[`SELLER_EVENTS#${shop.id} EVENT#${recorded?.id}`];
    expect(kept?.['ttl']).toBe(scene.now().getTime() / 1000 + 30 * 24 * 3600);
    for (const endpoint of [all, sales]) {
      expect(await shop.deliveriesTo(endpoint)).toEqual([recorded?.id]);
      expect(await scene.job(shop.taskOf(endpoint))).toMatchObject({ state: 'waiting' });
    }
    for (const endpoint of [other, disabled, elsewhere]) {
      expect([await shop.deliveriesTo(endpoint), await scene.job(shop.taskOf(endpoint))]).toEqual([[], undefined]);
    }
    expect(await scene.log.recorded()).toEqual([]);
    expect(scene.queue.sent.toSorted()).toEqual([shop.taskOf(all), shop.taskOf(sales)].toSorted());
    expect(scene.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  test('keeps an event that no endpoint wants, by a plain write of its own, and of it what its type tells alone', async () => {
    await shop.add({ event_types: ['product.reviewed'] });
    const happening = paid();
    await shop.happen({ ...happening, data: { ...happening.data, licenseKey: 'LIC1-SECRET' } } as unknown as NewEvent);
    const [event] = await scene.log.recorded();
    scene.takeRequestCounts();
    await scene.log.work(messageOf(event));
    expect(scene.takeRequestCounts()).toEqual({ UpdateItem: 1, Query: 1, PutItem: 1, DeleteItem: 1 });
    expect((await scene.keptOf(shop.id)).map(({ data }) => data)).toEqual([happening.data]);
    expect(scene.queue.sent).toEqual([]);
  });

  test('keeps nothing of what no endpoint was there to hear, and brings it to none that is made later', async () => {
    await shop.happen(paid());
    const [event] = await scene.log.recorded();
    const recorded = await scene.job(`publish-event:${event?.id}`);
    await scene.log.publish();
    scene.pass(1);
    const made = await shop.add();
    await scene.table.write({ put: { Item: { ...recorded } } });
    await scene.log.publish();
    expect([await shop.keptIds(), await shop.deliveriesTo(made), await scene.log.recorded()]).toEqual([[], [], []]);
  });

  test('brings an event that is for one endpoint to this alone, whatever types it wants', async () => {
    const one = await shop.add({ event_types: ['order.paid'] });
    const all = await shop.add();
    await shop.ask('POST', `/${one.id}/test`);
    await scene.log.publish();
    expect([await shop.deliveriesTo(one), await shop.deliveriesTo(all)]).toEqual([await shop.keptIds(), []]);
    await shop.ask('PATCH', `/${one.id}`, { body: { enabled: false } });
    await shop.ask('POST', `/${one.id}/test`);
    await scene.log.publish();
    expect([(await shop.keptIds()).length, (await shop.deliveriesTo(one)).length]).toEqual([2, 1]);
  });

  test('hears of events from the stream of the table as from its queue, and does each once', async () => {
    const made = await shop.add();
    await shop.happen(paid());
    await shop.happen(paid());
    const recorded = await scene.log.recorded();
    const Records: DynamoDBStreamEvent['Records'] = recorded.map(({ id }, at) => {
      const { pk, sk } = jobKey(jobId({ kind: 'publish-event', eventId: id }));
      return {
        eventName: 'INSERT',
        eventSource: 'aws:dynamodb',
        dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } }, SequenceNumber: `${at}` },
      };
    });
    expect(await scene.log.work({ Records: [...Records, { eventName: 'INSERT' }] })).toEqual({ batchItemFailures: [] });
    await scene.log.work(messageOf(recorded[0]));
    const ids = recorded.map(({ id }) => id);
    expect([await shop.keptIds(), await shop.deliveriesTo(made)]).toEqual([ids, ids]);
  });

  test.each<[string, object]>([
    ['of a type that is none', { type: 'order.eaten' }],
    ['that lacks what its type tells', { data: { orderId: 'ord_1' } }],
    ['that is no event', { at: 'yesterday' }],
  ])('buries an event %s, at once, and does the rest', async (_, broken) => {
    const made = await shop.add();
    await shop.happen(paid());
    const [event] = await scene.log.recorded();
    const unreadable: EventId = newId('event');
    const id = jobId({ kind: 'publish-event', eventId: unreadable });
    const item = await scene.job(`publish-event:${event?.id}`);
    const keys = { ...jobKey(id), ...pendingKey(id, String(item?.['dueAt'])), id };
    await scene.table.write({ put: { Item: { ...item, ...keys, payload: { ...event, id: unreadable, ...broken } } } });
    expect(await scene.log.work(toSqsEvent([id, `publish-event:${event?.id}`]))).toEqual({ batchItemFailures: [] });
    expect(await scene.job(id)).toMatchObject({ state: 'dead', lastFailure: 'seller_event_unreadable' });
    expect(await shop.deliveriesTo(made)).toEqual([event?.id]);
  });
});

describe('a publisher that dies', () => {
  const plan = createCrashPlan();
  let scene: WebhookScene;
  beforeAll(async () => {
    scene = await openWebhookScene({ faults: plan });
  });

  test('names to the stream what it could not even begin, by its sequence number', async () => {
    const shop = await openShop(scene);
    await shop.add();
    await shop.happen(paid());
    const [event] = await scene.log.recorded();
    const { pk, sk } = jobKey(`publish-event:${event?.id}`);
    plan.crashAt(1, 'before');
    const record = { eventName: 'INSERT', dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } }, SequenceNumber: '4421' } } as const;
    expect(await scene.log.work({ Records: [record] })).toEqual({ batchItemFailures: [{ itemIdentifier: '4421' }] });
    plan.revive();
    expect(await scene.log.work({ Records: [record] })).toEqual({ batchItemFailures: [] });
    expect(await shop.keptIds()).toHaveLength(1);
  });

  test('at any of its calls leaves an event that is published once, and a sender that knows of it', async () => {
    const cutOff = async (call: number, when: 'before' | 'after') => {
      const shop = await openShop(scene);
      const [all, changed] = [await shop.add(), await shop.add()];
      await shop.happen(paid());
      plan.crashAt(call, when);
      await scene.log.publish().catch(() => undefined);
      const { calls } = plan;
      plan.revive();
      // What it did by then may have been decided on other wishes than those of now.
      await shop.ask('PATCH', `/${changed.id}`, { body: { event_types: ['test'] } });
      scene.pass(120);
      await scene.log.publish();
      expect([(await shop.keptIds()).length, await scene.log.recorded(), (await shop.deliveriesTo(all)).length]).toEqual([1, [], 1]);
      for (const endpoint of [all, changed]) {
        const delivered = await shop.deliveriesTo(endpoint);
        const { items: due } = await scene.plain.query({ partition: `ENDPOINT#${endpoint.id}`, prefix: 'DUE#' });
        expect(due).toHaveLength(delivered.length);
        if (delivered.length > 0) expect(await scene.job(shop.taskOf(endpoint))).toMatchObject({ state: 'waiting' });
      }
      return calls;
    };
    for (const { call, when } of crashPoints(await cutOff(Number.POSITIVE_INFINITY, 'before'))) await cutOff(call, when);
  }, 60_000);
});

describe('of the devices of a license', () => {
  const plan = createCrashPlan();
  let isDown = false;
  let scene: WebhookScene;
  beforeAll(async () => {
    scene = await openWebhookScene({
      faults: {
        async call(name, make) {
          if (!isDown || name !== 'TransactWriteItems') return plan.call(name, make);
          isDown = false;
          throw new Error('The table is away.');
        },
      },
    });
  });
  const licenseId = newId('license');
  const data = { orderId: newId('order'), productId: newId('product'), licenseId, activationCount: 3, activationLimit: 3 };
  const refused: NewEvent = { type: 'activation.refused', data: { ...data, code: 'activation_limit_exceeded' } };
  const created = (): NewEvent => ({ type: 'activation.created', data: { ...data, activationId: newId('activation') } });

  const released: NewEvent = { type: 'activation.released', data: { ...data, releasedCount: 1 } };

  async function listen(endpoint: Record<string, unknown> = {}) {
    const seller = await openShop(scene);
    scene.queue.take();
    await seller.add(endpoint);
    const tell = async (happening: NewEvent, times = 1) => {
      for (let time = 0; time < times; time += 1) await seller.happen(happening);
      await scene.log.publish();
    };
    /** Of each event that is kept, how many refusals it counts, or that it is of another kind, and what was suppressed before. */
    const told = async () => (await scene.keptOf(seller.id)).map(({ data: { count = 'one', suppressed = 0 } }) => [count, suppressed]);
    const later = async () => {
      await scene.log.work(toSqsEvent([`tell-refusals:${seller.id}/${licenseId}`]));
      await scene.log.publish();
    };
    const messages = () => scene.queue.sent.filter((id) => id.startsWith('tell-refusals'));
    return { seller, tell, told, later, messages };
  }

  test('refusals are told once a minute, the first at once and the others together', async () => {
    const { seller, tell, told, later, messages } = await listen();
    const expiry = async () => (await scene.readAll())[`SELLER_EVENTS#${seller.id} ACTIVATIONS#${licenseId}`]?.['ttl'];
    await tell(refused);
    expect(await expiry()).toBe(scene.now().getTime() / 1000 + 30 * 24 * 3600);
    await tell(refused, 3);
    expect([await told(), await expiry()]).toEqual([[[1, 0]], undefined]);
    scene.pass(59.9);
    await tell({ ...refused, data: { ...refused.data, activationLimit: 2 } } as NewEvent, 2);
    await later();
    expect(await told()).toEqual([[1, 0]]);
    scene.pass(1);
    await later();
    expect(await told()).toEqual([
      [1, 0],
      [5, 0],
    ]);
    expect((await scene.keptOf(seller.id))[1]?.data).toMatchObject({ activationLimit: 2 });
    scene.pass(60);
    await later();
    await tell(refused);
    expect(await told()).toEqual([
      [1, 0],
      [5, 0],
      [1, 0],
    ]);
    expect(messages()).toHaveLength(2);
  });

  test('60 events are told in any hour; the next says how many were not, and refusals wait', async () => {
    const { seller, tell, told, later, messages } = await listen();
    await seller.happen(created());
    const [first] = await scene.log.recorded();
    const recorded = await scene.job(`publish-event:${first?.id}`);
    await tell(created(), 29);
    scene.pass(1800);
    await tell(created(), 33);
    await tell(released);
    // Whoever told of it died before it ended the job.
    await scene.table.write({ put: { Item: { ...recorded } } });
    await tell(refused, 3);
    expect(messages()).toEqual([]);
    scene.pass(1799);
    await later();
    expect(await told()).toHaveLength(60);
    scene.pass(1);
    await later();
    await tell(created(), 30);
    expect((await told()).slice(60)).toEqual([[3, 4], ...new Array(29).fill(['one', 0])]);
  });

  test('refusals that find the hour full are left to the sweeper, since no message waits for so long', async () => {
    // What nobody wants is kept for its replay, as much as of what somebody does.
    const { tell, told, later, messages } = await listen({ event_types: ['order.paid'] });
    await tell(refused, 2);
    await tell(created(), 60);
    scene.pass(60);
    await later();
    expect([(await told()).length, messages().length]).toEqual([60, 1]);
    scene.pass(3540);
    await later();
    expect((await told()).slice(60)).toEqual([[1, 1]]);
  });

  test('one that cannot be kept fails no other', async () => {
    const { seller, told } = await listen();
    await seller.happen(created());
    await seller.happen(created());
    const messages = toSqsEvent((await scene.log.recorded()).map(({ id }) => `publish-event:${id}`));
    isDown = true;
    await scene.log.work(messages);
    expect([(await told()).length, (await scene.log.recorded()).length]).toEqual([1, 1]);
  });

  test('each is told or counted once, wherever the publisher dies', async () => {
    const cutOff = async (call: number, when: 'before' | 'after') => {
      const { seller, tell, told, later } = await listen();
      await tell(refused);
      await seller.happen(refused);
      await seller.happen(refused);
      plan.crashAt(call, when);
      await scene.log.publish().catch(() => undefined);
      scene.pass(60);
      await later().catch(() => undefined);
      const { calls } = plan;
      plan.revive();
      for (let round = 0; round < 3; round += 1) {
        scene.pass(61);
        await scene.log.publish();
        await later();
      }
      await scene.log.publish();
      expect((await told()).reduce((sum, [count]) => sum + Number(count), 0)).toBe(3);
      return calls;
    };
    for (const { call, when } of crashPoints(await cutOff(Number.POSITIVE_INFINITY, 'before'))) await cutOff(call, when);
  }, 60_000);
});

describe('in every order of two at once, they are as one after the other:', () => {
  const interleaver = createInterleaver();
  let scene: WebhookScene;
  beforeAll(async () => {
    scene = await openWebhookScene({ faults: interleaver, environment: { RATE_LIMIT_ROTATIONS: '10' } });
  });
  const url = 'https://hooks.example.com/';
  const statusOf = async (asked: ReturnType<Shop['ask']>) => (await asked).status;

  test('two publishers of one event', async () => {
    await expectSerializable(meetingsOf(interleaver), async () => {
      const shop = await openShop(scene);
      const made = await shop.add();
      await shop.happen(paid());
      const [event] = await scene.log.recorded();
      const publish = () => scene.log.work(toSqsEvent([`publish-event:${event?.id}`]));
      const end = async () => [(await shop.keptIds()).length, (await shop.deliveriesTo(made)).length, await scene.log.recorded()];
      return { tasks: [publish, publish], end };
    });
  });

  type Act = (shop: Shop, id: string) => Promise<number>;
  const make: Act = (shop) => statusOf(shop.ask('POST', '', { body: { url } }));
  const remove: Act = (shop, id) => statusOf(shop.ask('POST', `/${id}/delete`));
  const rotate: Act = (shop, id) => statusOf(shop.ask('POST', `/${id}/rotate-secret`));
  const change: Act = (shop, id) => statusOf(shop.ask('PATCH', `/${id}`, { body: { description: 'Ours', enabled: false } }));
  const replay: Act = (shop, id) => statusOf(shop.ask('POST', `/${id}/replay`));
  test.each<[string, number, Act, Act]>([
    ['the last two endpoints that are made', 4, make, make],
    ['an endpoint that is deleted twice', 5, remove, remove],
    ['an endpoint that is rotated and changed', 1, rotate, change],
    ['an endpoint that is deleted while a replay is asked for', 1, remove, replay],
  ])('%s', async (_, count, one, other) => {
    await expectSerializable(meetingsOf(interleaver), async () => {
      const shop = await openShop(scene);
      const made: { id: any }[] = [];
      while (made.length < count) made.push(await shop.add());
      const id = made[0]?.id;
      return {
        tasks: [() => one(shop, id), () => other(shop, id)],
        async end() {
          const { description, enabled, formerSecrets, revision } = (await shop.stored(id)) ?? {};
          const items = Object.entries(await scene.readAll());
          // Of ten rotations in an hour one is spent, also where it was decided on twice.
          const spent = items.flatMap(([key, { fullAt }]) => (key.startsWith('RATE#rotations') ? [Number(fullAt)] : []));
          const left = [...shopsOwn(items, id), (await shop.ask('GET')).json.items.length, await make(shop, id)];
          return { stored: [description, enabled, formerSecrets?.length, revision], spent: Math.max(0, ...spent), left };
        },
      };
    });
  });
  const shopsOwn = (items: [string, unknown][], id: string) =>
    items.filter(([key]) => key.startsWith(`ENDPOINT#${id}`)).map(([key]) => key.split(' ')[1]);
});
