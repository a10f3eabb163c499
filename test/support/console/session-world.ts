import { createSession } from '../../../functions/console/browser/session/create-session.ts';
import type { IssuerConfig } from '../../../functions/console/browser/session/issuer.ts';
import type { SessionState } from '../../../functions/console/browser/session/session-state.ts';
import type { Tab } from '../../../functions/console/browser/session/tab.ts';
import { createStore } from '../../../functions/console/browser/store/store.ts';
import { createIdentityProvider } from '../../../infra/local/identity/identity-provider.ts';
import { createPeople } from '../../../infra/local/identity/people.ts';
import type { Locale } from '../../../shared/locale.ts';
import { emptyTable } from '../empty-table.ts';

export const origin = 'http://127.0.0.1:4320';
const issuer = `${origin}/__local/identity`;

/** Screens of both roles, as many as the session's tests need. */
const screens = {
  seller: /^\/console(|\/seller|\/products(|\/[^/]+(|\/files|\/releases\/[^/]+))|\/orders(|\/[^/]+))$/,
  admin: /^\/console\/admin(|\/products\/[^/]+|\/orders\/[^/]+)$/,
};
export const placeOf = (role: 'seller' | 'admin') => ({
  home: role === 'admin' ? '/console/admin' : '/console',
  callback: role === 'admin' ? '/console/admin/callback' : '/console/callback',
  isScreen: (path: string) => screens[role].test(path),
});

type Fetch = Tab['fetch'];

/** A page as it is shown in a tab. */
interface Page {
  address: string;
  /** Where it leads away to, and how often it did. */
  left: string | undefined;
  leaves: number;
  role: 'seller' | 'admin';
  locale: Locale;
  storage: ReturnType<typeof createStorage>;
  session: ReturnType<typeof createSession>;
  started: Promise<void>;
  state(): SessionState;
  /** The names of the states that it went through. */
  states: string[];
  hear(message: unknown): void;
  isOpen: boolean;
  restore(): void;
}

interface LoadOptions {
  role?: 'seller' | 'admin';
  storage?: Page['storage'];
  locale?: Locale;
  given?: IssuerConfig | Promise<IssuerConfig>;
  /** Whether it is waited for until the session has started. */
  waits?: boolean;
  /** Whether the browser keeps nothing. */
  forbids?: boolean;
}

/** All that was written where others could find it, since it was last emptied. */
export const written: string[] = [];

function createStorage() {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    key: (index: number) => [...items.keys()][index] ?? null,
    getItem: (key: string) => items.get(key) ?? null,
    setItem(key: string, value: string) {
      written.push(value);
      items.set(key, value);
    },
    removeItem: (key: string) => void items.delete(key),
  };
}

let now = Date.now();
/** One for all worlds: its key takes longer to make than most tests take. */
const provider = createIdentityProvider({
  publicBaseUrl: origin,
  clientId: 'console',
  tokenSeconds: 300,
  people: createPeople({ table: emptyTable, allowlist: 'root@example.com,other@example.com' }),
  file: undefined,
  now: () => new Date(now),
});

