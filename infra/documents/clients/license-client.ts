/*
 * SPDX-License-Identifier: MIT-0
 * Copyright 2026 the authors of the license service
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
 * documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
 * rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
 * persons to whom the Software is furnished to do so.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
 * WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
 * COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
 * OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
 */

/**
 * License client for TypeScript and JavaScript: one file, no dependencies. It activates a license key on this
 * device, keeps the lease that the license service signed, and decides from it while the service cannot be reached.
 *
 *   const client = new LicenseClient({
 *     baseUrl: 'https://api.example.com',
 *     productId: 'prd_…',
 *     keys: [{ kid: '…', x: '…', y: '…' }, { kid: '…', x: '…', y: '…' }], // copied from /.well-known/jwks.json into the build
 *     appName: 'Photo Studio',
 *   });
 *   let status = await client.check(); // at the start
 *   if (status.code === 'no_license') status = await client.activate(keyThatTheUserTyped);
 *   if (!status.allowed) show(status.message);
 *   const stop = client.watch((later) => { if (!later.allowed) show(later.message); }); // daily, and when the device wakes up
 *
 * Runs in browsers (on pages of https or localhost, where WebCrypto is), Electron, Node 20 or newer, and Deno 2 (with
 * --allow-net --allow-read --allow-write --allow-env --allow-sys). Browsers keep the state in localStorage, the others in a file.
 *
 * Proxy and trust store. Browsers use the system's. Node does with NODE_USE_ENV_PROXY=1 (HTTPS_PROXY, NO_PROXY; from
 * 22.21 and 24.0) and `--use-system-ca`. Deno obeys HTTPS_PROXY by itself, and trusts the system's
 * certificates with DENO_TLS_CA_STORE=system. In Electron's main process pass `fetch: net.fetch`, which uses Chromium's.
 */

/** A public key of the service. Pin two or more in the app, so that the service can change keys. */
export interface LeaseKey {
  kid: string;
  x: string;
  y: string;
}

/** Where the state is kept. Saved whole or not at all, also when the app is killed meanwhile. */
export interface LicenseStorage {
  load(): Promise<string | undefined>;
  save(text: string): Promise<void>;
  /** Keeps the fingerprint unless there is one, and returns what is kept: the same to all processes. Without it the state keeps it. */
  claimFingerprint?(offered: string): Promise<string>;
  /** Lets one process after the other change the state. Needed where several may run at once. */
  exclusively?<Result>(change: () => Promise<Result>): Promise<Result>;
}

export interface LicenseClientOptions {
  baseUrl: string;
  productId: string;
  keys: readonly LeaseKey[];
  /** Names the folder of the state, or its item in localStorage. Default: the product's id. */
  appName?: string | undefined;
  /** The path of the state's file, or a storage of your own. */
  storage?: string | LicenseStorage | undefined;
  appVersion?: string | undefined;
  /** What the user calls this device. */
  deviceLabel?: string | undefined;
  /** Believe an answer "valid" only with a lease: then a forged server is of no use. */
  requireLease?: boolean | undefined;
  /** Take test keys, too: in builds for yourself alone. */
  allowTestKeys?: boolean | undefined;
  /** Seconds since 1970. */
  clock?: (() => number) | undefined;
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  wait?: ((seconds: number) => Promise<void>) | undefined;
  /** Seconds between two looks of `watch` at the clock. Default: 60. */
  lookEvery?: number | undefined;
  /** Seconds that one attempt may take. */
  timeout?: number | undefined;
}

export interface Status {
  /** Whether the app may run. */
  allowed: boolean;
  /** A later service may say codes that are not listed yet: go by `allowed` then. */
  code: Code;
  /** Who decided: the service just now, the kept lease, or nobody. */
  source: 'service' | 'lease' | 'none';
  /** A sentence for the user. */
  message: string;
  /** When the kept lease ends, in seconds since 1970. */
  until?: number | undefined;
  features: readonly string[];
  /** How many devices have a seat, of how many, and when the license itself ends (ISO 8601): where the service has just said so. */
  seats?: number | undefined;
  limit?: number | undefined;
  expiresAt?: string | undefined;
  /** Until when updates come, in seconds since 1970; absent: without end. See `covers`. */
  updatesUntil?: number | undefined;
  /** Whether to call `check` as soon as there is a network. */
  askOnline: boolean;
}

