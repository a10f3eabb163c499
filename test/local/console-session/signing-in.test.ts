import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createWorld, locationOf, origin, written } from '../../support/console/session-world.ts';

let world: ReturnType<typeof createWorld>;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => {
  // Where others look, there never was a token.
  expect(written.splice(0).filter((text) => /eyJ|refresh\./.test(text))).toEqual([]);
});

const signIn = (path = '/console') => world.visit(`${path}?login_hint=root@example.com`);
const kept = (page: Awaited<ReturnType<typeof signIn>>) => Array.from({ length: page.storage.length }, (_, at) => page.storage.key(at));
const grants = () => world.asked.filter(({ what }) => what === 'token').map(({ params }) => params.get('grant_type'));

describe('signing in', () => {
  test('leads to the issuer, takes the tokens, and leaves nothing behind', async () => {
    const page = await world.load('/console/products/p1?q=secret#x');
    const url = new URL(page.left!);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'console',
      redirect_uri: `${origin}/console/callback`,
      scope: 'openid email',
      code_challenge_method: 'S256',
      ui_locales: 'en',
      nonce: expect.stringMatching(/.{20}/),
      state: expect.stringMatching(/.{20}/),
    });
    expect(url.searchParams.has('login_hint')).toBe(false);
    expect(kept(page).sort()).toEqual(['console:attempts', 'console:sign-in']);
    page.left += '&login_hint=root@example.com';
    const back = (await world.follow(page))!;
    expect([back.address, back.state(), kept(back)]).toEqual([
      `${origin}/console/products/p1`,
      { name: 'signed-in', userId: expect.stringMatching(/^admin-/) },
      [],
    ]);
    expect(world.isGood(await back.session.bearer())).toBe(true);
  });

  test('takes the query from the address before it waits for anything', async () => {
    const page = await world.load('/console/products/p1');
    page.left += '&login_hint=new';
    const reply = await world.ask(page.left!);
    const callback = locationOf(reply)!.slice(origin.length);
    const back = await world.load(callback, { storage: page.storage, given: new Promise(() => {}), waits: false });
    expect([back.address, back.storage.getItem('console:sign-in')]).toEqual([`${origin}/console/products/p1`, null]);
  });

  test('passes a hint on once, and a reload passes through the issuer unasked', async () => {
    const first = await world.load('/console?login_hint=other@example.com&x=1');
    expect([new URL(first.left!).searchParams.get('login_hint'), first.address]).toEqual(['other@example.com', `${origin}/console`]);
    const page = (await world.follow(first))!;
    const again = await world.load(page.address.slice(origin.length), { storage: page.storage });
    expect(new URL(again.left!).searchParams.has('login_hint')).toBe(false);
    expect((await world.follow(again))!.state()).toEqual(page.state());
    expect(new URL((await world.load('/console/products?login_hint=new')).left!).searchParams.has('login_hint')).toBe(false);
  });

  test('gives each role its own way back', async () => {
    const page = await signIn('/console/admin');
    expect([page.address, page.state().name]).toEqual([`${origin}/console/admin`, 'signed-in']);
    const other = await world.visit('/console/admin/orders/o1', { storage: page.storage });
    expect([other.address, other.state().name]).toEqual([`${origin}/console/admin/orders/o1`, 'signed-in']);
  });

  test('comes back in the language that it began in', async () => {
    const page = await world.load('/console/products?lang=ja&login_hint=no');
    expect(new URL(page.left!).searchParams.get('ui_locales')).toBe('ja');
    page.left += '&login_hint=new';
    const wrong = (await world.follow(page, { locale: 'en' }))!;
    expect([wrong.state().name, grants()]).toEqual(['starting', []]);
    const right = (await world.follow(wrong))!;
    expect([right.locale, right.address, right.state().name]).toEqual(['ja', `${origin}/console/products?lang=ja`, 'signed-in']);
  });

  test.each(['access', 'id'] as const)('gives the API the %s token', async (token) => {
    world = createWorld({ config: { token } });
    const page = await signIn();
    const [header] = (await page.session.bearer())!.split('.');
    expect(JSON.parse(Buffer.from(header!, 'base64url').toString()).typ).toBe(token === 'id' ? 'JWT' : 'at+jwt');
  });

  test('lets callers wait while it starts', async () => {
    const page = await world.load('/console?login_hint=new');
    let token: string | undefined = 'none yet';
    void page.session.bearer().then((given) => {
      token = given;
    });
    await world.settle();
    expect(token).toBe('none yet');
  });
});

