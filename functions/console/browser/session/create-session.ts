import * as oauth from 'oauth4webapi';
import type { Locale } from '../../../../shared/locale.ts';
import type { Store } from '../store/store.ts';
import { createIssuer, type Issuer, type IssuerAnswer, type IssuerConfig } from './issuer.ts';
import { type Place, returnPath } from './return-path.ts';
import type { SessionFailure, SessionState } from './session-state.ts';
import type { Tab } from './tab.ts';
import { openTabMemory, type SignInTrip } from './tab-memory.ts';
import { createTokenKeeper } from './token-keeper.ts';

/** What tabs tell each other. */
const signedOutMessage = 'signed-out';
/** How long the revocation may hold up whoever signs out. */
const revokeMs = 2_000;
/** A page that is still there after this was not left. */
const leavingMs = 15_000;

/** The session of one page in one tab. */
interface Session {
  tab: Tab;
  place: Place;
  locale: Locale;
  state: Store<SessionState>;
  memory: ReturnType<typeof openTabMemory>;
  /** There once the configuration is. */
  work?: { issuer: Issuer; tokens: ReturnType<typeof createTokenKeeper> };
  isLeaving: boolean;
}

/** The session of one page in one tab. See README.md. */
export function createSession(given: { tab: Tab; place: Place; locale: Locale; state: Store<SessionState> }) {
  const session: Session = { ...given, memory: openTabMemory(given.tab), isLeaving: false };
  return {
    /**
     * Ends signed in, or leads the tab away, or says why neither. Before it waits for anything, the address holds nothing
     * of the sign-in any more.
     */
    start: (config: IssuerConfig | Promise<IssuerConfig>): Promise<void> => start(session, config),

    /** A token that lives a while yet; undefined when the session is over, or there is none. While the session starts, the caller waits. */
    async bearer(): Promise<string | undefined> {
      if (isStarting(session)) await new Promise<void>((resolve) => waitUntilStarted(session.state, resolve));
      return session.work?.tokens.bearer();
    },

    refuseBearer: (token: string): void => session.work?.tokens.refuse(token),

    /** By hand: to the issuer, and back to this very screen. */
    signInAgain: (): void => signInAgain(session),

    /** Here and in every other tab; then at the issuer. */
    signOut: (): Promise<void> => signOut(session),
  };
}

function fail({ state }: Session, code: SessionFailure, detail?: string): void {
  state.set({ name: 'failed', code, ...(detail !== undefined && { detail }) });
}
const isStarting = ({ state }: Session) => state.get().name === 'starting';
const originOf = ({ tab }: Session) => new URL(tab.address()).origin;

function leaveFor(session: Session, url: string): void {
  session.isLeaving = true;
  session.tab.schedule(leavingMs, () => {
    session.isLeaving = false;
    if (isStarting(session)) fail(session, 'sign_in_unfinished');
  });
  session.tab.replaceWith(url);
}

/** What the address was for: a screen, or the end of a trip to the issuer. */
type Arrival =
  | { name: 'screen'; loginHint: string | undefined }
  | { name: 'callback'; params: URLSearchParams; trip: SignInTrip | undefined };

/** Takes out of the address, and out of what the tab keeps, all that is for the sign-in alone; undefined where the tab is led away. */
function arrive(session: Session): Arrival | undefined {
  const { tab, place, locale, memory } = session;
  const { pathname, searchParams: params } = new URL(tab.address());
  if (pathname !== place.callback) {
    const loginHint = pathname.replace(/\/$/, '') === place.home ? (params.get('login_hint') ?? undefined) : undefined;
    const returnTo = returnPath(tab.address(), place);
    if (tab.address() !== originOf(session) + returnTo) tab.setAddress(returnTo);
    return { name: 'screen', loginHint };
  }
  const begun = memory.lookAtTrip();
  if (begun && begun.locale !== locale && !params.has('lang')) {
    // The issuer leads back to no language. This page is the wrong one: the right one takes the tokens.
    params.set('lang', begun.locale);
    leaveFor(session, `${place.callback}?${params}`);
    return undefined;
  }
  const trip = memory.takeTrip();
  tab.setAddress(trip ? returnPath(trip.returnTo, place) : place.home);
  params.delete('lang');
  return { name: 'callback', params, trip };
}

async function start(session: Session, given: IssuerConfig | Promise<IssuerConfig>): Promise<void> {
  const { tab, state, memory } = session;
  const arrival = arrive(session);
  tab.onBroadcast((message) => {
    if (message === signedOutMessage && state.get().name !== 'signed-out') void forgetAll(session)();
  });
  tab.onRestored(() => restore(session));
  const config = await Promise.resolve(given).catch((failure: unknown) => {
    if (arrival && isStarting(session)) state.set({ name: 'failed', code: codeOf(failure) });
    return undefined;
  });
  // Another tab may have signed out meanwhile.
  if (!config || !isStarting(session) || !arrival) return;
  const issuer = createIssuer(config, tab);
  session.work = { issuer, tokens: createTokenKeeper({ issuer, tab, onOver: () => state.set({ name: 'over' }) }) };
  if (arrival.name === 'callback') return finish(session, arrival.params, arrival.trip);
  if (arrival.loginHint === undefined && memory.signedOutFrom() !== undefined) return state.set({ name: 'signed-out' });
  return beginUnasked(session, arrival.loginHint);
}

