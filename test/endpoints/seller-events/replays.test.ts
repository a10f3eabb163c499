import { beforeAll, describe, expect, test } from '@jest/globals';
import { replayKey } from '../../../shared/db/keys.ts';
import { lastIdBefore, newId } from '../../../shared/ids.ts';
import { keepSellerEvent } from '../../../shared/seller-events/seller-event-repository.ts';
import { messageIdOf } from '../../../shared/webhook-endpoints/deliveries/delivery.ts';
import { replayEvents } from '../../../shared/webhook-endpoints/replay-events.ts';
import { openWebhookScene, type WebhookScene } from '../../support/scenes/events/webhook-scene.ts';

let scene: WebhookScene;
beforeAll(async () => {
  scene = await openWebhookScene();
});

const error = (status: number, code: string) => ({ status, json: { code } });
const accepted = (count: number) => ({ status: 202, json: { count } });
const sale = () => {
  const ids = { orderId: newId('order'), productId: newId('product') };
  return { ...ids, status: 'paid', amount: 1200, currency: 'JPY', kind: 'license', quantity: 3 };
};

/** A seller with an endpoint, to which an event was published. */
async function openSale() {
  const seller = await scene.newSeller();
  const made = await seller.add();
  await seller.happen({ type: 'order.paid', data: sale() });
  await scene.log.publish();
  scene.queue.take();
  const [event] = await scene.keptOf(seller.seller.id);
  if (!event) throw new Error('Nothing was published.');
  const replay = (body?: unknown) => seller.ask('POST', `/${made.id}/replay`, body === undefined ? {} : { body });
  const asked = async () => (await scene.readAll())[`ENDPOINT#${made.id} REPLAY`];
  return { ...seller, made, event, replay, asked, job: `deliver-events:${seller.seller.id}/${made.id}` };
}

