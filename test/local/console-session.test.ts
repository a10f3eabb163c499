import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createWorld, locationOf, origin, written } from '../support/console/session-world.ts';

let world: ReturnType<typeof createWorld>;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => {
  // Where others look, there never was a token: chance has no dot behind what it draws.
  expect(written.splice(0).filter((text) => /eyJ[\w-]+\.|refresh\./.test(text))).toEqual([]);
});

const signIn = (path = '/console') => world.visit(`${path}?login_hint=root@example.com`);
const kept = (page: Awaited<ReturnType<typeof signIn>>) => Array.from({ length: page.storage.length }, (_, at) => page.storage.key(at));
const grants = () => world.asked.filter(({ what }) => what === 'token').map(({ params }) => params.get('grant_type'));
const renewals = () => grants().filter((grant) => grant === 'refresh_token').length;

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

  test('a code that comes twice', async () => {
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
    const shownAgain = await world.load('/console');
    shownAgain.restore();
    expect(shownAgain.state()).toEqual(failure('sign_in_unfinished'));
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

describe('renewing', () => {
  test('is done a minute before the end, again and again', async () => {
    const page = await signIn();
    const first = await page.session.bearer();
    await world.pass(239);
    expect(renewals()).toBe(0);
    await world.pass(2);
    expect([renewals(), (await page.session.bearer()) === first]).toEqual([1, false]);
    await world.pass(3 * 240);
    expect([renewals(), page.states]).toEqual([4, ['signed-in']]);
  });

  test('is done once for however many ask, after a sleep too', async () => {
    const page = await signIn();
    world.sleep(8 * 3600);
    const tokens = await Promise.all(Array.from({ length: 20 }, () => page.session.bearer()));
    expect([new Set(tokens).size, renewals(), world.isGood(tokens[0])]).toEqual([1, 1, true]);
  });

  test('holds nobody up while the token lives a while yet', async () => {
    const page = await signIn();
    const first = await page.session.bearer();
    world.sleep(250);
    world.fault.fetch = world.hang;
    expect(await page.session.bearer()).toBe(first);
  });

  test('is tried again while there is no network, and after the end', async () => {
    const page = await signIn();
    const first = await page.session.bearer();
    let tries = 0;
    world.fault.fetch = async () => {
      tries += 1;
      throw new TypeError('Failed to fetch');
    };
    await world.pass(299);
    expect([tries > 3 && tries < 12, await page.session.bearer(), page.state().name]).toEqual([true, first, 'signed-in']);
    await world.pass(3600);
    const many = tries;
    await Promise.all(Array.from({ length: 20 }, () => page.session.bearer()));
    expect(tries - many).toBeLessThan(2);
    world.fault.fetch = undefined;
    await world.pass(31);
    expect([world.isGood(await page.session.bearer()), page.states]).toEqual([true, ['signed-in']]);
  });

  test('is over at the end without a refresh token', async () => {
    world.fault.fetch = async (url, init) => {
      const reply = (await (await world.fetchThrough(url, init)).json()) as object;
      return Response.json({ ...reply, refresh_token: undefined });
    };
    const page = await signIn();
    await world.pass(298);
    expect(world.isGood(await page.session.bearer())).toBe(true);
    await world.pass(2);
    expect([page.state(), await page.session.bearer()]).toEqual([{ name: 'over' }, undefined]);
  });
});

describe('a token that the API refuses', () => {
  test('is renewed at once, and once', async () => {
    const page = await signIn();
    const first = (await page.session.bearer())!;
    page.session.refuseBearer(first);
    page.session.refuseBearer(first);
    const next = await page.session.bearer();
    expect([next === first, world.isGood(next), renewals()]).toEqual([false, true, 1]);
    page.session.refuseBearer(next!);
    expect([page.state().name, await page.session.bearer(), renewals()]).toEqual(['over', undefined, 1]);
  });

  test('is over when the issuer has ended it, and signing in again leads back to the screen and its drafts', async () => {
    const page = await world.visit('/console?login_hint=root@example.com');
    page.address = `${origin}/console/products/p1/files?draft=1#here`;
    page.storage.setItem('draft:p1', 'typed');
    await world.endSessions();
    page.session.refuseBearer((await page.session.bearer())!);
    await world.settle();
    expect([page.state(), await page.session.bearer(), page.address.slice(-7)]).toEqual([{ name: 'over' }, undefined, '=1#here']);
    await world.pass(3600);
    expect([page.left, renewals()]).toEqual([undefined, 1]);
    page.session.signInAgain();
    page.session.signInAgain();
    await world.leaving(page);
    expect([page.leaves, page.state().name, await world.follow(page)]).toEqual([1, 'over', undefined]);
    page.left += '&login_hint=root@example.com';
    const back = (await world.follow(page))!;
    expect([back.state().name, back.address, kept(back)]).toEqual(['signed-in', `${origin}/console/products/p1/files`, ['draft:p1']]);
  });
});

describe('signing out', () => {
  test('ends tokens, drafts and session, here and in every tab, and signs nobody in again', async () => {
    const page = await signIn();
    const other = await signIn('/console/admin');
    const tokens = [await page.session.bearer(), await other.session.bearer()];
    for (const { storage } of [page, other]) {
      storage.setItem('draft:a', 'typed');
      storage.setItem('draft:b', 'typed');
      storage.setItem('other', 'stays');
    }
    await page.session.signOut();
    await world.settle();
    expect([page.state(), other.state()]).toEqual([{ name: 'signed-out' }, { name: 'signed-out' }]);
    expect([kept(page), kept(other)]).toEqual([
      ['other', 'console:signed-out'],
      ['other', 'console:signed-out'],
    ]);
    expect(tokens.map((token) => world.isGood(token))).toEqual([false, false]);
    expect(await Promise.all([page, other].map(({ session }) => session.bearer()))).toEqual([undefined, undefined]);
    expect(page.left).toBe(
      `${world.config.end_session_endpoint}?client_id=console&post_logout_redirect_uri=${encodeURIComponent(`${origin}/console`)}`,
    );
    expect(other.left).toBeUndefined();

    const back = (await world.follow(page))!;
    expect([back.state(), back.left, back.address]).toEqual([{ name: 'signed-out' }, undefined, `${origin}/console`]);
    expect((await world.load('/console/orders', { storage: back.storage })).state().name).toBe('signed-out');
    back.session.signInAgain();
    await world.leaving(back);
    // The issuer asks who it is.
    expect(await world.follow(back)).toBeUndefined();
    back.left += '&login_hint=new';
    expect((await world.follow(back))!.state().name).toBe('signed-in');
    other.session.signInAgain();
    await world.leaving(other);
    expect(new URL(other.left!).searchParams.get('redirect_uri')).toBe(`${origin}/console/admin/callback`);
  });

  test('leads an admin back to the admins’ console', async () => {
    const page = await signIn('/console/admin');
    await page.session.signOut();
    const back = (await world.follow(page))!;
    expect([back.role, back.state().name]).toEqual(['seller', 'signed-out']);
    back.session.signInAgain();
    expect(back.left).toBe(`${origin}/console/admin`);
    expect(new URL((await world.follow(back))!.left!).pathname).toBe('/__local/identity/authorize');
  });

  test('a hint is a wish to sign in', async () => {
    const page = await signIn();
    await page.session.signOut();
    const back = await world.visit('/console?login_hint=new', { storage: page.storage });
    expect([back.state().name, kept(back)]).toEqual(['signed-in', []]);
  });

  test('waits two seconds at most for the revocation', async () => {
    const page = await signIn();
    world.fault.fetch = world.hang;
    const done = page.session.signOut();
    expect(page.state().name).toBe('signed-out');
    page.session.signInAgain();
    void page.session.signOut();
    await world.pass(1.9);
    expect(page.left).toBeUndefined();
    await world.pass(0.2);
    await done;
    expect([page.leaves, page.left?.startsWith(world.config.end_session_endpoint!)]).toEqual([1, true]);
  });

  test('ends what a renewal brings meanwhile', async () => {
    const page = await signIn();
    const open: (() => void)[] = [];
    world.fault.fetch = async (url, init) => {
      const reply = await world.fetchThrough(url, init);
      await new Promise<void>((resolve) => open.push(resolve));
      return reply;
    };
    page.session.refuseBearer((await page.session.bearer())!);
    while (open.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const done = page.session.signOut();
    world.fault.fetch = undefined;
    for (const go of open) go();
    await done;
    const revoked = world.asked.filter(({ what }) => what === 'revoke').map(({ params }) => params.get('token'));
    expect(revoked).toEqual([expect.stringMatching(/^refresh\..*\.2\./)]);
    expect([page.state().name, await page.session.bearer()]).toEqual(['signed-out', undefined]);
  });

  test('during a sign-in in another tab ends that, too', async () => {
    const page = await signIn();
    const away = await world.load('/console/orders');
    const finishing = await world.load('/console/orders');
    const reply = await world.ask(finishing.left!);
    const callback = locationOf(reply)!.slice(origin.length);
    let go: (() => void) | undefined;
    world.fault.fetch = async (url, init) => {
      const given = await world.fetchThrough(url, init);
      await new Promise<void>((resolve) => {
        go = resolve;
      });
      return given;
    };
    const late = await world.load(callback, { storage: finishing.storage, waits: false });
    while (!go) await new Promise((resolve) => setImmediate(resolve));
    world.fault.fetch = undefined;
    await page.session.signOut();
    go();
    await late.started;
    expect([late.state().name, await late.session.bearer(), away.state().name]).toEqual(['signed-out', undefined, 'signed-out']);
    expect(world.asked.filter(({ what }) => what === 'revoke').length).toBe(2);
    expect((await world.follow(away))?.state().name ?? 'asked').not.toBe('signed-in');
  });

  test('without a page of the issuer for it, stays here', async () => {
    world = createWorld({ config: { end_session_endpoint: undefined, revocation_endpoint: undefined } });
    const page = await signIn();
    page.address = `${origin}/console/orders/o1`;
    await page.session.signOut();
    expect([page.left, page.state().name, page.address]).toEqual([undefined, 'signed-out', `${origin}/console`]);
  });

  test('names client and address to Cognito as that wants it', async () => {
    world = createWorld({
      config: {
        issuer: 'https://cognito-idp.ap-northeast-1.amazonaws.com/ap-northeast-1_abc',
        end_session_endpoint: 'https://x.auth.ap-northeast-1.amazoncognito.com/logout',
      },
    });
    const page = await world.load('/console');
    expect(new URL(page.left!).searchParams.get('lang')).toBe('en');
    await world.pass(16);
    await page.session.signOut();
    expect([...new URL(page.left!).searchParams]).toEqual([
      ['client_id', 'console'],
      ['logout_uri', `${origin}/console`],
    ]);
  });

  test('another tab’s other messages are nothing', async () => {
    const page = await signIn();
    for (const message of [undefined, {}, 'x', ['signed-out']]) page.hear(message);
    expect(page.state().name).toBe('signed-in');
  });
});

describe('a page that is shown again as it was left', () => {
  test('asks the issuer again', async () => {
    const page = await signIn();
    page.restore();
    await world.leaving(page);
    expect(page.state().name).toBe('starting');
    expect((await world.follow(page))!.state().name).toBe('signed-in');
  });

  test('shows nothing after a sign-out in its tab', async () => {
    const page = await signIn();
    page.storage.setItem('console:signed-out', '/console');
    page.restore();
    expect([page.state().name, await page.session.bearer()]).toEqual(['signed-out', undefined]);
  });
});
