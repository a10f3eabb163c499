import { beforeEach, describe, expect, test } from '@jest/globals';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { createSdkDynamo } from '../../../shared/db/dynamo/sdk-dynamo.ts';
import { jobKey, pendingKey } from '../../../shared/db/keys.ts';
import { createTable } from '../../../shared/db/table.ts';
import { type EventId, newId, type SellerId } from '../../../shared/ids.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import type { NewEvent } from '../../../shared/seller-events/seller-event.ts';
import { listDeliveries } from '../../../shared/webhook-endpoints/deliveries/delivery-repository.ts';
import { createCrashPlan, type Faults } from '../../support/engines/faults.ts';
import { createInterleaver, inEveryOrder } from '../../support/interleave.ts';
import { openWebhookScene, type WebhookScene } from '../../support/scenes/events/webhook-scene.ts';
import { toSqsEvent } from '../../support/scenes/projection-harness.ts';

const sale = (amount: number) => ({
  orderId: newId('order'),
  productId: newId('product'),
  amount,
  currency: 'JPY',
  kind: 'license',
  quantity: 3,
});
const paid = (amount = 1200): NewEvent => ({ type: 'order.paid', data: { ...sale(amount), status: 'paid' } });
const disputed = (): NewEvent => ({ type: 'order.disputed', data: { ...sale(1200), status: 'disputed' } });

const taskOf = (sellerId: SellerId, { id }: { id: string }) => `deliver-events:${sellerId}/${id}`;

