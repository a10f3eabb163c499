import { beforeEach, describe, expect, test } from '@jest/globals';
import { sellerEventKey } from '../../../shared/db/keys.ts';
import { type EventId, lastIdBefore, newId } from '../../../shared/ids.ts';
import { wakeJob } from '../../../shared/jobs/job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { findSellerEvent, keepSellerEvent } from '../../../shared/seller-events/seller-event-repository.ts';
import type { AttemptOutcome } from '../../../shared/webhook-endpoints/deliveries/delivery.ts';
import { cancelReplay, findReplay } from '../../../shared/webhook-endpoints/deliveries/delivery-repository.ts';
import type { WebhookEndpointRecord } from '../../../shared/webhook-endpoints/endpoints/webhook-endpoint.ts';
import { createDeliveryScene, type DeliveryScene, happening } from '../../support/scenes/events/delivery-scene.ts';

const url = 'https://hooks.example.com/';
const day = 24 * 3600;
let scene: DeliveryScene;
let endpoint: WebhookEndpointRecord;
/** The events that were sent, in order. */
let sent: string[];
let atOnce: number;
let answer: (eventId: string) => AttemptOutcome | Promise<AttemptOutcome>;
beforeEach(async () => {
  sent = [];
  atOnce = 0;
  answer = () => ({ statusCode: 200 });
  let open = 0;
  scene = await createDeliveryScene({
    async send(_url, { headers }) {
      const eventId = headers['webhook-id']?.slice(0, -9) ?? '';
      sent.push(eventId);
      open += 1;
      atOnce = Math.max(atOnce, open);
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      return answer(eventId);
    },
  });
  endpoint = await scene.addEndpoint({ url });
});
const at = (seconds: number) => new Date(scene.now().getTime() + seconds * 1000).toISOString();
const work = () => scene.work([jobId(scene.deliverJobOf(endpoint.id))]);
const sweepNothing = () => scene.queue.splice(0);
const replayRecord = () => findReplay(scene.table, endpoint.id);

/** Events that the table keeps, a second apart, without any delivery. */
async function keep(count: number): Promise<EventId[]> {
  const begin = scene.now().getTime() - count * 1000;
  const ids: EventId[] = [];
  for (let start = 0; start < count; start += 100) {
    const writes = Array.from({ length: Math.min(100, count - start) }, (_, index) => {
      const time = new Date(begin + (start + index) * 1000);
      const id = lastIdBefore('event', new Date(time.getTime() + 1));
      ids.push(id);
      const { type, data } = happening('order.paid');
      return keepSellerEvent({ id, sellerId: scene.sellerId, type, at: time.toISOString(), data });
    });
    await scene.table.transact(writes);
  }
  return ids;
}

