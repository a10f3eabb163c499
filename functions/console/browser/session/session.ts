import { callbackPaths, type Role, screenAt, screenPaths } from '../../screens.ts';
import { createStore, type Store } from '../store/store.ts';
import { openBrowserTab } from './browser-tab.ts';
import { createSession } from './create-session.ts';
import type { IssuerConfig } from './issuer.ts';
import type { SessionState } from './session-state.ts';

/** How it stands with whoever works in this tab. */
export const session: Store<SessionState> = createStore<SessionState>({ name: 'starting' });

let current: ReturnType<typeof createSession> | undefined;

/**
 * Ends signed in, or leads the tab away, or in a state that says why not. To be called before anything reads the
 * address: a callback's query has left it when this returns, though what is promised comes later.
 */
export function startSession(config: IssuerConfig | Promise<IssuerConfig>, role: Role): Promise<void> {
  const place = {
    home: screenPaths[role][0],
    callback: callbackPaths[role],
    isScreen: (path: string) => screenAt(path, role) !== undefined,
  };
  current = createSession({ tab: openBrowserTab(), place, locale: LANGUAGE, state: session });
  return current.start(config);
}

/** A token that lives a while yet; undefined when the session is over. */
export const bearer = async (): Promise<string | undefined> => current?.bearer();

/** The API answered 401 to this token: the session is over, unless a newer one is there or can be had. */
export const reportRejectedBearer = (token: string): void => current?.refuseBearer(token);

/** To the issuer, and back to this very screen. Twice is once. */
export function signInAgain(): void {
  if (current === undefined) location.reload();
  else current.signInAgain();
}

/** Ends the session in every tab, and at the issuer. */
export const signOut = async (): Promise<void> => current?.signOut();
