import { beforeAll, describe, expect, test } from '@jest/globals';
import { openText } from '../../../shared/crypto/sealed-text.ts';
import { sellerEventTypes } from '../../../shared/seller-events/seller-event.ts';
import { messageIdOf } from '../../../shared/webhook-endpoints/deliveries/delivery.ts';
import { sealedSecretsOf } from '../../../shared/webhook-endpoints/endpoints/signing-secret.ts';
import { createEndpointRequest, updateEndpointRequest } from '../../../shared/webhook-endpoints/endpoints/webhook-endpoint.ts';
import { changeEndpoint } from '../../../shared/webhook-endpoints/endpoints/webhook-endpoint-repository.ts';
import { openWebhookScene, receiver, type WebhookScene } from '../../support/scenes/events/webhook-scene.ts';

let scene: WebhookScene;
beforeAll(async () => {
  scene = await openWebhookScene();
});

const error = (status: number, code: string) => ({ status, json: { code } });
const withoutSecret = ({ secret, ...shown }: Record<string, unknown>) => shown;
const secretForm = /^whsec_[A-Za-z0-9+/]{43}=$/;
const otherUrl = 'https://other.example.com/';

/** A seller, and an endpoint that it made as `made` shows, with what it does there. */
async function open(fields: Record<string, unknown> = {}, review: Parameters<WebhookScene['newSeller']>[0] = {}, at = scene) {
  const seller = await at.newSeller(review);
  const made = await seller.add(fields);
  at.queue.take();
  const stored = async () => {
    const record = await seller.stored(made.id);
    if (!record) throw new Error('There is no endpoint.');
    return record;
  };
  return {
    ...seller,
    made,
    job: `deliver-events:${seller.seller.id}/${made.id}`,
    create: (body: object = {}) => seller.ask('POST', '', { body: { url: receiver, ...body } }),
    read: async () => (await seller.ask('GET', `/${made.id}`)).json,
    change: (body: object) => seller.ask('PATCH', `/${made.id}`, { body }),
    post: (action: string) => seller.ask('POST', `/${made.id}/${action}`),
    stored,
    secrets: async () => sealedSecretsOf(await stored(), at.now()).map((sealed) => openText(sealed, made.id, at.encryptionKeys)),
    async write(fields: object) {
      const read = await stored();
      await at.table.write(changeEndpoint(read, { ...read, ...fields }));
    },
  };
}