describe('a sign-in that fails', () => {
  const callbackOf = async (hint = 'root@example.com') => {
    const page = await world.load('/console/products?lang=en');
    const reply = await world.ask(`${page.left}&login_hint=${hint}`);
    const url = new URL(locationOf(reply)!);
    return { storage: page.storage, url, path: (changed = url) => changed.href.slice(origin.length) };
  };
  const failure = (code: string, detail?: string) => ({ name: 'failed', code, ...(detail !== undefined && { detail }) });

  test.each([
    ['access_denied', failure('sign_in_denied', 'access_denied')],
    ['login_required', failure('sign_in_refused', 'login_required')],
    ['temporarily_unavailable', failure('issuer_unreachable')],
    ['<script>', failure('sign_in_refused')],
  ])('says so when the issuer answers %s, and begins no other', async (error, expected) => {
    const { storage, url, path } = await callbackOf();
    url.searchParams.delete('code');
    url.searchParams.set('error', error);
    const page = await world.load(path(), { storage });
    expect([page.state(), page.left, page.address]).toEqual([expected, undefined, `${origin}/console/products?lang=en`]);
    page.session.signInAgain();
    await world.leaving(page);
    const back = (await world.follow(page))!;
    expect([back.state().name, back.address]).toEqual(['signed-in', page.address]);
  });

  test('takes no callback that this tab has not begun, and forgets the one that it had', async () => {
    const { storage, url, path } = await callbackOf();
    const stranger = await world.load(path());
    expect([stranger.state(), stranger.address]).toEqual([failure('sign_in_unfinished'), `${origin}/console`]);
    const forged = new URL(url);
    forged.searchParams.set('state', 'another');
    expect((await world.load(path(forged), { storage })).state()).toEqual(failure('sign_in_unfinished'));
    expect((await world.load(path(), { storage })).state()).toEqual(failure('sign_in_unfinished'));
    expect(grants()).toEqual([]);
  });

  test('a code that comes too late, or twice', async () => {
    const { storage, path } = await callbackOf();
    const trip = storage.getItem('console:sign-in')!;
    const first = await world.load(path(), { storage });
    const copy = world.createStorage();
    copy.setItem('console:sign-in', trip);
    expect((await world.load(path(), { storage: copy })).state()).toEqual(failure('sign_in_unfinished', 'invalid_grant'));
    const token = (await first.session.bearer())!;
    first.session.refuseBearer(token);
    await world.settle();
    expect(first.state()).toEqual({ name: 'over' });

    const late = await callbackOf();
    world.sleep(61);
    expect((await world.load(late.path(), { storage: late.storage })).state()).toEqual(failure('sign_in_unfinished', 'invalid_grant'));
  });

  test.each([
    ['no network', async () => Promise.reject(new TypeError('Failed to fetch')), failure('issuer_unreachable')],
    ['an outage', async () => new Response('{"error":"server_error"}', { status: 503 }), failure('issuer_unreachable')],
    ['too many', async () => new Response('', { status: 429 }), failure('issuer_unreachable')],
    ['a page instead of tokens', async () => new Response('<html>', { status: 200 }), failure('sign_in_refused')],
    [
      'half a reply',
      async () => new Response(new ReadableStream({ pull: (c) => c.error(new TypeError('gone')) })),
      failure('issuer_unreachable'),
    ],
    [
      'a client that is unknown',
      async () => Response.json({ error: 'invalid_client' }, { status: 401 }),
      failure('sign_in_refused', 'invalid_client'),
    ],
  ])('%s at the token endpoint', async (_what, fetch, expected) => {
    const { storage, path } = await callbackOf();
    world.fault.fetch = fetch;
    const page = await world.load(path(), { storage });
    expect([page.state(), page.left, await page.session.bearer()]).toEqual([expected, undefined, undefined]);
  });

  test.each([
    ['another nonce', (trip: string) => trip.replace(/^(\S+) \S+/, '$1 another')],
    ['another verifier', (trip: string) => trip.replace(/^(\S+ \S+) \S+/, `$1 ${'v'.repeat(43)}`)],
  ])('%s than it began with', async (_what, change) => {
    const { storage, path } = await callbackOf();
    storage.setItem('console:sign-in', change(storage.getItem('console:sign-in')!));
    const page = await world.load(path(), { storage });
    expect([page.state().name, await page.session.bearer()]).toEqual(['failed', undefined]);
  });

  test('another issuer than it asked', async () => {
    const { storage, url, path } = await callbackOf();
    url.searchParams.set('iss', 'https://evil.example');
    expect((await world.load(path(), { storage })).state()).toEqual(failure('sign_in_refused'));
    expect(grants()).toEqual([]);
  });

  test('begins by itself three times in half a minute at most; by hand always', async () => {
    const storage = world.createStorage();
    const names = [];
    for (let at = 0; at < 5; at += 1) names.push((await world.load('/console/orders', { storage })).state().name);
    expect(names).toEqual(['starting', 'starting', 'starting', 'failed', 'failed']);
    const page = await world.load('/console/orders', { storage });
    page.session.signInAgain();
    page.session.signInAgain();
    await world.leaving(page);
    expect(page.leaves).toBe(1);
    await world.pass(31);
    expect((await world.load('/console/orders', { storage })).left).toBeDefined();
  });

  test('a page that was not left after all has its button', async () => {
    const page = await world.load('/console');
    await world.pass(16);
    expect(page.state()).toEqual(failure('sign_in_unfinished'));
    page.left = undefined;
    page.session.signInAgain();
    await world.leaving(page);
    expect(page.left).toBeDefined();
  });

  test('a browser that keeps nothing', async () => {
    expect((await world.load('/console', { forbids: true })).state()).toEqual(failure('browser_unfit'));
  });

  test.each([
    [{ code: 'dependency_unavailable' }, 'dependency_unavailable'],
    [new TypeError('Failed to fetch'), 'offline'],
    [new SyntaxError('Unexpected token'), 'config_unavailable'],
  ])('no configuration, for %j', async (reason, code) => {
    const page = await world.load('/console/orders', { given: Promise.reject(reason) });
    expect([page.state(), await page.session.bearer()]).toEqual([failure(code), undefined]);
    page.session.signInAgain();
    expect(page.left).toBe(`${origin}/console/orders`);
  });
});
