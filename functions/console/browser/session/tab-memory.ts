import { isLocale, type Locale } from '../../../../shared/locale.ts';
import type { Tab } from './tab.ts';

/** What the tab must know again when the issuer leads back to it. */
export interface SignInTrip {
  state: string;
  nonce: string;
  verifier: string;
  locale: Locale;
  returnTo: string;
}

/** So many sign-ins may begin by themselves in so long without one that ends well. */
const maxAttempts = 3;
const attemptsMs = 30_000;

const tripKey = 'console:sign-in';
const attemptsKey = 'console:attempts';
const signedOutKey = 'console:signed-out';

/** What the tab keeps beyond a page load: never a token. Where the browser keeps nothing, all of it is as if it had never been written. */
export function openTabMemory(tab: Tab) {
  function tried<T>(use: (storage: ReturnType<Tab['storage']>) => T): T | undefined {
    try {
      return use(tab.storage());
    } catch {
      return undefined;
    }
  }
  const read = (key: string) => tried((storage) => storage.getItem(key)) ?? undefined;
  const forget = (key: string) => tried((storage) => storage.removeItem(key));

  function lookAtTrip(): SignInTrip | undefined {
    const [state, nonce, verifier, locale, returnTo] = read(tripKey)?.split(' ') ?? [];
    if (!state || !nonce || !verifier || !returnTo || !isLocale(locale)) return undefined;
    return { state, nonce, verifier, locale, returnTo };
  }

  return {
    lookAtTrip,
    takeTrip(): SignInTrip | undefined {
      const trip = lookAtTrip();
      forget(tripKey);
      return trip;
    },
    /** False when the browser does not keep it. */
    keepTrip({ state, nonce, verifier, locale, returnTo }: SignInTrip): boolean {
      const text = [state, nonce, verifier, locale, returnTo].join(' ');
      tried((storage) => storage.setItem(tripKey, text));
      return read(tripKey) === text;
    },

    /** Counts a sign-in that begins by itself; false when there were too many. */
    mayAttempt(): boolean {
      const now = tab.now();
      const recent = (read(attemptsKey) ?? '')
        .split(' ')
        .filter((at) => at !== '' && Math.abs(now - Number(at)) < attemptsMs)
        .slice(-maxAttempts);
      if (recent.length >= maxAttempts) return false;
      tried((storage) => storage.setItem(attemptsKey, [...recent, now].join(' ')));
      return true;
    },

    /** The home of whoever signed out in this tab, until somebody wishes to sign in. */
    signedOutFrom: () => read(signedOutKey),
    keepSignedOut: (home: string) => tried((storage) => storage.setItem(signedOutKey, home)),
    forgetSignedOut: () => forget(signedOutKey),

    /** Nothing went wrong by now. */
    forgetAttempts: () => forget(attemptsKey),

    forgetDrafts(): void {
      tried((storage) => {
        const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '');
        for (const key of keys.filter((name) => name.startsWith('draft:'))) storage.removeItem(key);
      });
    },
  };
}