describe('a webhook endpoint', () => {
  test('is made with a secret of its own, which shows then and never again', async () => {
    const { made, ask, read, change, create, secrets } = await open();
    const shown = { url: receiver, event_types: sellerEventTypes, enabled: true, created_at: scene.now().toISOString() };
    expect(made).toEqual({ id: expect.stringMatching(/^whe_/), ...shown, secret: expect.stringMatching(secretForm) });
    expect(await read()).toEqual(withoutSecret(made));
    expect((await ask('GET')).json).toEqual({ items: [withoutSecret(made)] });
    expect((await change({ description: 'Ours' })).json).toEqual({ ...withoutSecret(made), description: 'Ours' });
    const another = await create();
    expect(another.headers['cache-control']).toBe('no-store');
    expect(another.json.secret).not.toBe(made.secret);
    expect(await secrets()).toEqual([made.secret]);
    const stored = JSON.stringify(await scene.readAll());
    for (const { secret } of [made, another.json]) expect(stored).not.toContain(secret.slice('whsec_'.length));
  });

  test('has the types that were named, each once, and whichever else it was made with', async () => {
    const { made, create, change, stored } = await open({ event_types: ['order.refunded', 'order.paid'], description: '' });
    expect(made).toMatchObject({ event_types: ['order.paid', 'order.refunded'], description: '' });
    for (const event_types of [[], ['order.paid', 'order.paid'], ['order.gone'], ['*'], 'order.paid']) {
      for (const { status, json } of [await create({ event_types }), await change({ event_types })])
        expect([status, json.message]).toEqual([400, expect.stringContaining('event_types')]);
    }
    expect((await change({ event_types: sellerEventTypes })).json.event_types).toEqual(sellerEventTypes);
    expect((await stored()).eventTypes).toBeUndefined();
  });

  test.each(['http://hooks.example.com/', 'https://10.0.0.1/'])('is not at %s', async (url) => {
    const { create, change } = await open();
    for (const { status, json } of [await create({ url }), await change({ url })]) {
      expect([status, json.message]).toEqual([400, expect.stringMatching(/^url must be /)]);
      expect(json.message).not.toContain('hooks');
    }
  });

  test('may be on this machine at the stage local alone', async () => {
    const url = 'http://127.0.0.1:4000/hook';
    const { change } = await open({ url: 'http://127.0.0.1:4001/hook' });
    expect((await change({ url })).json.url).toBe(url);
    for (const request of [createEndpointRequest('staging'), updateEndpointRequest('production')])
      expect(request.safeParse({ url }).success).toBe(false);
  });

  test('is the sixth of its seller never, and the fifth after one was deleted; they are listed in pages, newest first', async () => {
    const { made, add, create, post, ask } = await open();
    const ids = [made.id];
    for (let at = 0; at < 4; at += 1) ids.unshift((await add()).id);
    expect(await create()).toMatchObject(error(400, 'too_many_endpoints'));
    const first = (await ask('GET', '?limit=3')).json;
    const second = (await ask('GET', `?limit=3&cursor=${first.next_cursor}`)).json;
    expect([...first.items, ...second.items].map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(second.next_cursor).toBeUndefined();
    const other = await scene.newSeller();
    expect(await other.ask('GET', `?cursor=${first.next_cursor}`)).toMatchObject(error(400, 'invalid_request'));
    expect(await post('delete')).toMatchObject({ status: 200, json: {} });
    expect(await post('delete')).toMatchObject(error(404, 'endpoint_not_found'));
    expect((await create()).status).toBe(201);
    expect(await create()).toMatchObject(error(400, 'too_many_endpoints'));
  });
});

describe('a change of a webhook endpoint', () => {
  test('keeps what is left out, and is none where nothing differs', async () => {
    const { made, change, stored, secrets } = await open({ event_types: ['order.paid'], description: 'Ours' });
    const before = await stored();
    for (const body of [{}, { url: receiver, event_types: ['order.paid'], description: 'Ours', enabled: true }])
      expect((await change(body)).json).toEqual(withoutSecret(made));
    expect(await stored()).toEqual(before);
    expect(await scene.audited(made.id)).toHaveLength(1);
    expect((await change({ url: otherUrl })).json).toEqual({ ...withoutSecret(made), url: otherUrl });
    expect(await secrets()).toEqual([made.secret]);
  });

  test('is recorded with the host of the URL alone', async () => {
    const { seller, made, change, post } = await open({ event_types: ['order.paid', 'test'] });
    await change({ url: 'https://user-secret.example.com/path-secret?query-secret', enabled: false });
    for (const action of ['rotate-secret', 'replay', 'delete']) await post(action);
    const state = { host: 'hooks.example.com', eventTypes: 'order.paid test', enabled: true };
    const after = { ...state, host: 'user-secret.example.com', enabled: false };
    const actor = seller.ownerUserId;
    expect(await scene.audited(made.id)).toEqual([
      { actor, action: 'webhook_endpoint.create', after: state },
      { actor, action: 'webhook_endpoint.update', before: state, after: { ...after, changed: 'url enabled' } },
      { actor, action: 'webhook_endpoint.rotate_secret' },
      { actor, action: 'webhook_endpoint.replay', after: {} },
      { actor, action: 'webhook_endpoint.delete', before: after },
    ]);
    expect(JSON.stringify(await scene.readAll())).not.toMatch(/path-secret|query-secret/);
  });

  test('that enables it clears why it was disabled, and has sent what waits', async () => {
    const { made, job, read, change, stored, write } = await open();
    expect((await change({ enabled: false })).json.enabled).toBe(false);
    expect([await scene.job(job), scene.queue.sent]).toEqual([undefined, []]);
    await write({ disabledReason: 'failing', failingSince: scene.now().toISOString() });
    expect(await read()).toMatchObject({ enabled: false, disabled_reason: 'failing' });
    expect((await change({ enabled: true })).json).toEqual(withoutSecret(made));
    const { disabledReason, failingSince } = await stored();
    expect([disabledReason, failingSince]).toEqual([undefined, undefined]);
    expect(await scene.job(job)).toMatchObject({ state: 'waiting', attempts: 0 });
    expect(scene.queue.sent.splice(0)).toEqual([job]);
  });

  test('of its URL begins to count failures anew and has sent what waits, and any other does not', async () => {
    const { job, change, stored, write } = await open();
    const failingSince = scene.now().toISOString();
    await write({ failingSince });
    await change({ description: 'Ours', enabled: true });
    expect([(await stored()).failingSince, scene.queue.sent]).toEqual([failingSince, []]);
    await change({ url: otherUrl });
    expect([(await stored()).failingSince, scene.queue.sent.splice(0)]).toEqual([undefined, [job]]);
  });

  test('that disables it ends a replay, and any other does not', async () => {
    const { made, change, post } = await open();
    await post('replay');
    scene.queue.take();
    const replay = async () => (await scene.readAll())[`ENDPOINT#${made.id} REPLAY`];
    await change({ description: 'Ours' });
    expect(await replay()).toBeDefined();
    await change({ enabled: false });
    expect(await replay()).toBeUndefined();
  });
});

test('a rotation shows a new secret once, beside which each old one signs for 24 hours', async () => {
  const { made, post, secrets, stored } = await open();
  const second = await post('rotate-secret');
  expect(second).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
  expect(second.json).toEqual({ ...withoutSecret(made), secret: expect.stringMatching(secretForm) });
  expect(await secrets()).toEqual([second.json.secret, made.secret]);
  scene.pass(3600);
  const third = await post('rotate-secret');
  scene.pass(23 * 3600 - 1);
  expect(await secrets()).toEqual([third.json.secret, second.json.secret, made.secret]);
  scene.pass(1);
  expect(await secrets()).toEqual([third.json.secret, second.json.secret]);
  scene.pass(3600);
  expect(await secrets()).toEqual([third.json.secret]);
  const rotated = [third.json.secret];
  for (let at = 0; at < 6; at += 1) rotated.unshift((await post('rotate-secret')).json.secret);
  // Four old secrets at most.
  expect(await secrets()).toEqual(rotated.slice(0, 5));
  expect((await stored()).formerSecrets).toHaveLength(4);
});

test('a test event happens for the endpoint alone, whether or not it is enabled', async () => {
  const { seller, made, add, change, post } = await open({ event_types: ['order.paid'] });
  await add();
  const replies = [await post('test')];
  await change({ enabled: false });
  replies.push(await post('test'));
  const recorded = await scene.log.recordedOf(seller.id);
  const ids = recorded.map(({ id }) => ({ event_ids: [messageIdOf(id, made.id)] }));
  expect(replies.map(({ json }) => json)).toEqual(expect.arrayContaining(ids));
  const test = { type: 'test', data: { endpointId: made.id }, endpointId: made.id };
  expect(recorded).toEqual([expect.objectContaining(test), expect.objectContaining(test)]);
});

test('an endpoint is made and sent to for a while as often as its seller may, and has its secret rotated less often', async () => {
  const limited = await openWebhookScene({ environment: { RATE_LIMIT_ENDPOINT_CALLS: '4', RATE_LIMIT_ROTATIONS: '2' } });
  const { create, change, post } = await open({}, {}, limited);
  for (const call of [() => post('test'), () => post('replay'), () => change({ url: otherUrl })])
    expect([200, 202]).toContain((await call()).status);
  for (const call of [() => post('test'), () => post('replay'), () => change({ url: receiver }), () => create()])
    expect(await call()).toMatchObject({ ...error(429, 'rate_limited'), headers: { 'retry-after': '15' } });
  expect((await change({ url: otherUrl, description: 'Ours' })).status).toBe(200);
  expect((await open({}, {}, limited)).made.enabled).toBe(true);
  limited.pass(15);
  const many = await Promise.all(Array.from({ length: 6 }, () => post('test')));
  expect(many.filter(({ status }) => status === 202)).toHaveLength(1);
  for (const status of [200, 200, 429]) expect((await post('rotate-secret')).status).toBe(status);
  limited.pass(1799);
  expect(await post('rotate-secret')).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
  limited.pass(1);
  expect((await post('rotate-secret')).status).toBe(200);
});

test.each([
  ['draft', 200],
  ['suspended', 403],
] as const)(
  'a seller that is %s is shown its endpoint, changes nothing of it, and is answered %i when it deletes it',
  async (status, deleted) => {
    const { made, ask, create, change, post, read, setStatus } = await open({}, { internalReviewStatus: 'approved_limited' });
    await post('test');
    await scene.log.publish();
    await setStatus(status);
    scene.queue.take();
    const before = await scene.readAll();
    expect([await read(), (await ask('GET')).json.items]).toEqual([withoutSecret(made), [withoutSecret(made)]]);
    expect((await ask('GET', `/${made.id}/deliveries`)).json.items).toHaveLength(1);
    for (const call of [
      () => create(),
      () => change({ enabled: false }),
      () => post('rotate-secret'),
      () => post('test'),
      () => post('replay'),
    ])
      expect(await call()).toMatchObject(error(403, 'seller_not_eligible'));
    expect([await scene.readAll(), scene.queue.sent]).toEqual([before, []]);
    expect((await post('delete')).status).toBe(deleted);
  },
);

test('no log line has a URL or a secret', async () => {
  const { create, post } = await open();
  await post('rotate-secret');
  await create({ url: 'http://bad.example.com/hook?token=x' });
  expect(scene.logged.join('\n')).not.toMatch(/hooks\.example|of-the-receiver|bad\.example|whsec/);
});