/** Whether the license may run a build that was released at `releasedAt`, in seconds since 1970. */
export const covers = ({ allowed, updatesUntil }: Status, releasedAt: number): boolean =>
  allowed && (updatesUntil === undefined || releasedAt <= updatesUntil);

/** A sentence for each code. The client puts a date of ISO 8601 and the address of the page for buyers into it. */
export const messages = {
  valid: 'This app is licensed.',
  activated: 'This device is now activated.',
  already_activated: 'This device is activated.',
  deactivated: 'This device is no longer activated.',
  not_activated: 'This device was not activated.',
  license_key_malformed: 'This license key seems to be mistyped or incomplete. Please look at it again, or paste it.',
  license_not_found: 'This license key is not known for this app.',
  license_replaced: 'This license key was replaced by a new one. Please enter the new key.',
  license_revoked: 'This license was revoked. Please contact support.',
  license_refunded: 'This license was refunded.',
  license_disputed: 'The payment of this license is disputed. It works again once the dispute is settled.',
  license_suspended: 'This license is on hold. Please contact support.',
  license_expired: 'This license has expired.',
  activation_limit_exceeded: 'All seats of this license are taken. Release a device that you no longer use at {manage}.',
  deactivation_not_allowed: 'This license cannot be moved to another device.',
  lease_valid: 'This app is licensed. The license will be checked again online.',
  licensed_until: 'This app is licensed until {date}.',
  lease_expired: 'The license has not been confirmed for too long. Please connect to the internet once.',
  clock_set_back: 'The clock of this device seems to be wrong. Please correct it, and connect to the internet once.',
  lease_refused: 'This license file is not for this app on this device.',
  test_key_refused:
    'This license is for testing, and only builds with the option allowTestKeys take it. Please enter your own license key.',
  no_license: 'Please enter your license key.',
  not_stored: 'The license cannot be stored on this device. Please free disk space, or let this app write to its folder, and try again.',
  unreachable: 'The license cannot be checked now. Please connect to the internet and try again.',
  request_refused: 'The license could not be checked. Please contact support.',
} as const;

/** What a status may say: the codes of the service, and the client’s own. */
export type Code = keyof typeof messages;

const attempts = 3;
const longestRetryAfter = 5;
/** More than all the features take that a product may have. */
const longestLease = 65_536;
const longestReply = 2 * longestLease;
/** Seconds that a clock may be wrong. */
const tolerance = 300;
const [hour, day] = [3_600, 86_400];

export class LicenseClient {
  readonly #options: LicenseClientOptions;
  readonly #issuer: string;
  readonly #storage: LicenseStorage;
  #lastUpdate: Promise<unknown> = Promise.resolve();

  constructor(options: LicenseClientOptions) {
    this.#options = options;
    this.#issuer = options.baseUrl.replace(/\/+$/, '');
    this.#storage =
      typeof options.storage === 'object' ? options.storage : defaultStorage(options.storage, options.appName ?? options.productId);
  }