async function beginUnasked(session: Session, loginHint?: string): Promise<void> {
  if (session.memory.mayAttempt()) await begin(session, loginHint);
  else fail(session, 'sign_in_unfinished');
}

/** To the issuer, and back to the screen that the address names. */
async function begin(session: Session, loginHint?: string): Promise<void> {
  const { tab, place, locale, memory, work } = session;
  if (session.isLeaving || !work) return;
  session.isLeaving = true;
  try {
    const verifier = oauth.generateRandomCodeVerifier();
    const challenge = await oauth.calculatePKCECodeChallenge(verifier);
    const returnTo = returnPath(tab.address(), place);
    const trip = { state: oauth.generateRandomState(), nonce: oauth.generateRandomNonce(), verifier, locale, returnTo };
    if (!memory.keepTrip(trip)) throw new Error('The browser keeps nothing for this tab.');
    memory.forgetSignedOut();
    const redirectUri = originOf(session) + place.callback;
    leaveFor(session, work.issuer.authorizationUrl({ ...trip, redirectUri, challenge, loginHint }));
  } catch {
    session.isLeaving = false;
    fail(session, 'browser_unfit');
  }
}

/** What the issuer led back with. Nothing here begins another sign-in by itself. */
async function finish(session: Session, params: URLSearchParams, trip: SignInTrip | undefined): Promise<void> {
  const { place, state, memory, work } = session;
  if (!work) return;
  if (!trip || params.getAll('state').join(' ') !== trip.state) return fail(session, 'sign_in_unfinished');
  const answer = await work.issuer.exchange(params, { ...trip, redirectUri: originOf(session) + place.callback });
  const given = answer.name === 'given' ? answer.tokens : undefined;
  if (!isStarting(session)) {
    const unwanted = given?.refreshToken ?? given?.bearer;
    return unwanted === undefined ? undefined : work.issuer.revoke(unwanted);
  }
  if (given?.bearer === undefined || given.userId === undefined) return failWith(session, answer);
  memory.forgetAttempts();
  memory.forgetSignedOut();
  work.tokens.hold({ ...given, bearer: given.bearer }, given.userId);
  state.set({ name: 'signed-in', userId: given.userId });
}

function failWith(session: Session, answer: IssuerAnswer): void {
  const detail = answer.name === 'refused' ? answer.detail : undefined;
  if (answer.name === 'unreachable') fail(session, 'issuer_unreachable');
  else if (detail === 'access_denied') fail(session, 'sign_in_denied', detail);
  else fail(session, detail === 'invalid_grant' ? 'sign_in_unfinished' : 'sign_in_refused', detail);
}

/** Leaves nothing of the person in this tab. What is returned ends the tokens at the issuer, as far as it can be reached. */
function forgetAll({ tab, place, state, memory, work }: Session): () => Promise<void> {
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
function restore(session: Session): void {
  const { state, memory, work } = session;
  session.isLeaving = false;
  const { name } = state.get();
  if (memory.signedOutFrom() !== undefined) {
    if (name !== 'signed-out') void forgetAll(session)();
  } else if (name === 'starting') fail(session, 'sign_in_unfinished');
  else if (name === 'signed-in') {
    state.set({ name: 'starting' });
    void work?.tokens.forget()();
    void beginUnasked(session);
  }
}

function signInAgain(session: Session): void {
  const { tab, place, state, memory, work, isLeaving } = session;
  const { name } = state.get();
  if (isLeaving || name === 'signed-in' || name === 'starting') return;
  const home = memory.signedOutFrom();
  if (home !== undefined && home !== place.home) {
    // The issuer leads whoever signs out to the sellers' first screen, admins too.
    memory.forgetSignedOut();
    leaveFor(session, home === '/console/admin' ? home : '/console');
  } else if (work) void begin(session);
  else {
    memory.forgetSignedOut();
    leaveFor(session, tab.address());
  }
}

async function signOut(session: Session): Promise<void> {
  const { tab, memory } = session;
  if (session.isLeaving) return;
  session.isLeaving = true;
  const revoke = forgetAll(session);
  tab.broadcast(signedOutMessage);
  await Promise.race([revoke(), new Promise<void>((resolve) => tab.schedule(revokeMs, resolve))]);
  const logout = session.work?.issuer.logoutUrl(`${originOf(session)}/console`);
  memory.forgetDrafts();
  session.isLeaving = false;
  if (logout !== undefined) leaveFor(session, logout);
}

/** Why there is no configuration: in the failure's own code, if it has one. Browsers throw a TypeError where no reply comes. */
function codeOf(failure: unknown): string {
  const isCoded = typeof failure === 'object' && failure !== null && 'code' in failure && typeof failure.code === 'string';
  if (isCoded) return String(failure.code);
  return failure instanceof TypeError ? 'offline' : 'config_unavailable';
}

function waitUntilStarted(state: Store<SessionState>, done: () => void): void {
  const stop = state.subscribe(() => {
    if (state.get().name === 'starting') return;
    stop();
    done();
  });
}