describe('the publisher', () => {
  let scene: WebhookScene;
  let seller: Awaited<ReturnType<WebhookScene['newSeller']>>;
  let sellerId: SellerId;
  beforeEach(async () => {
    scene = await openWebhookScene();
    seller = await scene.newSeller();
    sellerId = seller.seller.id;
  });
  const jobsLeft = async () => (await scene.log.recorded()).map(({ id }) => id);
  const deliveriesTo = async ({ id }: { id: any }) =>
    (await listDeliveries(scene.plain, id, { limit: 100 })).items.map(({ eventId }) => eventId).reverse();
  const keptIds = async () => (await scene.keptOf(sellerId)).map(({ id }) => id);
  const messageOf = (eventId: string) => toSqsEvent([`publish-event:${eventId}`]);

  test('keeps an event for 30 days, brings it to each endpoint that wants it, and wakes the sender of each', async () => {
    const all = await seller.add();
    const sales = await seller.add({ event_types: ['order.paid', 'order.refunded'] });
    const other = await seller.add({ event_types: ['product.reviewed'] });
    const disabled = await seller.add();
    await seller.ask('PATCH', `/${disabled.id}`, { body: { enabled: false } });
    const stranger = await scene.newSeller();
    const elsewhere = await stranger.add();
    await seller.happen(paid());
    const [recorded] = await scene.log.recorded();
    await scene.log.publish();

    const [event] = await scene.keptOf(sellerId);
    expect(event).toEqual(recorded);
    const items = await scene.readAll();
    const kept = items[`SELLER_EVENTS#${sellerId} EVENT#${event?.id}`];
    expect(kept?.['ttl']).toBe(scene.now().getTime() / 1000 + 30 * 24 * 3600);
    expect(await deliveriesTo(all)).toEqual([event?.id]);
    expect(await deliveriesTo(sales)).toEqual([event?.id]);
    for (const endpoint of [other, disabled, elsewhere]) expect(await deliveriesTo(endpoint)).toEqual([]);
    expect(await jobsLeft()).toEqual([]);
    expect(scene.queue.sent.toSorted()).toEqual([taskOf(sellerId, all), taskOf(sellerId, sales)].toSorted());
    for (const endpoint of [all, sales]) expect(await scene.job(taskOf(sellerId, endpoint))).toMatchObject({ state: 'waiting' });
    for (const endpoint of [other, disabled]) expect(await scene.job(taskOf(sellerId, endpoint))).toBeUndefined();
    expect(scene.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  test('keeps an event that no endpoint wants, by a plain write of its own', async () => {
    await seller.add({ event_types: ['product.reviewed'] });
    await seller.happen(paid());
    const [event] = await scene.log.recorded();
    scene.takeRequestCounts();
    await scene.log.work(messageOf(event?.id ?? ''));
    expect(scene.takeRequestCounts()).toEqual({ UpdateItem: 1, Query: 1, PutItem: 1, DeleteItem: 1 });
    expect(await keptIds()).toEqual([event?.id]);
    expect([await jobsLeft(), scene.queue.sent]).toEqual([[], []]);
  });

  test('keeps nothing of what no endpoint was there to hear, and brings it to none that is made later', async () => {
    await seller.happen(paid());
    const [event] = await scene.log.recorded();
    const recorded = await scene.job(`publish-event:${event?.id}`);
    await scene.log.publish();
    scene.pass(1);
    const made = await seller.add();
    await scene.table.write({ put: { Item: { ...recorded } } });
    await scene.log.publish();
    expect([await keptIds(), await deliveriesTo(made), await jobsLeft()]).toEqual([[], [], []]);
  });

  test('brings an event that is for one endpoint to this alone, whatever types it wants', async () => {
    const one = await seller.add({ event_types: ['order.paid'] });
    const all = await seller.add();
    await seller.ask('POST', `/${one.id}/test`);
    await scene.log.publish();
    expect([await deliveriesTo(one), await deliveriesTo(all)]).toEqual([await keptIds(), []]);
    await seller.ask('PATCH', `/${one.id}`, { body: { enabled: false } });
    await seller.ask('POST', `/${one.id}/test`);
    await scene.log.publish();
    expect([(await keptIds()).length, (await deliveriesTo(one)).length]).toEqual([2, 1]);
  });

  test('does it once, however often and by whomever it is told', async () => {
    const made = await seller.add();
    await seller.happen(paid());
    const [event] = await scene.log.recorded();
    const message = messageOf(event?.id ?? '');
    for (const reply of await Promise.all([scene.log.work(message), scene.log.work(message)])) expect(reply.batchItemFailures).toEqual([]);
    await scene.log.work(message);
    expect([await keptIds(), await deliveriesTo(made)]).toEqual([[event?.id], [event?.id]]);
    expect(scene.queue.sent).toEqual([taskOf(sellerId, made)]);
  });

  test('hears of events from the stream of the table as from its queue', async () => {
    await seller.add();
    await seller.happen(paid());
    await seller.happen(disputed());
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
    expect(await keptIds()).toEqual(recorded.map(({ id }) => id));
  });

  test.each<[string, object]>([
    ['of a type that is none', { type: 'order.eaten' }],
    ['that lacks what its type tells', { data: { orderId: 'ord_1' } }],
    ['that is no event', { at: 'yesterday' }],
  ])('buries an event %s, at once, and does the rest', async (_, broken) => {
    const made = await seller.add();
    await seller.happen(paid());
    const [event] = await scene.log.recorded();
    const unreadable: EventId = newId('event');
    const id = jobId({ kind: 'publish-event', eventId: unreadable });
    const item = await scene.job(`publish-event:${event?.id}`);
    const Item = {
      ...item,
      ...jobKey(id),
      ...pendingKey(id, String(item?.['dueAt'])),
      id,
      payload: { ...event, id: unreadable, ...broken },
    };
    await scene.table.write({ put: { Item } });
    const { Records } = toSqsEvent([id, `publish-event:${event?.id}`]);
    expect(await scene.log.work({ Records })).toEqual({ batchItemFailures: [] });
    expect(await scene.job(id)).toMatchObject({ state: 'dead', lastFailure: 'seller_event_unreadable' });
    expect(await deliveriesTo(made)).toEqual([event?.id]);
  });

  test('keeps of an event what its type tells, and nothing else', async () => {
    const happening = paid();
    await seller.add();
    await seller.happen({ ...happening, data: { ...happening.data, licenseKey: 'LIC1-SECRET' } } as unknown as NewEvent);
    await scene.log.publish();
    expect((await scene.keptOf(sellerId)).map((event) => event.data)).toEqual([happening.data]);
  });
});

test('the publisher names to the stream what it could not even begin, by its sequence number', async () => {
  const plan = createCrashPlan();
  const scene = await openWebhookScene({ faults: plan });
  const seller = await scene.newSeller();
  await seller.add();
  await seller.happen(paid());
  const [event] = await scene.log.recorded();
  const { pk, sk } = jobKey(`publish-event:${event?.id}`);
  plan.crashAt(1, 'before');
  const record = { eventName: 'INSERT', dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } }, SequenceNumber: '4421' } } as const;
  expect(await scene.log.work({ Records: [record] })).toEqual({ batchItemFailures: [{ itemIdentifier: '4421' }] });
  plan.revive();
  expect(await scene.log.work({ Records: [record] })).toEqual({ batchItemFailures: [] });
  expect(await scene.keptOf(seller.seller.id)).toHaveLength(1);
});