  /** Takes a seat for this device. Send the key as the user typed it. Without a reply it is kept, and tried again by `check`. */
  async activate(key: string): Promise<Status> {
    if (!(await this.#canKeep(key))) return this.#withCode(await this.checkOffline(), 'not_stored');
    const reply = await this.#askForSeat(key);
    if (!reply) return this.#unanswered(key);
    await this.#update(({ pending_key, ...rest }) => rest);
    if (reply.isAnswer) return reply.valid ? this.#accept(key, reply) : this.#refuse(key, reply);
    if (reply.code === 'activation_limit_exceeded') return this.#deny(key, reply);
    return this.#withCode(await this.checkOffline(), 'request_refused');
  }

  /** Call it at the start and about once a day. Only the service, or the end of the lease, ends what was allowed. */
  async check(): Promise<Status> {
    const { license_key: key, pending_key: pending } = await this.#load();
    if (pending !== undefined) return this.activate(pending);
    if (key === undefined) return this.checkOffline();
    if ((await this.#fingerprint()) === undefined) return this.#withCode(await this.checkOffline(), 'not_stored');
    const reply = await this.#ask('validate', key);
    if (!reply?.isAnswer) return this.checkOffline();
    if (!reply.valid) return this.#refuse(key, reply);
    // The seat was freed elsewhere, or the state came from another device.
    return reply.body['device_activated'] === false ? this.activate(key) : this.#accept(key, reply);
  }

  /** Checks about once a day, when the device woke up, and each hour while the service does not answer. Returns what ends it. */
  watch(show: (status: Status) => void): () => void {
    let [seen, due] = [this.#clock(), this.#clock() + around(day)];
    let [isChecking, isOver] = [false, false];
    const look = async () => {
      const now = this.#clock();
      const hasJumped = Math.abs(now - seen) > tolerance;
      seen = now;
      if (isChecking || (now < due && !hasJumped)) return;
      isChecking = true;
      const status = await this.check().catch(() => undefined);
      isChecking = false;
      due = now + around(!status || status.askOnline ? hour : day);
      if (status && !isOver) show(status);
    };
    const timer = setInterval(look, (this.#options.lookEvery ?? 60) * 1000);
    // Node would wait for it at the end.
    Object(timer).unref?.();
    const document: unknown = Reflect.get(globalThis, 'document');
    const page = document instanceof EventTarget ? document : undefined;
    page?.addEventListener('visibilitychange', look);
    return () => {
      isOver = true;
      clearInterval(timer);
      page?.removeEventListener('visibilitychange', look);
    };
  }

  /** Decides by the kept lease. Sends nothing. */
  async checkOffline(): Promise<Status> {
    const clock = this.#clock();
    const state = await this.#update((old) => ({ ...old, latest_seen: Math.max(clock, old.latest_seen ?? clock) }));
    const time = state.latest_seen ?? clock;
    const { verdict, claims } = await this.#verify(state, { now: time });
    const clockSetBack = clock + tolerance < time;
    const hasKey = (state.license_key ?? state.pending_key) !== undefined;
    const askOnline = clockSetBack || hasKey;
    if (verdict === 'valid') {
      const code = clockSetBack ? 'clock_set_back' : claims?.kind === 'offline' ? 'licensed_until' : 'lease_valid';
      return this.#status({ allowed: true, code, source: 'lease', askOnline }, claims);
    }
    if (verdict === 'expired') return this.#status({ allowed: false, code: 'lease_expired', source: 'lease', askOnline }, claims);
    if (verdict === 'test') return this.#status({ allowed: false, code: 'test_key_refused', source: 'lease', askOnline });
    const code = !hasKey ? 'no_license' : state.pending_key === undefined && isCode(state.refused) ? state.refused : 'unreachable';
    return this.#status({ allowed: false, code, source: 'none', askOnline });
  }

  /** Frees this device's seat, and forgets the key. The fingerprint stays. */
  async deactivate(): Promise<Status> {
    const { license_key: key } = await this.#load();
    if (key === undefined) {
      await this.#update(({ pending_key, ...rest }) => rest);
      return this.#status({ allowed: false, code: 'no_license', source: 'none' });
    }
    const reply = await this.#ask('deactivate', key);
    if (!reply?.isAnswer) return this.#withCode(await this.checkOffline(), reply?.code ?? 'unreachable');
    await this.#update(({ license_key, pending_key, lease, refused, ...rest }) => rest);
    return this.#status({ allowed: false, code: reply.code, source: 'service' });
  }

  /**
   * What the user of a device without network takes to /activate. The same until a lease was imported.
   * @throws Error where it cannot be stored
   */
  async makeRequestCode(): Promise<string> {
    const d = await this.#fingerprint();
    if (d === undefined) throw new Error(messages.not_stored);
    const { nonce: n } = await this.#update((state) => ({ ...state, nonce: state.nonce ?? randomText() }));
    return `LAR1.${toBase64url(JSON.stringify({ p: this.#options.productId, d, l: this.#options.deviceLabel, n }))}`;
  }

  /** Takes the text of the file `license.lease` that /activate gave. */
  async importLease(text: string): Promise<Status> {
    const lease = text.trim();
    const state = await this.#load();
    const { verdict, claims } = await this.#verify({ ...state, lease }, { nonce: state.nonce, now: this.#clock() });
    // A device without network cannot ask whose clock is wrong.
    if (claims && (verdict === 'valid' || verdict === 'clock')) {
      // Asked for, it heals a clock that ran ahead; no old file does.
      const floor = state.nonce ? 0 : (state.latest_seen ?? 0);
      await this.#update(({ nonce, refused, ...rest }) => ({ ...rest, lease, latest_seen: Math.max(claims.iat, floor) }));
      return this.checkOffline();
    }
    const code = verdict === 'expired' ? 'lease_expired' : verdict === 'test' ? 'test_key_refused' : 'lease_refused';
    return this.#withCode(await this.checkOffline(), code);
  }

  async #accept(key: string, reply: Reply): Promise<Status> {
    const { code, body, lease } = reply;
    if (body['test'] === true && !this.#options.allowTestKeys) {
      // A build that takes test keys has left its seat.
      if (body['device_activated'] === true) await this.#ask('deactivate', key);
      return this.#refuse(key, { ...reply, code: 'test_key_refused' });
    }
    if (this.#options.requireLease && !lease) return this.#unanswered(key);
    const { state, isStored } = await this.#store(async ({ refused, ...old }) => {
      const { claims } = await this.#verify(old, {});
      const kept = claims?.sub === body['license_id'] ? claims : undefined;
      if (!lease) return { ...old, license_key: key, lease: kept && old.lease };
      const keepsOld = kept !== undefined && kept.exp > lease.claims.exp;
      // The signed time, not the later of both: it heals a clock that ran ahead.
      return { ...old, license_key: key, lease: keepsOld ? old.lease : lease.text, latest_seen: lease.claims.iat };
    });
    if (!isStored && (await this.#load()).license_key !== key) {
      // The next start would take another seat.
      await this.#ask('deactivate', key);
      return this.#withCode(await this.checkOffline(), 'not_stored');
    }
    const { claims } = await this.#verify(state, {});
    const features = isTexts(body['features']) ? { features: body['features'] } : {};
    return this.#status({ allowed: true, code, source: 'service', ...features, ...termsOf(body) }, claims);
  }

  async #refuse(key: string, reply: Reply): Promise<Status> {
    await this.#update((state) => (state.license_key === key ? { ...state, lease: undefined, refused: reply.code } : state));
    return this.#deny(key, reply);
  }

  /** A no for this key. The license that the device has under another one goes on. */
  async #deny(key: string, { code, body }: Reply): Promise<Status> {
    const { license_key: kept } = await this.#load();
    if (kept !== key) {
      const offline = await this.checkOffline();
      // Where its terms give no lease, only the service knows.
      const status = offline.allowed || kept === undefined ? offline : await this.check();
      if (status.allowed) return this.#withCode(status, code);
    }
    return this.#status({ allowed: false, code, source: 'service', ...termsOf(body) });
  }

  async #unanswered(key: string): Promise<Status> {
    await this.#update((state) => (state.license_key === key ? state : { ...state, pending_key: key }));
    return this.checkOffline();
  }

  #status(decision: Decision, claims?: Claims): Status {
    const { allowed, code, source, features = claims?.features ?? [], askOnline = false } = decision;
    const updatesUntil = source === 'service' ? decision.updatesUntil : claims?.updatesUntil;
    const status = { ...decision, until: claims?.exp, features: allowed ? features : [], updatesUntil, askOnline };
    return this.#withCode(status, code, allowed ? 'valid' : 'request_refused');
  }

  /** Of a code that is not known yet, another one's sentence is said. */
  #withCode(status: Omit<Status, 'code' | 'message'>, code: Code, other: Code = 'request_refused'): Status {
    const date = new Date((status.until ?? 0) * 1000).toISOString().slice(0, 10);
    const message = messages[Object.hasOwn(messages, code) ? code : other]
      .replace('{date}', date)
      .replace('{manage}', `${this.#issuer}/manage`);
    return { ...status, code, message };
  }

  /** Asks first what the key is: one for tests, which the app does not take, gets no seat. */
  async #askForSeat(key: string): Promise<Reply | undefined> {
    if (!this.#options.allowTestKeys) {
      const reply = await this.#ask('validate', key);
      if (!reply?.valid || reply.body['test'] === true) return reply;
    }
    return this.#ask('activate', key);
  }

