import { beforeAll, describe, expect, test } from '@jest/globals';
import { openText } from '../../../shared/crypto/sealed-text.ts';
import { sellerEventTypes } from '../../../shared/seller-events/seller-event.ts';
import { messageIdOf } from '../../../shared/webhook-endpoints/deliveries/delivery.ts';
import { sealedSecretsOf } from '../../../shared/webhook-endpoints/endpoints/signing-secret.ts';
import { createEndpointRequest, updateEndpointRequest } from '../../../shared/webhook-endpoints/endpoints/webhook-endpoint.ts';
import { changeEndpoint } from '../../../shared/webhook-endpoints/endpoints/webhook-endpoint-repository.ts';
import { openWebhookScene, receiver, type WebhookScene } from '../../support/scenes/events/webhook-scene.ts';

let scene: WebhookScene;
type Seller = Awaited<ReturnType<WebhookScene['newSeller']>>;
beforeAll(async () => {
  scene = await openWebhookScene();
});

const error = (status: number, code: string) => ({ status, json: { code } });
const withoutSecret = ({ secret, ...shown }: Record<string, unknown>) => shown;
const secretsOf = async ({ stored }: Seller, id: any) => {
  const record = await stored(id);
  if (!record) throw new Error('There is no endpoint.');
  return sealedSecretsOf(record, scene.now()).map((sealed) => openText(sealed, id, scene.encryptionKeys));
};

