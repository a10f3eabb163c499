import { beforeEach, describe, expect, test } from '@jest/globals';
import { type EventId, lastIdBefore, newId } from '../../../shared/ids.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { findSellerEvent, keepSellerEvent } from '../../../shared/seller-events/seller-event-repository.ts';
import { cancelReplay, findReplay } from '../../../shared/webhook-endpoints/deliveries/delivery-repository.ts';
import type { WebhookEndpointRecord } from '../../../shared/webhook-endpoints/endpoints/webhook-endpoint.ts';
import { createDeliveryScene, type DeliveryScene, happening } from '../../support/scenes/events/delivery-scene.ts';

const url = 'https://hooks.example.com/';
const day = 24 * 3600;
const [taken, failed] = [{ statusCode: 200 }, { statusCode: 500, error: 'status' } as const];
let scene: DeliveryScene;
let network: DeliveryScene['network'];
let endpoint: WebhookEndpointRecord;
beforeEach(async () => {
  scene = await createDeliveryScene();
  ({ network } = scene);
  endpoint = await scene.addEndpoint({ url });
});
/** The events that were sent, in order. */
const sent = () => network.sent.map(({ eventId }) => eventId);
const forget = () => network.sent.splice(0);
const at = (seconds: number) => new Date(scene.now().getTime() + seconds * 1000).toISOString();
const work = () => scene.work([jobId(scene.deliverJobOf(endpoint.id))]);
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

async function replayAll(request: Parameters<DeliveryScene['replay']>[1] = {}) {
  scene.skip(1);
  forget();
  await scene.replay(endpoint, request);
  await scene.arrive();
}