  async #ask(call: 'validate' | 'activate' | 'deactivate', key: string): Promise<Reply | undefined> {
    const { productId, deviceLabel, appVersion } = this.#options;
    const fingerprint = await this.#fingerprint();
    if (fingerprint === undefined) return undefined;
    const nonce = call === 'deactivate' ? undefined : randomText();
    const request = { product_id: productId, license_key: key, device_fingerprint: fingerprint, nonce };
    const reply = await this.#send(call, { ...request, device_label: deviceLabel, app_version: appVersion });
    const text = reply && textIn(reply.body, 'lease');
    if (!reply || text === undefined) return reply;
    const { verdict, claims } = await this.#verify({ fingerprint, lease: text }, { nonce });
    return { ...reply, lease: claims && verdict === 'valid' ? { text, claims } : undefined };
  }

  /** Undefined unless the service itself replied. */
  async #send(call: string, request: object): Promise<Reply | undefined> {
    for (let attempt = 0; ; attempt += 1) {
      const { reply, retryAfter } = await this.#sendOnce(call, JSON.stringify(request));
      if (reply || attempt + 1 === attempts || (retryAfter ?? 0) > longestRetryAfter) return reply;
      await (this.#options.wait ?? wait)(retryAfter ?? (0.5 + Math.random() / 2) * 2 ** attempt);
    }
  }

  async #sendOnce(call: string, body: string): Promise<{ reply?: Reply | undefined; retryAfter?: number | undefined }> {
    try {
      const response = await (this.#options.fetch ?? fetch)(`${this.#issuer}/v1/licenses/${call}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        redirect: 'manual',
        credentials: 'omit',
        signal: AbortSignal.timeout((this.#options.timeout ?? 10) * 1000),
      });
      const seconds = response.headers.get('retry-after') ?? '';
      const retryAfter = /^\d+$/.test(seconds) ? Number(seconds) : undefined;
      return { retryAfter, reply: await readReply(response).catch(() => undefined) };
    } catch {
      return {};
    }
  }

  #verify(state: State, expected: { nonce?: string | undefined; now?: number }): Promise<{ verdict: Verdict; claims?: Claims }> {
    const { keys, productId, allowTestKeys } = this.#options;
    const own = { keys, issuer: this.#issuer, productId, fingerprint: state.fingerprint ?? '', allowTestKeys };
    return verifyLease(state.lease ?? '', { ...own, ...expected });
  }

  /** Whether the device would know its seat again. The key is stored before it is asked for, in case the app is killed meanwhile. */
  async #canKeep(key: string): Promise<boolean> {
    const { license_key: kept } = await this.#load();
    if ((await this.#fingerprint()) === undefined) return false;
    if (kept === key) return true;
    const { isStored } = await this.#store((state) => ({ ...state, pending_key: key }), { evenUnchanged: true });
    return isStored;
  }

  /** Made once at random, never from hardware. Undefined where it cannot be kept: it would take another seat at each start. */
  async #fingerprint(): Promise<string | undefined> {
    const { fingerprint: stored } = await this.#load();
    // One that an older client kept in its state is offered, so that the device stays the same.
    const claimed = await this.#storage.claimFingerprint?.(stored ?? randomText()).catch(() => undefined);
    if (stored !== undefined && stored === (claimed ?? stored)) return stored;
    await this.#update((state) => ({ ...state, fingerprint: claimed ?? state.fingerprint ?? randomText() }));
    return claimed ?? (await this.#load()).fingerprint;
  }

  async #load(): Promise<State> {
    return parseState(await this.#storage.load().catch(() => undefined));
  }

  async #update(change: Change): Promise<State> {
    const { state } = await this.#store(change);
    return state;
  }

  /** One change after the other. A failed save is no error: a full disk must not stop a paid app. */
  #store(change: Change, { evenUnchanged = false } = {}): Promise<{ state: State; isStored: boolean }> {
    const makeChange = async () => {
      const old = await this.#load();
      const state = await change(old);
      const text = JSON.stringify(state);
      const save = async () => this.#storage.save(text);
      const isStored = (text === JSON.stringify(old) && !evenUnchanged) || (await save().then(...isDone));
      return { state, isStored };
    };
    const update = this.#lastUpdate.then(() => this.#storage.exclusively?.(makeChange) ?? makeChange());
    this.#lastUpdate = update.catch(() => undefined);
    return update;
  }

  #clock(): number {
    return Math.floor((this.#options.clock ?? (() => Date.now() / 1000))());
  }
}