test('a publisher that dies at any of its calls leaves an event that is published once, and a sender that knows of it', async () => {
  const plan = createCrashPlan();
  const scene = await openWebhookScene({ faults: plan });
  const plain = createTable({ tableName: scene.tableName, dynamo: createSdkDynamo() });
  let deaths = 0;
  for (const when of ['before', 'after'] as const) {
    for (let call = 1, died = true; died; call += 1) {
      plan.revive();
      const seller = await scene.newSeller();
      const [all, changed] = [await seller.add(), await seller.add()];
      await seller.happen(paid());
      scene.queue.take();
      plan.crashAt(call, when);
      await scene.log.publish().catch(() => undefined);
      died = plan.calls >= call;
      plan.revive();
      deaths += Number(died);
      // What it did by then may have been decided on other wishes than those of now.
      await seller.ask('PATCH', `/${changed.id}`, { body: { event_types: ['test'] } });
      scene.pass(120);
      await scene.log.publish();
      const kept = await scene.keptOf(seller.seller.id);
      expect(kept).toHaveLength(1);
      expect(await scene.log.recorded()).toEqual([]);
      for (const { id } of [all, changed]) {
        const { items } = await listDeliveries(scene.plain, id, { limit: 10 });
        const { items: due } = await plain.query({ partition: `ENDPOINT#${id}`, prefix: 'DUE#' });
        expect(due).toHaveLength(items.length);
        if (id === all.id) expect(items).toHaveLength(1);
        if (items.length > 0) expect(await scene.job(taskOf(seller.seller.id, { id }))).toMatchObject({ state: 'waiting' });
      }
    }
  }
  expect(deaths).toBeGreaterThanOrEqual(2 * 5);
}, 60_000);

describe('of the devices of a license', () => {
  const licenseId = newId('license');
  const data = { orderId: newId('order'), productId: newId('product'), licenseId, activationCount: 3, activationLimit: 3 };
  const refused: NewEvent = { type: 'activation.refused', data: { ...data, code: 'activation_limit_exceeded' } };
  const created = (): NewEvent => ({ type: 'activation.created', data: { ...data, activationId: newId('activation') } });

  const released: NewEvent = { type: 'activation.released', data: { ...data, releasedCount: 1 } };

  async function listen(faults?: Faults, endpoint?: object) {
    const scene = await openWebhookScene(faults && { faults });
    const seller = await scene.newSeller();
    await seller.add({ ...endpoint });
    const tell = async (happening: NewEvent, times = 1) => {
      for (let time = 0; time < times; time += 1) await seller.happen(happening);
      await scene.log.publish();
    };
    /** Of each event that is kept, how many refusals it counts, or that it is of another kind, and what was suppressed before. */
    const told = async () =>
      (await scene.keptOf(seller.seller.id)).map(({ data: { count = 'one', suppressed = 0 } }) => [count, suppressed]);
    const later = async () => {
      await scene.log.work(toSqsEvent([`tell-refusals:${seller.seller.id}/${licenseId}`]));
      await scene.log.publish();
    };
    const messages = () => scene.queue.sent.filter((id) => id.startsWith('tell-refusals'));
    return { scene, seller, tell, told, later, messages };
  }

  test('refusals are told once a minute, the first at once and the others together', async () => {
    const { scene, seller, tell, told, later, messages } = await listen();
    const expiry = async () => (await scene.readAll())[`SELLER_EVENTS#${seller.seller.id} ACTIVATIONS#${licenseId}`]?.['ttl'];
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
    expect((await scene.keptOf(seller.seller.id))[1]?.data).toMatchObject({ activationLimit: 2 });
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
    const { scene, seller, tell, told, later, messages } = await listen();
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
    const { scene, tell, told, later, messages } = await listen(undefined, { event_types: ['order.paid'] });
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
    let isDown = false;
    const { scene, seller, told } = await listen({
      async call(name, make) {
        if (isDown && name.startsWith('TransactWrite')) {
          isDown = false;
          throw new Error('The table is away.');
        }
        return make();
      },
    });
    await seller.happen(created());
    await seller.happen(created());
    const messages = toSqsEvent((await scene.log.recorded()).map(({ id }) => `publish-event:${id}`));
    isDown = true;
    await scene.log.work(messages);
    expect([(await told()).length, (await scene.log.recorded()).length]).toEqual([1, 1]);
  });

  test('each is told or counted once, wherever the publisher dies', async () => {
    const plan = createCrashPlan();
    let deaths = 0;
    for (let call = 1, died = true; died; call += 1) {
      plan.revive();
      const { scene, seller, tell, told, later } = await listen(plan);
      await tell(refused);
      await seller.happen(refused);
      await seller.happen(refused);
      plan.crashAt(call, 'after');
      await scene.log.publish().catch(() => undefined);
      scene.pass(60);
      await later().catch(() => undefined);
      died = plan.calls >= call;
      deaths += Number(died);
      plan.revive();
      for (let round = 0; round < 3; round += 1) {
        scene.pass(61);
        await scene.log.publish();
        await later();
      }
      await scene.log.publish();
      expect((await told()).reduce((sum, [count]) => sum + Number(count), 0)).toBe(3);
    }
    expect(deaths).toBeGreaterThanOrEqual(5);
  }, 60_000);
});

