import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createWorld, origin, written } from '../../support/console/session-world.ts';

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
const renewals = () => grants().filter((grant) => grant === 'refresh_token').length;

describe('renewing', () => {
  test.each([
    [300, 240],
    [40, 20],
    [7200, 7140],
  ])('tokens that live %i s are renewed after %i', async (tokenSeconds, after) => {
    world = createWorld({ tokenSeconds });
    const page = await signIn();
    const first = await page.session.bearer();
    await world.pass(after - 1);
    expect(renewals()).toBe(0);
    await world.pass(2);
    expect(renewals()).toBe(1);
    expect(await page.session.bearer()).not.toBe(first);
    await world.pass(after * 3);
    expect(renewals()).toBe(4);
    expect(page.states).toEqual(['signed-in']);
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

  test('keeps a refresh token that is not rotated', async () => {
    let refused = 0;
    const page = await signIn();
    world.fault.fetch = async (url, init) => {
      const reply = (await (await world.fetchThrough(url, init)).json()) as Record<string, unknown>;
      refused += Number('error' in reply);
      return Response.json({ ...reply, refresh_token: undefined }, { status: 'error' in reply ? 400 : 200 });
    };
    await world.pass(250);
    expect([page.state().name, refused]).toEqual(['signed-in', 0]);
    // This issuer rotates, and so refuses the old one.
    await world.pass(250);
    expect([page.state().name, refused]).toEqual(['over', 1]);
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

  test('is over at the end when the token that the API takes is not given anew', async () => {
    world = createWorld({ config: { token: 'id' } });
    const page = await signIn();
    world.fault.fetch = async (url, init) => {
      const reply = (await (await world.fetchThrough(url, init)).json()) as object;
      return Response.json({ ...reply, id_token: undefined });
    };
    await world.pass(298);
    expect([world.isGood(await page.session.bearer()), renewals()]).toEqual([true, 1]);
    await world.pass(3);
    expect(page.state()).toEqual({ name: 'over' });
  });

  test('takes tokens of nobody else', async () => {
    const page = await signIn();
    const other = await world.visit('/console?login_hint=other@example.com');
    const token = await other.session.bearer();
    let theirs: object = {};
    world.fault.fetch = async (url, init) => {
      theirs = (await (await world.fetchThrough(url, init)).json()) as object;
      return Response.json(theirs);
    };
    other.session.refuseBearer(token!);
    await world.settle();
    world.fault.fetch = async () => Response.json(theirs);
    page.session.refuseBearer((await page.session.bearer())!);
    await world.settle();
    expect([other.state().name, page.state().name]).toEqual(['signed-in', 'over']);
  });

  test('two tabs renew each their own', async () => {
    const [first, second] = [await signIn(), await signIn()];
    await world.pass(1000);
    expect([first.state().name, second.state().name]).toEqual(['signed-in', 'signed-in']);
    expect(await first.session.bearer()).not.toBe(await second.session.bearer());
  });
});

describe('a token that the API refuses', () => {
  test('is renewed at once; an older one is nobody’s concern', async () => {
    const page = await signIn();
    const first = (await page.session.bearer())!;
    page.session.refuseBearer(first);
    page.session.refuseBearer(first);
    const next = await page.session.bearer();
    expect([next === first, world.isGood(next), renewals()]).toEqual([false, true, 1]);
    page.session.refuseBearer(first);
    expect(page.state().name).toBe('signed-in');
    page.session.refuseBearer(next!);
    expect([page.state().name, await page.session.bearer(), renewals()]).toEqual(['over', undefined, 1]);
  });

  test('later on it may be refused again', async () => {
    const page = await signIn();
    for (let at = 0; at < 3; at += 1) {
      page.session.refuseBearer((await page.session.bearer())!);
      await world.pass(61);
    }
    expect(page.states).toEqual(['signed-in']);
  });

  test('keeps the session while the issuer cannot be reached', async () => {
    const page = await signIn();
    world.fault.fetch = async () => Promise.reject(new TypeError('Failed to fetch'));
    page.session.refuseBearer((await page.session.bearer())!);
    await world.settle();
    expect(page.state().name).toBe('signed-in');
    world.fault.fetch = undefined;
    await world.pass(5);
    expect([world.isGood(await page.session.bearer()), page.state().name]).toEqual([true, 'signed-in']);
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
