import type { Tab } from './tab.ts';

/** How long a request to the issuer may take. */
const requestMs = 10_000;

/** The tab that this script runs in. */
export function openBrowserTab(): Tab {
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('console') : undefined;
  return {
    address: () => location.href,
    setAddress(path) {
      history.replaceState(null, '', path);
      // A router that is there already follows.
      dispatchEvent(new PopStateEvent('popstate'));
    },
    replaceWith: (url) => location.replace(url),
    storage: () => sessionStorage,
    fetch: (url, init) =>
      fetch(url, { ...init, redirect: 'manual', credentials: 'omit', cache: 'no-store', signal: AbortSignal.timeout(requestMs) }),
    now: () => Date.now(),
    schedule(milliseconds, run) {
      const timer = setTimeout(run, milliseconds);
      return () => clearTimeout(timer);
    },
    broadcast: (message) => channel?.postMessage(message),
    onBroadcast: (onMessage) => channel?.addEventListener('message', ({ data }) => onMessage(data)),
    onRestored: (run) => addEventListener('pageshow', ({ persisted }) => persisted && run()),
  };
}