describe('a webhook endpoint', () => {
  test('is made with a secret of its own, which shows then and never again', async () => {
    const seller = await scene.newSeller();
    const reply = await seller.ask('POST', '', { body: { url: receiver } });
    expect(reply).toMatchObject({ status: 201, headers: { 'cache-control': 'no-store' } });
    expect(reply.json).toEqual({
      id: expect.stringMatching(/^whe_[0-9A-Z]{26}$/),
      url: receiver,
      event_types: sellerEventTypes,
      enabled: true,
      created_at: scene.now().toISOString(),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const shown = withoutSecret(reply.json);
    expect((await seller.ask('GET', `/${reply.json.id}`)).json).toEqual(shown);
    expect((await seller.ask('GET')).json).toEqual({ items: [shown] });
    expect((await seller.ask('PATCH', `/${reply.json.id}`, { body: { description: 'Ours' } })).json).toEqual({
      ...shown,
      description: 'Ours',
    });
    const another = await seller.add();
    expect(another.secret).not.toBe(reply.json.secret);
    expect(await secretsOf(seller, another.id)).toEqual([another.secret]);
    const stored = JSON.stringify(await scene.readAll());
    expect([reply.json.secret, another.secret].filter((secret) => stored.includes(secret.slice(6)))).toEqual([]);
  });

  test('has the types that were named, each once, and whichever else it was made with', async () => {
    const seller = await scene.newSeller();
    const made = await seller.add({ event_types: ['order.refunded', 'order.paid'], description: '' });
    expect(made).toMatchObject({ event_types: ['order.paid', 'order.refunded'], description: '' });
    for (const event_types of [[], ['order.paid', 'order.paid'], ['order.gone'], ['*'], 'order.paid', [null]]) {
      for (const reply of [
        await seller.ask('POST', '', { body: { url: receiver, event_types } }),
        await seller.ask('PATCH', `/${made.id}`, { body: { event_types } }),
      ]) {
        expect(reply).toMatchObject(error(400, 'invalid_request'));
        expect(reply.json.message).toContain('event_types');
      }
    }
    expect((await seller.ask('PATCH', `/${made.id}`, { body: { event_types: sellerEventTypes } })).json.event_types).toEqual(
      sellerEventTypes,
    );
    expect((await seller.stored(made.id))?.eventTypes).toBeUndefined();
  });

  test.each([
    ['http', 'http://hooks.example.com/'],
    ['a private address', 'https://10.0.0.1/'],
  ])('has no URL with %s', async (_, url) => {
    const seller = await scene.newSeller();
    const made = await seller.add();
    for (const reply of [await seller.ask('POST', '', { body: { url } }), await seller.ask('PATCH', `/${made.id}`, { body: { url } })]) {
      expect(reply).toMatchObject(error(400, 'invalid_request'));
      expect(reply.json.message).toMatch(/^url must be /);
      expect(reply.json.message).not.toContain('hooks');
    }
  });

  test('takes a URL of 2,048 characters, a description of 200 and none longer', async () => {
    const seller = await scene.newSeller();
    const url = `https://hooks.example.com/${'a'.repeat(2048 - 26)}`;
    expect(await seller.add({ url, description: 'é'.repeat(200) })).toMatchObject({ url });
    expect(await seller.ask('POST', '', { body: { url, description: 'é'.repeat(201) } })).toMatchObject(error(400, 'invalid_request'));
  });

  test('may be on this machine at the stage local alone', async () => {
    const seller = await scene.newSeller();
    const [url, other] = ['http://127.0.0.1:4000/hook', 'http://127.0.0.1:4001/hook'];
    const made = await seller.add({ url });
    expect((await seller.ask('PATCH', `/${made.id}`, { body: { url: other } })).json.url).toBe(other);
    for (const stage of ['staging', 'production'] as const) {
      expect([createEndpointRequest(stage), updateEndpointRequest(stage)].map((schema) => schema.safeParse({ url }).success)).toEqual([
        false,
        false,
      ]);
      expect(createEndpointRequest(stage).safeParse({ url: receiver }).success).toBe(true);
    }
  });

  test('is the sixth of its seller never, and the fifth after one was deleted', async () => {
    const seller = await scene.newSeller();
    const made = [];
    for (let at = 0; at < 5; at += 1) made.push(await seller.add());
    expect(await seller.ask('POST', '', { body: { url: receiver } })).toMatchObject(error(400, 'too_many_endpoints'));
    expect(await seller.ask('POST', `/${made[0].id}/delete`)).toMatchObject({ status: 200, json: {} });
    expect(await seller.ask('POST', `/${made[0].id}/delete`)).toMatchObject(error(404, 'endpoint_not_found'));
    await seller.add();
    expect(await seller.ask('POST', '', { body: { url: receiver } })).toMatchObject(error(400, 'too_many_endpoints'));
  });

  test('is listed in pages, newest first', async () => {
    const seller = await scene.newSeller();
    const made = [];
    for (let at = 0; at < 3; at += 1) made.unshift((await seller.add()).id);
    const first = (await seller.ask('GET', '?limit=2')).json;
    const second = (await seller.ask('GET', `?limit=2&cursor=${first.next_cursor}`)).json;
    expect([...first.items, ...second.items].map(({ id }: { id: string }) => id)).toEqual(made);
    expect(second.next_cursor).toBeUndefined();
    const other = await scene.newSeller();
    expect(await other.ask('GET', `?cursor=${first.next_cursor}`)).toMatchObject(error(400, 'invalid_request'));
  });
});

describe('a change of a webhook endpoint', () => {
  test('keeps what is left out, and is none where nothing differs', async () => {
    const seller = await scene.newSeller();
    const made = await seller.add({ event_types: ['order.paid'], description: 'Ours' });
    const before = await seller.stored(made.id);
    const same = { url: receiver, event_types: ['order.paid'], description: 'Ours', enabled: true };
    for (const body of [{}, same])
      expect(await seller.ask('PATCH', `/${made.id}`, { body })).toMatchObject({ status: 200, json: withoutSecret(made) });
    expect(await seller.stored(made.id)).toEqual(before);
    expect(await scene.audited(made.id)).toHaveLength(1);
    const changed = await seller.ask('PATCH', `/${made.id}`, { body: { url: 'https://other.example.com/' } });
    expect(changed.json).toEqual({ ...withoutSecret(made), url: 'https://other.example.com/' });
    expect(await secretsOf(seller, made.id)).toEqual([made.secret]);
  });

  test('is recorded with the host of the URL alone', async () => {
    const { seller, ask, add } = await scene.newSeller();
    const made = await add({ event_types: ['order.paid', 'test'] });
    await ask('PATCH', `/${made.id}`, { body: { url: 'https://user-secret.example.com/path-secret?query-secret', enabled: false } });
    await ask('POST', `/${made.id}/rotate-secret`);
    await ask('POST', `/${made.id}/replay`);
    await ask('POST', `/${made.id}/delete`);
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
    const everything = JSON.stringify(await scene.readAll());
    expect([everything.includes('path-secret'), everything.includes('query-secret')]).toEqual([false, false]);
  });

  test('that enables it clears why it was disabled, and has sent what waits', async () => {
    const seller = await scene.newSeller();
    const made = await seller.add();
    const job = `deliver-events:${seller.seller.id}/${made.id}`;
    scene.queue.take();
    expect((await seller.ask('PATCH', `/${made.id}`, { body: { enabled: false } })).json.enabled).toBe(false);
    expect([await scene.job(job), scene.queue.sent]).toEqual([undefined, []]);
    const read = await seller.stored(made.id);
    if (!read) throw new Error('There is no endpoint.');
    await scene.table.write(changeEndpoint(read, { ...read, disabledReason: 'failing', failingSince: scene.now().toISOString() }));
    expect((await seller.ask('GET', `/${made.id}`)).json).toMatchObject({ enabled: false, disabled_reason: 'failing' });
    const enabled = await seller.ask('PATCH', `/${made.id}`, { body: { enabled: true } });
    expect(enabled.json).toEqual(withoutSecret(made));
    const { disabledReason, failingSince } = (await seller.stored(made.id)) ?? {};
    expect([disabledReason, failingSince]).toEqual([undefined, undefined]);
    expect(await scene.job(job)).toMatchObject({ state: 'waiting', attempts: 0 });
    expect(scene.queue.sent.splice(0)).toEqual([job]);
  });

  test('of its URL begins to count failures anew and has sent what waits, and any other does not', async () => {
    const seller = await scene.newSeller();
    const made = await seller.add();
    scene.queue.take();
    const failingSince = scene.now().toISOString();
    const read = await seller.stored(made.id);
    if (!read) throw new Error('There is no endpoint.');
    await scene.table.write(changeEndpoint(read, { ...read, failingSince }));
    await seller.ask('PATCH', `/${made.id}`, { body: { description: 'Ours', enabled: true } });
    expect((await seller.stored(made.id))?.failingSince).toBe(failingSince);
    expect(scene.queue.sent).toEqual([]);
    await seller.ask('PATCH', `/${made.id}`, { body: { url: 'https://other.example.com/' } });
    expect((await seller.stored(made.id))?.failingSince).toBeUndefined();
    expect(scene.queue.sent.splice(0)).toEqual([`deliver-events:${seller.seller.id}/${made.id}`]);
  });

  test('that disables it ends a replay, and any other does not', async () => {
    const seller = await scene.newSeller();
    const made = await seller.add();
    await seller.ask('POST', `/${made.id}/replay`);
    scene.queue.take();
    const replay = async () => Object.keys(await scene.readAll()).filter((key) => key.startsWith(`ENDPOINT#${made.id} REPLAY`));
    await seller.ask('PATCH', `/${made.id}`, { body: { description: 'Ours' } });
    expect(await replay()).toHaveLength(1);
    await seller.ask('PATCH', `/${made.id}`, { body: { enabled: false } });
    expect(await replay()).toEqual([]);
  });
});

describe('a rotation', () => {
  test('shows a new secret once, beside which each old one signs for 24 hours', async () => {
    const seller = await scene.newSeller();
    const made = await seller.add();
    const rotate = () => seller.ask('POST', `/${made.id}/rotate-secret`);
    const second = await rotate();
    expect(second).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    expect(second.json).toEqual({ ...withoutSecret(made), secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) });
    expect(await secretsOf(seller, made.id)).toEqual([second.json.secret, made.secret]);
    scene.pass(3600);
    const third = await rotate();
    expect(await secretsOf(seller, made.id)).toEqual([third.json.secret, second.json.secret, made.secret]);
    scene.pass(23 * 3600 - 1);
    expect(await secretsOf(seller, made.id)).toEqual([third.json.secret, second.json.secret, made.secret]);
    scene.pass(1);
    expect(await secretsOf(seller, made.id)).toEqual([third.json.secret, second.json.secret]);
    scene.pass(3600);
    expect(await secretsOf(seller, made.id)).toEqual([third.json.secret]);
    await rotate();
    expect((await seller.stored(made.id))?.formerSecrets).toHaveLength(1);
  });

  test('keeps four old secrets at most', async () => {
    const seller = await scene.newSeller();
    const made = await seller.add();
    const secrets = [made.secret];
    for (let at = 0; at < 6; at += 1) secrets.unshift((await seller.ask('POST', `/${made.id}/rotate-secret`)).json.secret);
    expect(await secretsOf(seller, made.id)).toEqual(secrets.slice(0, 5));
  });
});

describe('a test event', () => {
  test('happens for the endpoint alone, whether or not it is enabled', async () => {
    const { seller, ask, add } = await scene.newSeller();
    const made = await add({ event_types: ['order.paid'] });
    await add();
    const replies = [await ask('POST', `/${made.id}/test`)];
    await ask('PATCH', `/${made.id}`, { body: { enabled: false } });
    replies.push(await ask('POST', `/${made.id}/test`));
    const recorded = await scene.log.recordedOf(seller.id);
    expect(replies.map(({ status }) => status)).toEqual([202, 202]);
    const ids = recorded.map(({ id }) => ({ event_ids: [messageIdOf(id, made.id)] }));
    expect(replies.map(({ json }) => json)).toEqual(expect.arrayContaining(ids));
    expect(recorded.map(({ type, data, endpointId }) => ({ type, data, endpointId }))).toEqual(
      Array.from({ length: 2 }, () => ({ type: 'test', data: { endpointId: made.id }, endpointId: made.id })),
    );
  });
});

test('is made and sent to for a while as often as its seller may, and has its secret rotated less often', async () => {
  const limited = await openWebhookScene({ environment: { RATE_LIMIT_ENDPOINT_CALLS: '4', RATE_LIMIT_ROTATIONS: '2' } });
  const seller = await limited.newSeller();
  const { id } = await seller.add();
  const post = (action: string) => seller.ask('POST', `/${id}${action}`);
  const patch = (body: object) => seller.ask('PATCH', `/${id}`, { body });
  const url = 'https://other.example.com/';
  const calls = [() => post('/test'), () => post('/replay'), () => patch({ url })];
  for (const call of calls) expect([200, 202]).toContain((await call()).status);
  const refused = [...calls.slice(0, 2), () => patch({ url: receiver }), () => seller.ask('POST', '', { body: { url } })];
  for (const call of refused) expect(await call()).toMatchObject({ ...error(429, 'rate_limited'), headers: { 'retry-after': '15' } });
  expect((await patch({ url, description: 'Ours' })).status).toBe(200);
  expect((await (await limited.newSeller()).add()).enabled).toBe(true);
  limited.pass(15);
  const many = await Promise.all(Array.from({ length: 6 }, () => post('/test')));
  expect(many.filter(({ status }) => status === 202)).toHaveLength(1);
  for (const status of [200, 200, 429]) expect((await post('/rotate-secret')).status).toBe(status);
  limited.pass(1799);
  expect(await post('/rotate-secret')).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
  limited.pass(1);
  expect((await post('/rotate-secret')).status).toBe(200);
});

describe('a webhook endpoint of', () => {
  const paths = (id: string) =>
    [
      ['GET', `/${id}`],
      ['PATCH', `/${id}`],
      ['POST', `/${id}/rotate-secret`],
      ['POST', `/${id}/delete`],
      ['POST', `/${id}/test`],
      ['POST', `/${id}/replay`],
      ['GET', `/${id}/deliveries`],
    ] as const;
  const everyCall = async (ask: Seller['ask'], id: string) =>
    Promise.all(paths(id).map(([method, path]) => ask(method, path, method === 'PATCH' ? { body: { enabled: false } } : {})));

  test.each(['draft', 'pending_review'] as const)('a %s seller is none, or is deleted', async (status) => {
    const seller = await scene.newSeller({ internalReviewStatus: 'approved_limited' });
    const made = await seller.add();
    await seller.setStatus(status);
    expect(await seller.ask('POST', '', { body: { url: receiver } })).toMatchObject(error(403, 'seller_not_eligible'));
    for (const [method, path] of paths(made.id).filter(([, path]) => !path.endsWith('/delete'))) {
      const reply = await seller.ask(method, path, method === 'PATCH' ? { body: { enabled: false } } : {});
      expect(reply.status).toBe(method === 'GET' ? 200 : 403);
    }
    expect((await seller.ask('POST', `/${made.id}/delete`)).status).toBe(200);
  });

  test.each(['suspended'] as const)('a %s seller is shown and not changed', async (status) => {
    const seller = await scene.newSeller();
    const made = await seller.add();
    await seller.ask('POST', `/${made.id}/test`);
    await scene.log.publish();
    await seller.setStatus(status);
    scene.queue.take();
    const before = await scene.readAll();
    expect((await seller.ask('GET')).json.items).toEqual([withoutSecret(made)]);
    const replies = await everyCall(seller.ask, made.id);
    expect(replies.map((reply) => reply.status)).toEqual([200, 403, 403, 403, 403, 403, 200]);
    expect(replies[6]?.json.items).toHaveLength(1);
    expect(await seller.ask('POST', '', { body: { url: receiver } })).toMatchObject(error(403, 'seller_not_eligible'));
    expect(await scene.readAll()).toEqual(before);
    expect(scene.queue.sent).toEqual([]);
  });
});

test('no log line has a URL or a secret', async () => {
  const seller = await scene.newSeller();
  const made = await seller.add();
  await seller.ask('POST', `/${made.id}/rotate-secret`);
  await seller.ask('POST', '', { body: { url: 'http://bad.example.com/hook?token=x' } });
  const lines = scene.logged.join('\n');
  expect([/hooks\.example/, /of-the-receiver/, /bad\.example/, /whsec/].filter((secret) => secret.test(lines))).toEqual([]);
});