describe('a replay', () => {
  test('sends everything again that is kept, in order and one at a time, and ends', async () => {
    let [open, atOnce] = [0, 0];
    const ids = await scene.happen('order.paid', 'order.refunded', 'product.reviewed');
    await scene.arrive();
    network.before = async () => {
      open += 1;
      atOnce = Math.max(atOnce, open);
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
    };
    await replayAll();
    expect([sent(), atOnce]).toEqual([ids, 1]);
    expect([await replayRecord(), await scene.jobOf(endpoint)]).toEqual([undefined, undefined]);
    expect(await scene.deliveriesOf(endpoint)).toEqual(
      ids.map((eventId) => expect.objectContaining({ eventId, status: 'delivered', attempts: 1 })),
    );
  });

  test('begins at a time, by that of the events, and leaves out what happens after it was asked for', async () => {
    const since = at(-2);
    const { type, data } = happening('order.paid');
    // Its id is of a later time than it.
    const before = { id: lastIdBefore('event', new Date(at(-1))), sellerId: scene.sellerId, type, at: at(-3), data };
    await scene.table.write(keepSellerEvent(before));
    const ids = await keep(2);
    await scene.replay(endpoint, { since });
    scene.skip(1);
    const [later] = await scene.happen('order.paid');
    await scene.arrive();
    expect(sent()).toEqual([later, ...ids]);
  });

  test('leaves out what happened before the endpoint was made', async () => {
    const ids = await keep(3);
    const event = await findSellerEvent(scene, scene.sellerId, ids[1]!);
    await scene.change(endpoint, { createdAt: event!.at });
    await replayAll();
    expect(sent()).toEqual(ids.slice(1));
  });

  test('sends what happened while the endpoint was disabled, of the types that it wants alone, behind any number of others', async () => {
    await scene.change(endpoint, { enabled: false, eventTypes: ['order.refunded'] });
    await keep(120);
    const ids = await scene.happen('order.paid', 'order.refunded', 'order.paid', 'order.refunded');
    await scene.change(endpoint, { enabled: true });
    await replayAll();
    expect(sent()).toEqual([ids[1], ids[3]]);
    expect(await scene.deliveriesOf(endpoint)).toHaveLength(2);
  });

  test('of single events sends them whatever their types, each once however often it is asked for, and none that is not there', async () => {
    await scene.change(endpoint, { eventTypes: ['order.refunded'] });
    const ids = await scene.happen('order.paid', 'order.paid', 'order.paid');
    const [foreign] = await scene.happenTo(newId('seller'), 'order.paid');
    await scene.arrive();
    expect(sent()).toEqual([]);
    for (const eventId of [ids[2], ids[0], ids[2], newId('event'), foreign]) await scene.replay(endpoint, { eventId });
    await scene.arrive();
    expect(sent()).toEqual([ids[0], ids[2]]);
    expect([await replayRecord(), await scene.jobOf(endpoint)]).toEqual([undefined, undefined]);
  });

  test('leaves a failing event to its own schedule and goes on after a rest', async () => {
    const ids = await keep(4);
    network.answer = ({ eventId }) => (eventId === ids[1] ? failed : taken);
    await scene.replay(endpoint);
    await scene.arrive();
    expect(sent()).toEqual(ids.slice(0, 2));
    await scene.pass(5 + 10);
    expect(sent().slice(2)).toEqual([ids[1], ids[2], ids[3]]);
    expect((await scene.deliveriesOf(endpoint)).map(({ status, attempts }) => [status, attempts])).toEqual([
      ['delivered', 1],
      ['pending', 2],
      ['delivered', 1],
      ['delivered', 1],
    ]);
  });

  test('begins the attempts of an event anew that had failed or waits for its next', async () => {
    network.answer = () => failed;
    const [eventId] = await scene.happen('order.paid');
    await scene.pass(5);
    const [first] = await scene.deliveriesOf(endpoint);
    expect(first).toMatchObject({ attempts: 2 });
    network.answer = () => taken;
    await scene.replay(endpoint, { eventId });
    await scene.pass(60);
    expect(await scene.deliveriesOf(endpoint)).toMatchObject([{ status: 'delivered', attempts: 1, createdAt: first?.createdAt }]);
    await scene.pass(day);
    expect([sent().length, await scene.pendingOf(endpoint)]).toEqual([3, []]);
  });

  test('lets what happens meanwhile go first, and survives the end of a run', async () => {
    const ids = await keep(12);
    let live: EventId[] = [];
    network.answer = async () => {
      scene.skip(6);
      if (network.sent.length === 5) live = await scene.happen('order.refunded');
      return taken;
    };
    await scene.replay(endpoint);
    scene.queue.splice(0);
    await work();
    expect(sent()).toEqual([...ids.slice(0, 5), ...live, ids[5]]);
    await scene.arrive();
    expect(sent().slice(6)).toEqual(ids.slice(5));
  });

  test('that is asked for again begins anew, and one of a later time is part of it', async () => {
    const ids = await keep(10);
    network.answer = async () => {
      if (network.sent.length === 4) await scene.replay(endpoint, { since: at(-3) });
      if (network.sent.length === 8) await scene.replay(endpoint);
      return taken;
    };
    await scene.replay(endpoint);
    await scene.arrive();
    expect(sent()).toEqual([...ids.slice(0, 8), ...ids]);
  });

  test('of very many events reads a few at a time, ends where the endpoint is disabled, and does not go on when it is enabled', async () => {
    const ids = await keep(1000);
    network.answer = async () => {
      if (network.sent.length !== 20) return taken;
      await scene.table.transact([cancelReplay(endpoint.id)]);
      await scene.change(endpoint, { enabled: false });
      return taken;
    };
    await scene.replay(endpoint);
    scene.takeRequestCounts();
    await scene.arrive();
    const requests = Object.values(scene.takeRequestCounts()).reduce((sum, count) => sum + count, 0);
    expect([sent(), await scene.jobOf(endpoint)]).toEqual([ids.slice(0, 20), undefined]);
    expect(requests).toBeLessThan(20 * 12);
    await scene.enable(endpoint);
    expect(network.sent).toHaveLength(20);
  });

  test('ends with an endpoint that says 410', async () => {
    const ids = await keep(10);
    network.answer = ({ eventId }) => (eventId === ids[2] ? { statusCode: 410, error: 'status' } : taken);
    await scene.replay(endpoint);
    await scene.arrive();
    expect([sent(), await replayRecord()]).toEqual([ids.slice(0, 3), undefined]);
  });
});
