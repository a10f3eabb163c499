import * as oauth from 'oauth4webapi';
import type { Locale } from '../../../../shared/locale.ts';
import { createIssuer, type Issuer, type IssuerAnswer, type IssuerConfig } from './issuer.ts';
import { type Place, returnPath } from './return-path.ts';
import type { Announcement, SessionFailure } from './session-state.ts';
import type { Tab } from './tab.ts';
import { openTabMemory, type Trip } from './tab-memory.ts';
import { createTokenKeeper } from './token-keeper.ts';

/** What tabs tell each other. */
const signedOutMessage = 'signed-out';
/** How long the revocation may hold up whoever signs out. */
const revokeMs = 2_000;
/** A page that is still there after this was not left. */
const leavingMs = 15_000;

/** The session of one page in one tab. See README.md. */
export function createSession({ tab, place, locale, state }: { tab: Tab; place: Place; locale: Locale; state: Announcement }) {
  const memory = openTabMemory(tab);
  let work: { issuer: Issuer; tokens: ReturnType<typeof createTokenKeeper> } | undefined;
  let isLeaving = false;

  const fail = (code: SessionFailure, detail?: string) => state.set({ name: 'failed', code, ...(detail !== undefined && { detail }) });
  const isStarting = () => state.get().name === 'starting';
  const origin = () => new URL(tab.address()).origin;

  function leaveFor(url: string): void {
    isLeaving = true;
    tab.later(leavingMs, () => {
      isLeaving = false;
      if (isStarting()) fail('sign_in_unfinished');
    });
    tab.leaveFor(url);
  }

  /** Takes out of the address, and out of what the tab keeps, all that is for the sign-in alone. */
  function arrive() {
    const { pathname, searchParams: params } = new URL(tab.address());
    if (pathname !== place.callback) {
      const loginHint = pathname.replace(/\/$/, '') === place.home ? (params.get('login_hint') ?? undefined) : undefined;
      const returnTo = returnPath(tab.address(), place);
      if (tab.address() !== origin() + returnTo) tab.setAddress(returnTo);
      return { loginHint };
    }
    const begun = memory.lookAtTrip();
    if (begun && begun.locale !== locale && !params.has('lang')) {
      // The issuer leads back to no language. This page is the wrong one: the right one takes the tokens.
      params.set('lang', begun.locale);
      leaveFor(`${place.callback}?${params}`);
      return undefined;
    }
    const trip = memory.takeTrip();
    tab.setAddress(trip ? returnPath(trip.returnTo, place) : place.home);
    params.delete('lang');
    return { params, trip };
  }

  async function start(given: IssuerConfig | Promise<IssuerConfig>): Promise<void> {
    const arrival = arrive();
    tab.hear((message) => {
      if (message === signedOutMessage && state.get().name !== 'signed-out') void forgetAll()();
    });
    tab.onRestored(restore);
    const config = await Promise.resolve(given).catch((failure: unknown) => {
      if (arrival && isStarting()) state.set({ name: 'failed', code: codeOf(failure) });
      return undefined;
    });
    // Another tab may have signed out meanwhile.
    if (!config || !isStarting() || !arrival) return;
    const issuer = createIssuer(config, tab);
    work = { issuer, tokens: createTokenKeeper({ issuer, tab, onOver: () => state.set({ name: 'over' }) }) };
    if (arrival.params) return finish(arrival.params, arrival.trip);
    if (arrival.loginHint === undefined && memory.signedOutFrom() !== undefined) return state.set({ name: 'signed-out' });
    return beginUnasked(arrival.loginHint);
  }

  async function beginUnasked(loginHint?: string): Promise<void> {
    if (memory.mayAttempt()) await begin(loginHint);
    else fail('sign_in_unfinished');
  }

  /** To the issuer, and back to the screen that the address names. */
  async function begin(loginHint?: string): Promise<void> {
    if (isLeaving || !work) return;
    isLeaving = true;
    try {
      const verifier = oauth.generateRandomCodeVerifier();
      const challenge = await oauth.calculatePKCECodeChallenge(verifier);
      const returnTo = returnPath(tab.address(), place);
      const trip = { state: oauth.generateRandomState(), nonce: oauth.generateRandomNonce(), verifier, locale, returnTo };
      if (!memory.keepTrip(trip)) throw new Error('The browser keeps nothing for this tab.');
      memory.forgetSignedOut();
      const redirectUri = origin() + place.callback;
      leaveFor(work.issuer.authorizationUrl({ ...trip, redirectUri, challenge, loginHint }));
    } catch {
      isLeaving = false;
      fail('browser_unfit');
    }
  }

  /** What the issuer led back with. Nothing here begins another sign-in by itself. */
  async function finish(params: URLSearchParams, trip: Trip | undefined): Promise<void> {
    if (!work) return;
    const { issuer, tokens } = work;
    if (!trip || params.getAll('state').join(' ') !== trip.state) return fail('sign_in_unfinished');
    const answer = await issuer.exchange(params, { ...trip, redirectUri: origin() + place.callback });
    const given = answer.name === 'given' ? answer.tokens : undefined;
    if (!isStarting()) {
      const unwanted = given?.refreshToken ?? given?.bearer;
      return unwanted === undefined ? undefined : issuer.revoke(unwanted);
    }
    if (given?.bearer === undefined || given.userId === undefined) return failWith(answer);
    memory.forgetAttempts();
    memory.forgetSignedOut();
    tokens.hold({ ...given, bearer: given.bearer }, given.userId);
    state.set({ name: 'signed-in', userId: given.userId });
  }

  function failWith(answer: IssuerAnswer): void {
    const detail = answer.name === 'refused' ? answer.detail : undefined;
    if (answer.name === 'unreachable') fail('issuer_unreachable');
    else if (detail === 'access_denied') fail('sign_in_denied', detail);
    else fail(detail === 'invalid_grant' ? 'sign_in_unfinished' : 'sign_in_refused', detail);
  }

  /** Leaves nothing of the person in this tab. What is returned ends the tokens at the issuer, as far as it can be reached. */
  function forgetAll(): () => Promise<void> {
    const revoke = work?.tokens.forget();
    memory.takeTrip();
    memory.keepSignedOut(place.home);
    memory.forgetDrafts();
    state.set({ name: 'signed-out' });
    tab.setAddress(place.home);
    return async () => {
      await revoke?.();
      // What was being typed may have been written once more.
      memory.forgetDrafts();
    };
  }

  /** The page is shown again as it was left, however long ago: as after a reload, only the issuer knows who is signed in. */
  function restore(): void {
    isLeaving = false;
    const { name } = state.get();
    if (memory.signedOutFrom() !== undefined) {
      if (name !== 'signed-out') void forgetAll()();
    } else if (name === 'starting') fail('sign_in_unfinished');
    else if (name === 'signed-in') {
      state.set({ name: 'starting' });
      void work?.tokens.forget()();
      void beginUnasked();
    }
  }

  return {
    /**
     * Ends signed in, or leads the tab away, or says why neither. Before it waits for anything, the address holds nothing
     * of the sign-in any more.
     */
    start,

    /** A token that lives a while yet; undefined when the session is over, or there is none. While the session starts, the caller waits. */
    async bearer(): Promise<string | undefined> {
      if (isStarting()) await new Promise<void>((resolve) => waitUntilStarted(state, resolve));
      return work?.tokens.bearer();
    },

    refuseBearer: (token: string): void => work?.tokens.refuse(token),

    /** By hand: to the issuer, and back to this very screen. */
    signInAgain(): void {
      const { name } = state.get();
      if (isLeaving || name === 'signed-in' || name === 'starting') return;
      const home = memory.signedOutFrom();
      if (home !== undefined && home !== place.home) {
        // The issuer leads whoever signs out to the sellers' first screen, admins too.
        memory.forgetSignedOut();
        leaveFor(home === '/console/admin' ? home : '/console');
      } else if (work) void begin();
      else {
        memory.forgetSignedOut();
        leaveFor(tab.address());
      }
    },

    /** Here and in every other tab; then at the issuer. */
    async signOut(): Promise<void> {
      if (isLeaving) return;
      isLeaving = true;
      const revoke = forgetAll();
      tab.tell(signedOutMessage);
      await Promise.race([revoke(), new Promise<void>((resolve) => tab.later(revokeMs, resolve))]);
      const logout = work?.issuer.logoutUrl(`${origin()}/console`);
      memory.forgetDrafts();
      isLeaving = false;
      if (logout !== undefined) leaveFor(logout);
    },
  };
}

/** Why there is no configuration: in the failure's own code, if it has one. Browsers throw a TypeError where no reply comes. */
function codeOf(failure: unknown): string {
  const isCoded = typeof failure === 'object' && failure !== null && 'code' in failure && typeof failure.code === 'string';
  if (isCoded) return String(failure.code);
  return failure instanceof TypeError ? 'offline' : 'config_unavailable';
}

function waitUntilStarted(state: Announcement, done: () => void): void {
  const stop = state.subscribe(() => {
    if (state.get().name === 'starting') return;
    stop();
    done();
  });
}