export type Verdict =
  | 'valid'
  | 'malformed'
  | 'alg'
  | 'typ'
  | 'header'
  | 'kid'
  | 'signature'
  | 'issuer'
  | 'product'
  | 'device'
  | 'nonce'
  | 'test'
  | 'expired'
  | 'clock';

export interface Claims {
  /** The license's id. */
  sub: string;
  /** Seconds since 1970: when the lease was signed, and when it ends. */
  iat: number;
  exp: number;
  features: readonly string[];
  /** Seconds since 1970; absent: without end. */
  updatesUntil: number | undefined;
  /** `offline`: it came as a file. */
  kind: unknown;
}

export interface Expected {
  keys: readonly LeaseKey[];
  issuer: string;
  productId: string;
  fingerprint: string;
  /** The nonce that was sent, if one was. */
  nonce?: string | undefined;
  /** Whether a lease of a test key is one, too. */
  allowTestKeys?: boolean | undefined;
  /** Seconds since 1970. Without it a lease is valid at any time. */
  now?: number;
}

/** The first fault of a lease, in a fixed order. `claims` are there once it is known to be signed, and for this device. */
export async function verifyLease(lease: string, expected: Expected): Promise<{ verdict: Verdict; claims?: Claims }> {
  const parts = lease.length > longestLease ? [] : lease.split('.');
  const [head = '', body = '', tail = ''] = parts;
  const header = parseObject(head);
  const payload = parseObject(body);
  const signature = fromBase64url(tail);
  if (parts.length !== 3 || !header || !payload || !signature) return { verdict: 'malformed' };
  if (header['alg'] !== 'ES256') return { verdict: 'alg' };
  if (header['typ'] !== 'license-lease+jwt') return { verdict: 'typ' };
  // Each would let the lease name its own key, or demand rules that are not kept here.
  if (['jwk', 'jku', 'x5u', 'x5c', 'crit'].some((name) => Object.hasOwn(header, name))) return { verdict: 'header' };
  const key = expected.keys.find(({ kid }) => kid === header['kid']);
  if (!key) return { verdict: 'kid' };
  if (!(await isSignedBy(key, `${head}.${body}`, signature))) return { verdict: 'signature' };

  const { iss, aud, sub, dev, iat, exp, features, nonce, kind, updates_until: updatesUntil } = payload;
  const isAudience = typeof aud === 'string' || Array.isArray(aud);
  if (typeof iss !== 'string' || !isAudience || typeof sub !== 'string' || typeof dev !== 'string') return { verdict: 'malformed' };
  if (!isInteger(iat) || !isInteger(exp) || !isTexts(features)) return { verdict: 'malformed' };
  if (updatesUntil !== undefined && !isInteger(updatesUntil)) return { verdict: 'malformed' };
  if (iss !== expected.issuer) return { verdict: 'issuer' };
  if (aud !== expected.productId) return { verdict: 'product' };
  if (dev !== (await deviceOf(sub, expected.fingerprint))) return { verdict: 'device' };
  if (expected.nonce !== undefined && nonce !== expected.nonce) return { verdict: 'nonce' };
  if (payload['test'] === true && !expected.allowTestKeys) return { verdict: 'test' };
  const claims = { sub, iat, exp, features, updatesUntil, kind };
  if (expected.now !== undefined && expected.now >= exp) return { verdict: 'expired', claims };
  if (expected.now !== undefined && iat > expected.now + tolerance) return { verdict: 'clock', claims };
  return { verdict: 'valid', claims };
}