describe('a replay', () => {
  test('of all, since a time or of one event is asked for, while the endpoint is disabled too, and the sender woken', async () => {
    const { replay, asked, event, made, job, ask } = await openSale();
    scene.pass(1);
    expect(await replay()).toMatchObject(accepted(1));
    const beginning = '1970-01-01T00:00:00.000Z';
    expect(await asked()).toMatchObject({ sinces: new Set([beginning]), askedAt: scene.now().toISOString() });
    expect(await scene.job(job)).toMatchObject({ state: 'waiting' });
    expect(scene.queue.sent.splice(0)).toEqual([job]);
    scene.pass(1);
    const now = scene.now().toISOString();
    expect(await replay({ since: now })).toMatchObject(accepted(0));
    expect(await replay({ since: '2026-01-31T23:30:00+09:00' })).toMatchObject(accepted(1));
    expect(await replay({ since: '0000-01-01T00:00:00+23:59' })).toMatchObject(accepted(1));
    expect((await asked())?.['sinces']).toEqual(new Set([beginning, now, '2026-01-31T14:30:00.000Z']));
    for (const event_id of [messageIdOf(event.id, made.id), event.id, messageIdOf(event.id, newId('endpoint'))]) {
      expect(await replay({ event_id })).toMatchObject(accepted(1));
      expect(await asked()).toMatchObject({ eventIds: new Set([event.id]) });
    }
    const audited = (await scene.audited(made.id)).filter(({ action }) => action === 'webhook_endpoint.replay').map(({ after }) => after);
    const sinces = [{ since: now }, { since: '2026-01-31T14:30:00.000Z' }, { since: beginning }];
    expect(audited).toEqual([{}, ...sinces, ...Array(3).fill({ eventId: event.id })]);
    await ask('PATCH', `/${made.id}`, { body: { enabled: false } });
    expect(await asked()).toBeUndefined();
    expect((await replay()).status).toBe(202);
    expect(await asked()).toBeDefined();
  });

  test('of more than a thousand counts them all, but for very many', async () => {
    const { replay, seller, made } = await openSale();
    for (let kept = 0; kept < 1100; kept += 100) {
      const times = Array.from({ length: 100 }, (_, index) => new Date(scene.now().getTime() + 1 + kept + index));
      const eventOf = (time: Date) => ({
        id: lastIdBefore('event', time),
        at: time.toISOString(),
        type: 'order.paid' as const,
        data: sale(),
      });
      await scene.table.transact(times.map((time) => keepSellerEvent({ ...eventOf(time), sellerId: seller.id })));
    }
    expect(await replay()).toMatchObject(accepted(1101));
    const quiet = async () => {};
    const c = { table: scene.table, now: scene.now, sendJob: quiet, limitRate: quiet };
    expect(await replayEvents(c, { userId: seller.ownerUserId }, made.id, {}, 1000)).toBe(1000);
  });

  test.each([
    ['a replay', 'POST', '/replay', undefined, true],
    ['a test', 'POST', '/test', undefined, true],
    ['a new URL', 'PATCH', '', { url: 'https://mended.example.com/' }, true],
    ['another name', 'PATCH', '', { description: 'mended' }, false],
    ['an event that happens', undefined, '', undefined, false],
  ] as const)('and %s: whether an endpoint that rests is sent to at once', async (_, method, target, body, isAtOnce) => {
    const { ask, happen, made, job } = await openSale();
    const resting = { restsUntil: new Date(scene.now().getTime() + 300_000).toISOString(), hungRuns: 6 };
    await scene.table.write({ put: { Item: { ...(await scene.job(job)), payload: resting } } });
    if (method) expect((await ask(method, `/${made.id}${target}`, body ? { body } : {})).status).toBeLessThan(300);
    else await happen({ type: 'order.paid', data: sale() });
    await scene.log.publish();
    expect((await scene.job(job))?.['payload']).toEqual(isAtOnce ? {} : resting);
  });

  test('with what is no time or no id, or with both, is refused, and so is one since a time to come', async () => {
    const { replay, asked } = await openSale();
    const next = new Date(scene.now().getTime() + 1).toISOString();
    for (const since of ['2026-01-01', '2026-01-01T00:00:00', '2026-01-01T00:00:00+99:99', 1769850000, next]) {
      const { status, json } = await replay({ since });
      expect([status, json.message]).toEqual([400, expect.stringContaining('since')]);
    }
    for (const body of [
      { event_id: '' },
      { event_id: 'e'.repeat(65) },
      { since: '2026-01-01T00:00:00Z', event_id: 'evt_01ARZ3NDEKTSV4RRFFQ69G5FAV' },
    ])
      expect(await replay(body)).toMatchObject(error(400, 'invalid_request'));
    expect(await asked()).toBeUndefined();
  });

  test('of an event that is not there for the endpoint is refused: unknown, another seller’s, another endpoint’s own, one from before', async () => {
    const { replay, ask, asked, add, event, happen, seller } = await openSale();
    const other = await openSale();
    const beside = await add();
    await happen({ type: 'test', data: { endpointId: beside.id } }, beside.id);
    await scene.log.publish();
    const test = (await scene.keptOf(seller.id)).find(({ type }) => type === 'test');
    scene.pass(1);
    const later = await add();
    expect(await ask('POST', `/${later.id}/replay`, { body: { event_id: event.id } })).toMatchObject(error(404, 'event_not_found'));
    const unknown = [newId('event'), other.event.id, messageIdOf(other.event.id, other.made.id), test?.id, 'evt_', `${other.event.id}_`];
    for (const event_id of unknown) expect(await replay({ event_id })).toMatchObject(error(404, 'event_not_found'));
    expect(await asked()).toBeUndefined();
  });

  test('is refused while a thousand are asked for, and taken again once one was sent', async () => {
    const { replay, made, event } = await openSale();
    const askedAt = scene.now().toISOString();
    const eventIds = Array.from({ length: 1000 }, () => newId('event'));
    const asking = (ids: readonly string[]) => ({ put: { Item: { ...replayKey(made.id), askedAt, eventIds: new Set(ids) } } });
    await scene.table.write(asking(eventIds));
    const refused = { ...error(429, 'rate_limited'), headers: { 'retry-after': '60' } };
    expect(await replay({ event_id: event.id })).toMatchObject(refused);
    expect(await replay()).toMatchObject(accepted(1));
    await scene.table.write(asking(eventIds.slice(1)));
    expect(await replay({ event_id: event.id })).toMatchObject(accepted(1));
  });
});

test('the deliveries of an endpoint are listed by the id that it gets, the latest event first', async () => {
  const { ask, made, happen, seller, add } = await openSale();
  const other = await add();
  scene.pass(1);
  await happen({ type: 'order.refunded', data: { ...sale(), status: 'refunded', amountRefunded: 1200 } });
  await scene.log.publish();
  const [first, second] = await scene.keptOf(seller.id);
  if (!first || !second) throw new Error('Two were to be kept.');
  const list = async ({ id }: { id: string }, query = '') => (await ask('GET', `/${id}/deliveries${query}`)).json;
  const { items } = await list(made);
  const delivery = ({ id, type, at }: typeof first) => {
    const times = { next_attempt_at: at, created_at: at };
    return { event_id: messageIdOf(id, made.id), type, status: 'pending', attempts: 0, ...times };
  };
  expect(items).toEqual([delivery(second), delivery(first)]);
  const page = await list(made, '?limit=1');
  expect(page.items).toEqual(items.slice(0, 1));
  expect((await list(made, `?limit=1&cursor=${page.next_cursor}`)).items).toEqual(items.slice(1));
  expect((await list(other)).items).toMatchObject([{ event_id: messageIdOf(second.id, other.id) }]);
  expect((await list(other, `?cursor=${page.next_cursor}`)).code).toBe('invalid_request');
});
