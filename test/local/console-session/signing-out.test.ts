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

  test('has its button when it was on its way', async () => {
    const page = await world.load('/console');
    page.restore();
    expect(page.state().name).toBe('failed');
  });
});