async function isSignedBy({ x, y }: LeaseKey, text: string, signature: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  try {
    const key = await crypto.subtle.importKey('jwk', { kty: 'EC', crv: 'P-256', x, y }, algorithm, false, ['verify']);
    return await crypto.subtle.verify(algorithm, key, signature, new TextEncoder().encode(text));
  } catch {
    return false; // What is pinned is no key.
  }
}

async function deviceOf(licenseId: string, fingerprint: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${licenseId}\0${fingerprint}`));
  return toBase64url(new Uint8Array(digest));
}

/** Undefined unless UTF-8 JSON of an object in which no name occurs twice. */
function parseObject(base64url: string): Record<string, unknown> | undefined {
  const bytes = fromBase64url(base64url);
  if (!bytes) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    let members = 0;
    const value: unknown = JSON.parse(text, (_, member: unknown) => {
      if (isObject(member)) members += Object.keys(member).length;
      return member;
    });
    // JSON.parse takes the last of two equal names: the text has more names than the value then.
    const names = [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon !== undefined);
    return isObject(value) && names.length === members ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined unless in the one right spelling: no padding, no other alphabet, no bits left over. */
function fromBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return undefined;
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (symbol) => symbol.charCodeAt(0));
  return toBase64url(bytes) === text ? bytes : undefined;
}

function toBase64url(value: string | Uint8Array): string {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

const randomText = () => toBase64url(crypto.getRandomValues(new Uint8Array(16)));
const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);
const textIn = (object: Record<string, unknown>, name: string) => (typeof object[name] === 'string' ? object[name] : undefined);
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every((item) => typeof item === 'string');
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const isDone = [() => true, () => false] as const;
const wait = (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000));

/** So that those who were started together do not ask together. */
const around = (seconds: number) => seconds * (0.75 + Math.random() / 2);
/** The type lists what this version knows; a later service may say others. */
const isCode = (value: unknown): value is Code => typeof value === 'string';

/** What the service says of the license besides whether it may be used. */
function termsOf(body: Record<string, unknown>): Pick<Status, 'seats' | 'limit' | 'expiresAt' | 'updatesUntil'> {
  const integerIn = (name: string) => (isInteger(body[name]) ? body[name] : undefined);
  const updatesUntil = Math.floor(Date.parse(textIn(body, 'updates_until') ?? '') / 1000);
  return {
    seats: integerIn('activation_count'),
    limit: integerIn('activation_limit'),
    expiresAt: textIn(body, 'expires_at'),
    updatesUntil: isInteger(updatesUntil) ? updatesUntil : undefined,
  };
}

type Decision = Pick<Status, 'allowed' | 'code' | 'source'> & Partial<Omit<Status, 'message'>>;

type Change = (state: State) => State | Promise<State>;

interface State {
  fingerprint?: string | undefined;
  license_key?: string | undefined;
  /** One that the user typed when the service did not reply. */
  pending_key?: string | undefined;
  lease?: string | undefined;
  /** The code of the service's last no to `license_key`. */
  refused?: string | undefined;
  /** Of the request code that waits for its lease. */
  nonce?: string | undefined;
  latest_seen?: number | undefined;
}

/** An answer about the license, or else a refusal of the request. */
interface Reply {
  isAnswer: boolean;
  valid: boolean;
  code: Code;
  body: Record<string, unknown>;
  lease?: { text: string; claims: Claims } | undefined;
}

/** @throws when it is not JSON, or too long. */
async function readReply(response: Response): Promise<Reply | undefined> {
  const body: unknown = JSON.parse(await readText(response));
  if (!isObject(body) || !isCode(body['code'])) return undefined;
  const { code } = body;
  const isAnswer = response.status === 200 && typeof body['valid'] === 'boolean';
  if (!isAnswer && ![400, 403, 409].includes(response.status)) return undefined;
  return { isAnswer, valid: body['valid'] === true, code, body };
}

async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let size = 0, chunk = await reader?.read(); reader && chunk?.value; chunk = await reader.read()) {
    size += chunk.value.length;
    if (size > longestReply) return reader.cancel().then(() => '');
    text += decoder.decode(chunk.value, { stream: true });
  }
  return text;
}

/** What is broken counts as never stored. */
function parseState(text = '{}'): State {
  try {
    const stored: unknown = JSON.parse(text);
    if (!isObject(stored)) return {};
    return {
      fingerprint: textIn(stored, 'fingerprint'),
      license_key: textIn(stored, 'license_key'),
      pending_key: textIn(stored, 'pending_key'),
      lease: textIn(stored, 'lease'),
      refused: textIn(stored, 'refused'),
      nonce: textIn(stored, 'nonce'),
      latest_seen: isInteger(stored['latest_seen']) ? stored['latest_seen'] : undefined,
    };
  } catch {
    return {};
  }
}

function defaultStorage(path: string | undefined, appName: string): LicenseStorage {
  if (!('document' in globalThis)) return fileStorage(async () => path ?? defaultPath(appName));
  const item = path ?? `${appName}/license.json`;
  const fingerprint = `${item}.fingerprint`;
  const { locks } = Object(Reflect.get(globalThis, 'navigator'));
  // One tab of the origin after the other.
  const exclusively = <Result>(change: () => Promise<Result>): Promise<Result> => locks?.request(item, change) ?? change();
  return {
    load: async () => localStorage.getItem(item) ?? undefined,
    save: async (text) => localStorage.setItem(item, text),
    claimFingerprint: (offered) =>
      exclusively(async () => {
        const kept = localStorage.getItem(fingerprint);
        if (kept === null) localStorage.setItem(fingerprint, offered);
        return kept ?? offered;
      }),
    exclusively,
  };
}

/** Renaming is atomic: readers see the old state or the new one, also when two apps write or one is killed. */
function fileStorage(pathOf: () => Promise<string>): LicenseStorage {
  const exclusively = async <Result>(change: () => Promise<Result>) => {
    const unlock = await lock(`${await pathOf()}.lock`);
    return change().finally(unlock);
  };
  return {
    load: async () => (await fromNode('fs/promises')).readFile(await pathOf(), 'utf8'),
    save: async (text) => {
      const { rename, rm } = await fromNode('fs/promises');
      const path = await pathOf();
      const temporary = `${path}.${randomText()}`;
      await makeFolderOf(path);
      await writeNewFile(temporary, text);
      await rename(temporary, path).catch(async (error: unknown) => {
        await rm(temporary, { force: true });
        throw error;
      });
    },
    claimFingerprint: async (offered) => {
      const { readFile, rm } = await fromNode('fs/promises');
      const path = `${await pathOf()}.fingerprint`;
      const read = (): Promise<string> => readFile(path, 'utf8');
      const isWhole = (text: string) => text !== '' && !text.includes('\0');
      const kept = await read().catch(() => '');
      if (isWhole(kept)) return kept;
      return exclusively(async () => {
        // What is empty is left of a device that lost its power.
        if (!isWhole(await read().catch(() => ''))) await rm(path, { force: true });
        await writeNewFile(path, offered).catch(ignoreExisting);
        return read();
      });
    },
    exclusively,
  };
}

async function makeFolderOf(path: string): Promise<void> {
  const [{ mkdir }, { dirname }] = [await fromNode('fs/promises'), await fromNode('path')];
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
}

/** @throws when there is such a file, or none can be written; it leaves none that is not whole. */
async function writeNewFile(path: string, text: string): Promise<void> {
  const { open, rm } = await fromNode('fs/promises');
  const file = await open(path, 'wx', 0o600);
  try {
    await file
      .writeFile(text)
      .then(() => file.sync())
      .finally(() => file.close());
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

function ignoreExisting(error: unknown): void {
  if (Object(error).code !== 'EEXIST') throw error;
}

/** Nobody needs it for a second: one that lasts is left of an app that was killed. Where no file can be written there is none. */
async function lock(path: string): Promise<() => Promise<void>> {
  const { open, rm } = await fromNode('fs/promises');
  const hasFolder = await makeFolderOf(path).then(...isDone);
  for (let look = 0; hasFolder && look < 50; look += 1) {
    try {
      const file = await open(path, 'wx', 0o600);
      await file.close();
      break;
    } catch (error) {
      if (Object(error).code !== 'EEXIST') break;
    }
    await wait(0.02);
  }
  return () => rm(path, { force: true }).catch(() => undefined);
}

async function defaultPath(appName: string): Promise<string> {
  const [{ join }, { homedir }, { env, platform }] = [await fromNode('path'), await fromNode('os'), await fromNode('process')];
  const folders: Record<string, string> = {
    darwin: join(homedir(), 'Library', 'Application Support'),
    win32: env.LOCALAPPDATA || join(homedir(), 'AppData', 'Local'),
  };
  return join(folders[platform] ?? (env.XDG_STATE_HOME || join(homedir(), '.local', 'state')), appName, 'license.json');
}

/** So written, bundlers for browsers do not look it up. */
const fromNode = (module: string) => import(/* webpackIgnore: true */ /* @vite-ignore */ `node:${module}`);