/** A browser with its tabs, the local identity provider where nobody is signed in, and one clock for both, of one world at a time. Nothing goes over a network. */
export function createWorld({ config: changes = {} }: { config?: Partial<IssuerConfig> } = {}) {
  now = Date.now();
  let timers: { at: number; run: () => void }[] = [];
  let cookie = '';
  let busy = 0;
  const config: IssuerConfig = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    revocation_endpoint: `${issuer}/revoke`,
    end_session_endpoint: `${issuer}/logout`,
    client_id: 'console',
    scope: 'openid email',
    token: 'access',
    ...changes,
  };

  async function ask(url: string, { method = 'GET', headers = {}, body = '' } = {}) {
    const { pathname: path, searchParams: query } = new URL(url);
    const reply = await provider.answer({ method, path, query, accept: '*/*', headers: { ...headers, cookie }, body: Buffer.from(body) });
    if (!reply) throw new Error(`The provider has no ${method} ${path}.`);
    const set = Object.entries(reply.headers).find(([name]) => name.toLowerCase() === 'set-cookie')?.[1];
    if (set !== undefined) cookie = String(set).split(';')[0] ?? '';
    return reply;
  }

  const endSessions = () => ask(`${issuer}/end-sessions`, { method: 'POST' });
  void endSessions();

  /** What the console asked the provider. */
  const asked: { what: string; params: URLSearchParams }[] = [];
  const fetchThrough: Fetch = async (url, { method, headers, body }) => {
    asked.push({ what: url.slice(issuer.length + 1), params: body });
    const reply = await ask(url, { method, headers, body: body.toString() });
    return new Response(reply.body === '' ? null : String(reply.body), { status: reply.status, headers: reply.headers });
  };
  const fault: { fetch: Fetch | undefined } = { fetch: undefined };

  const pages: Page[] = [];

  /** A network that never answers. */
  const hang: Fetch = () => new Promise(() => {});

  /** Waits until nothing more happens by itself. */
  async function settle() {
    for (let quiet = 0; quiet < 3; quiet = busy > 0 ? 0 : quiet + 1) await new Promise((resolve) => setImmediate(resolve));
  }

  /** A page that is loaded at this path, in a tab with this storage. */
  async function load(path: string, options: LoadOptions = {}): Promise<Page> {
    const { storage = createStorage(), given = config, waits = true, forbids = false } = options;
    const { role = path.startsWith('/console/admin') ? 'admin' : 'seller' } = options;
    const locale = options.locale ?? (new URL(path, origin).searchParams.get('lang') === 'ja' ? 'ja' : 'en');
    const states: string[] = [];
    const state = createStore<SessionState>({ name: 'starting' });
    state.subscribe(() => states.push(state.get().name));
    const tab: Tab = {
      address: () => page.address,
      setAddress(next) {
        written.push(next);
        page.address = new URL(next, page.address).href;
        if (new URL(page.address).origin !== origin) throw new Error('A page cannot show an address of others.');
      },
      replaceWith(url) {
        written.push(url);
        page.left = new URL(url, page.address).href;
        page.leaves += 1;
      },
      storage() {
        if (forbids) throw new Error('The browser keeps nothing.');
        return storage;
      },
      async fetch(url, init) {
        if (fault.fetch === hang) return hang(url, init);
        busy += 1;
        try {
          return await (fault.fetch ?? fetchThrough)(url, init);
        } finally {
          busy -= 1;
        }
      },
      now: () => now,
      schedule(milliseconds, run) {
        const timer = { at: now + milliseconds, run };
        timers.push(timer);
        return () => {
          timers = timers.filter((other) => other !== timer);
        };
      },
      broadcast(message) {
        written.push(message);
        for (const other of pages) if (other !== page && other.isOpen) other.hear(message);
      },
      onBroadcast(onMessage) {
        page.hear = onMessage;
      },
      onRestored(run) {
        page.restore = run;
      },
    };
    const page: Page = {
      ...{ address: new URL(path, origin).href, left: undefined, leaves: 0, role, locale, storage, states, isOpen: true },
      session: createSession({ tab, place: placeOf(role), locale, state }),
      started: Promise.resolve(),
      state: state.get,
      hear: () => undefined,
      restore: () => undefined,
    };
    pages.push(page);
    page.started = page.session.start(given);
    if (waits) await page.started;
    return page;
  }

  /** Goes where the page leads to, by way of the issuer; the page that is loaded then, undefined when the issuer asks something. */
  async function follow(page: Page, options: LoadOptions = {}): Promise<Page | undefined> {
    if (page.left === undefined) throw new Error('The page was not left.');
    page.isOpen = false;
    let url = page.left;
    while (url.startsWith(issuer)) {
      const next = locationOf(await ask(url));
      if (next === undefined) return undefined;
      url = next;
    }
    const locale = new URL(url).searchParams.get('lang') === 'ja' ? 'ja' : page.locale;
    return load(url.slice(origin.length), { storage: page.storage, locale, ...options });
  }

  /** Loads the path and goes on to whatever comes of it. */
  async function visit(path: string, options: LoadOptions = {}): Promise<Page> {
    const page = await load(path, options);
    return page.left === undefined ? page : ((await follow(page)) ?? page);
  }

  return {
    ...{ config, provider, asked, fault, hang, fetchThrough, ask, load, follow, visit, settle, createStorage },
    now: () => now,
    /** Lets time pass, with all that is due on the way. */
    async pass(seconds: number) {
      const end = now + seconds * 1000;
      for (;;) {
        await settle();
        const next = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        timers = timers.filter((timer) => timer !== next);
        now = Math.max(now, next.at);
        next.run();
      }
      now = end;
    },
    /** Time passes while the machine sleeps: no timer runs. */
    sleep(seconds: number) {
      now += seconds * 1000;
    },
    /** Waits until the page leads away. */
    async leaving(page: Page) {
      while (page.left === undefined) await new Promise((resolve) => setImmediate(resolve));
      await settle();
    },
    isGood: (token: string | undefined) => token !== undefined && !provider.isOver(`Bearer ${token}`),
    endSessions,
  };
}

/** Where a reply of the issuer leads to. */
export function locationOf({ headers }: { headers: Readonly<Record<string, string>> }): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'location')?.[1];
}