describe('in every order of two at once', () => {
  const interleaver = createInterleaver();

  test('two publishers of one event: it is kept once, and brought once to each endpoint', async () => {
    const scene = await openWebhookScene({ faults: interleaver });
    const seller = await scene.newSeller();
    const made = await seller.add();
    await inEveryOrder(async (picks) => {
      await seller.happen(paid());
      const [event] = await scene.log.recorded();
      const message = toSqsEvent([`publish-event:${event?.id}`]);
      await interleaver.run<unknown>(picks, [() => scene.log.work(message), () => scene.log.work(message)]);
      expect(await scene.log.recorded()).toEqual([]);
      const { items } = await listDeliveries(scene.plain, made.id, { limit: 100 });
      expect(items.filter(({ eventId }) => eventId === event?.id)).toHaveLength(1);
    });
    const { items } = await listDeliveries(scene.plain, made.id, { limit: 100 });
    expect(items).toHaveLength((await scene.keptOf(seller.seller.id)).length);
  });

  test.each([
    ['made', 4],
    ['deleted', 5],
  ] as const)('two endpoints that are %s: their number stays what it is', async (what, before) => {
    const scene = await openWebhookScene({ faults: interleaver });
    await inEveryOrder(async (picks) => {
      const seller = await scene.newSeller();
      const made: { id: string }[] = [];
      for (let at = 0; at < before; at += 1) made.push(await seller.add());
      const make = () => seller.ask('POST', '', { body: { url: 'https://hooks.example.com/' } });
      const remove = () => seller.ask('POST', `/${made[0]?.id}/delete`);
      const both = what === 'made' ? [make, make] : [remove, remove];
      const replies = await interleaver.run(picks, both);
      expect(replies.map(({ status }) => status).toSorted()).toEqual(what === 'made' ? [201, 400] : [200, 404]);
      const left = (await seller.ask('GET')).json.items.length;
      expect(left).toBe(what === 'made' ? 5 : 4);
      expect((await make()).status).toBe(what === 'made' ? 400 : 201);
    });
  });

  test('an endpoint that is rotated and changed: both are seen, and the rotation counts once', async () => {
    const scene = await openWebhookScene({ faults: interleaver, environment: { RATE_LIMIT_ROTATIONS: '10' } });
    await inEveryOrder(async (picks) => {
      const seller = await scene.newSeller();
      const made = await seller.add();
      const rotate = () => seller.ask('POST', `/${made.id}/rotate-secret`);
      const change = () => seller.ask('PATCH', `/${made.id}`, { body: { description: 'Ours', enabled: false } });
      const replies = await interleaver.run(picks, [rotate, change]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      expect(await seller.stored(made.id)).toMatchObject({ description: 'Ours', enabled: false, formerSecrets: [{}], revision: 3 });
    });
    const counted = Object.entries(await scene.readAll()).filter(([key]) => key.startsWith('RATE#rotations'));
    // Of ten in an hour one is spent, also where it was decided on twice.
    for (const [, { fullAt }] of counted) expect(fullAt).toBe((scene.now().getTime() + 360_000) * 1000);
    expect(counted).not.toEqual([]);
  });

  test('an endpoint that is deleted while a replay is asked for: none is left', async () => {
    const scene = await openWebhookScene({ faults: interleaver });
    await inEveryOrder(async (picks) => {
      const seller = await scene.newSeller();
      const made = await seller.add();
      const replies = await interleaver.run(picks, [
        () => seller.ask('POST', `/${made.id}/delete`),
        () => seller.ask('POST', `/${made.id}/replay`),
      ]);
      expect(replies[0]?.status).toBe(200);
      expect([202, 404]).toContain(replies[1]?.status);
      expect(Object.keys(await scene.readAll()).filter((key) => key.startsWith(`ENDPOINT#${made.id}`))).toEqual([]);
    });
  });
});

test('of fifty endpoints that are made at once five are, and of fifty deletions of one the first gives its place back', async () => {
  const scene = await openWebhookScene();
  const seller = await scene.newSeller();
  const make = () => seller.ask('POST', '', { body: { url: 'https://hooks.example.com/' } });
  const statusesOf = async (ask: () => ReturnType<typeof make>) => {
    const replies = await Promise.all(Array.from({ length: 50 }, ask));
    return Object.fromEntries([...Map.groupBy(replies, ({ status }) => status)].map(([status, all]) => [status, all.length]));
  };
  expect(await statusesOf(make)).toEqual({ 201: 5, 400: 45 });
  const { items } = (await seller.ask('GET')).json;
  expect(items).toHaveLength(5);
  expect(await statusesOf(() => seller.ask('POST', `/${items[0].id}/delete`))).toEqual({ 200: 1, 404: 49 });
  expect(await statusesOf(make)).toEqual({ 201: 1, 400: 49 });
});