describe('a replay', () => {
  test('sends everything again that is kept, in order and one at a time, and ends', async () => {
    const ids = await scene.happen('order.paid', 'order.refunded', 'product.reviewed');
    await scene.arrive();
    scene.skip(1);
    sent = [];
    atOnce = 0;
    await scene.replay(endpoint);
    await scene.arrive();
    expect(sent).toEqual(ids);
    expect(atOnce).toBe(1);
    expect(await replayRecord()).toBeUndefined();
    expect(await scene.jobOf(endpoint)).toBeUndefined();
    expect(await scene.deliveriesOf(endpoint)).toEqual(
      ids.map((eventId) => expect.objectContaining({ eventId, status: 'delivered', attempts: 1 })),
    );
  });

  test('begins at a time, and leaves out what happened before or after it was asked for', async () => {
    const ids = await scene.happen('order.paid');
    scene.skip(10);
    ids.push(...(await scene.happen('order.refunded')));
    const since = scene.now().toISOString();
    scene.skip(10);
    ids.push(...(await scene.happen('order.paid')));
    await scene.arrive();
    scene.skip(1);
    sent = [];
    await scene.replay(endpoint, { since });
    scene.skip(1);
    const [later] = await scene.happen('order.paid');
    await scene.arrive();
    expect(sent).toEqual([later, ids[1], ids[2]]);
  });

  test('leaves out what happened before the endpoint was made', async () => {
    const ids = await keep(3);
    const event = await findSellerEvent(scene, scene.sellerId, ids[1]!);
    await scene.change(endpoint, { createdAt: event!.at });
    await scene.replay(endpoint);
    await scene.arrive();
    expect(sent).toEqual(ids.slice(1));
  });

  test('goes by the time of an event, where its id is of a later one', async () => {
    const since = at(-60);
    const { type, data } = happening('order.paid');
    const before = { id: lastIdBefore('event', new Date(at(-50))), sellerId: scene.sellerId, type, at: at(-61), data };
    await scene.table.write(keepSellerEvent(before));
    const [after] = await keep(1);
    await scene.replay(endpoint, { since });
    await scene.arrive();
    expect(sent).toEqual([after]);
  });

  test('sends what happened while the endpoint was disabled, of the types that it wants alone', async () => {
    await scene.change(endpoint, { enabled: false, eventTypes: ['order.refunded'] });
    const ids = await scene.happen('order.paid', 'order.refunded', 'order.paid', 'order.refunded');
    await scene.change(endpoint, { enabled: true });
    scene.skip(1);
    await scene.replay(endpoint);
    await scene.arrive();
    expect(sent).toEqual([ids[1], ids[3]]);
    expect(await scene.deliveriesOf(endpoint)).toHaveLength(2);
  });

  test('finds what is wanted behind any number that is not', async () => {
    await scene.change(endpoint, { eventTypes: ['order.refunded'] });
    await keep(120);
    scene.skip(1);
    const [wanted] = await scene.happen('order.refunded');
    await scene.arrive();
    sent = [];
    scene.skip(1);
    await scene.replay(endpoint);
    await scene.arrive();
    expect(sent).toEqual([wanted]);
  });

  test('of single events sends them whatever their types, each once however often it is asked for', async () => {
    await scene.change(endpoint, { eventTypes: ['order.refunded'] });
    const ids = await scene.happen('order.paid', 'order.paid', 'order.paid');
    await scene.arrive();
    expect(sent).toEqual([]);
    for (const eventId of [ids[2], ids[0], ids[2]]) await scene.replay(endpoint, { eventId });
    await scene.arrive();
    expect(sent).toEqual([ids[0], ids[2]]);
    expect(await replayRecord()).toBeUndefined();
  });

  test('of an event that is not there, or is another seller’s, sends nothing and ends', async () => {
    const { id: other } = await scene.addEndpoint({ url, sellerId: newId('seller') });
    expect(other).not.toBe(endpoint.id);
    const [foreign] = await scene.happenTo(newId('seller'), 'order.paid');
    await scene.replay(endpoint, { eventId: newId('event') });
    if (foreign) await scene.replay(endpoint, { eventId: foreign });
    await scene.arrive();
    expect(sent).toEqual([]);
    expect(await replayRecord()).toBeUndefined();
    expect(await scene.jobOf(endpoint)).toBeUndefined();
  });

  test('sends no event that is gone, even while the table still has it', async () => {
    const old = await scene.happen('order.paid');
    await scene.arrive();
    scene.skip(30 * day - 1);
    const [recent] = await scene.happen('order.paid');
    await scene.arrive();
    sent = [];
    scene.skip(0.999);
    await scene.replay(endpoint);
    await scene.arrive();
    expect(sent).toEqual([...old, recent]);
    scene.skip(0.001);
    await scene.replay(endpoint);
    await scene.replay(endpoint, { eventId: old[0] });
    await scene.arrive();
    expect(sent.slice(2)).toEqual([recent]);
    expect(await scene.table.get(sellerEventKey(scene.sellerId, old[0] ?? newId('event')))).toBeDefined();
    expect(scene.messages()).toEqual([]);
  });

  test('leaves a failing event to its own schedule and goes on after a rest', async () => {
    const ids = await keep(4);
    answer = (eventId) => (eventId === ids[1] ? { statusCode: 500, error: 'status' } : { statusCode: 200 });
    await scene.replay(endpoint);
    await scene.arrive();
    expect(sent).toEqual(ids.slice(0, 2));
    await scene.pass(5 + 10);
    expect(sent.slice(2)).toEqual([ids[1], ids[2], ids[3]]);
    expect(await scene.deliveriesOf(endpoint)).toMatchObject([
      { status: 'delivered' },
      { status: 'pending', attempts: 2 },
      { status: 'delivered' },
      { status: 'delivered' },
    ]);
  });

  test('begins the attempts of an event anew that had failed or waits for its next', async () => {
    answer = () => ({ statusCode: 500, error: 'status' });
    const [eventId] = await scene.happen('order.paid');
    await scene.arrive();
    await scene.pass(5);
    const [first] = await scene.deliveriesOf(endpoint);
    expect(first).toMatchObject({ attempts: 2 });
    answer = () => ({ statusCode: 200 });
    await scene.replay(endpoint, { eventId });
    await scene.pass(60);
    expect(await scene.deliveriesOf(endpoint)).toMatchObject([{ status: 'delivered', attempts: 1, createdAt: first?.createdAt }]);
    expect(await scene.pendingOf(endpoint)).toEqual([]);
    await scene.pass(day);
    expect(sent).toHaveLength(3);
  });

  test('lets what happens meanwhile go first', async () => {
    const ids = await keep(30);
    let live: EventId[] = [];
    answer = async () => {
      if (sent.length === 5) live = await scene.happen('order.refunded', 'order.refunded');
      return { statusCode: 200 };
    };
    await scene.replay(endpoint);
    await scene.arrive();
    expect(sent.slice(0, 5)).toEqual(ids.slice(0, 5));
    expect(sent.slice(5, 7).toSorted()).toEqual(live.toSorted());
    expect(sent.slice(7)).toEqual(ids.slice(5));
  });

  test('that is asked for again begins anew, and one of a later time is part of it', async () => {
    const ids = await keep(10);
    answer = async () => {
      if (sent.length === 4) await scene.replay(endpoint, { since: at(-3) });
      if (sent.length === 8) await scene.replay(endpoint);
      return { statusCode: 200 };
    };
    await scene.replay(endpoint);
    await scene.arrive();
    expect(sent.slice(0, 8)).toEqual(ids.slice(0, 8));
    expect(sent.slice(8)).toEqual(ids);
  });

  test('survives the end of a run, and is bounded in each', async () => {
    const ids = await keep(60);
    answer = () => {
      scene.skip(1);
      return { statusCode: 200 };
    };
    await scene.replay(endpoint);
    sweepNothing();
    await work();
    expect(sent).toEqual(ids.slice(0, 42));
    await scene.arrive();
    expect(sent).toEqual(ids);
  });

  test('of ten thousand events ends where the endpoint is disabled, and does not go on when it is enabled', async () => {
    const ids = await keep(10_000);
    answer = async () => {
      if (sent.length === 20) {
        await scene.table.transact([cancelReplay(endpoint.id)]);
        await scene.change(endpoint, { enabled: false });
      }
      return { statusCode: 200 };
    };
    await scene.replay(endpoint);
    scene.takeRequestCounts();
    await scene.arrive();
    const requests = Object.values(scene.takeRequestCounts()).reduce((sum, count) => sum + count, 0);
    expect(sent).toEqual(ids.slice(0, 20));
    expect(requests).toBeLessThan(20 * 12);
    expect(await scene.jobOf(endpoint)).toBeUndefined();
    await scene.change(endpoint, { enabled: true });
    await scene.table.write(wakeJob(scene, scene.deliverJobOf(endpoint.id), 60));
    await work();
    expect(sent).toHaveLength(20);
  });

  test('ends with an endpoint that says 410', async () => {
    const ids = await keep(10);
    answer = (eventId) => (eventId === ids[2] ? { statusCode: 410, error: 'status' } : { statusCode: 200 });
    await scene.replay(endpoint);
    await scene.arrive();
    expect(sent).toEqual(ids.slice(0, 3));
    expect(await replayRecord()).toBeUndefined();
  });
});
