import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CompactSign, calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';

export const productId = 'prd_01KG9T3W6P9RA5Y8S4C7E1G2JK';
export const expiresAt = '2099-01-31T09:00:00.000Z';
const licenseId = 'lic_01KG9T6Z9S2VD81BW7F0H4K5NP';
export const day = 86_400;
export const nowInSeconds = () => Math.floor(Date.now() / 1000);

export interface ReceivedRequest {
  path: string;
  body: Record<string, string | undefined>;
  /** When it came and when it was replied to, in milliseconds. */
  at: number;
  repliedAt?: number;
  /** How many megabytes of a flood the client took. */
  taken?: number;
}

export interface ScriptedReply {
  status?: number;
  headers?: Record<string, string>;
  /** Sent as it is when it is text, else as JSON. */
  body?: unknown;
  /** Nothing is ever sent. */
  hangs?: boolean;
  /** One byte comes each second, without end. */
  drips?: boolean;
  /** 64 MB come, as fast as the client takes them. */
  floods?: boolean;
}

/** How long after each reply the next request came. */
export const pausesBetween = (requests: readonly ReceivedRequest[]): number[] =>
  requests.slice(1).map(({ at }, index) => at - (requests[index]?.repliedAt ?? at));

export type Script = (request: ReceivedRequest, count: number) => ScriptedReply | Promise<ScriptedReply>;

async function newKey() {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(publicKey);
  return { privateKey, jwk: { ...jwk, kid: await calculateJwkThumbprint(jwk), use: 'sig', alg: 'ES256' } };
}
export type TestKey = Awaited<ReturnType<typeof newKey>>;

/** Two keys that an app pins, the second of which is not in use yet, and one that it does not. */
export const leaseKeys = { signing: await newKey(), next: await newKey(), foreign: await newKey() };

export interface LeaseTerms {
  issuer: string;
  fingerprint: string;
  nonce?: string | undefined;
  product?: string;
  license?: string;
  iat?: number;
  exp?: number;
  key?: TestKey;
  features?: string[];
  kind?: string;
  /** Seconds since 1970. */
  updatesUntil?: number;
  /** Of a test key. */
  test?: boolean;
}

/** A lease as the service signs it. */
export async function signLease(terms: LeaseTerms): Promise<string> {
  const {
    issuer,
    fingerprint,
    nonce,
    product = productId,
    iat = nowInSeconds(),
    key = leaseKeys.signing,
    features = ['export'],
    license = licenseId,
    kind = 'online',
    updatesUntil,
    test,
  } = terms;
  const dev = createHash('sha256').update(`${license}\0${fingerprint}`).digest('base64url');
  const exp = terms.exp ?? iat + 14 * day;
  const claims = {
    iss: issuer,
    aud: product,
    sub: license,
    dev,
    iat,
    exp,
    features,
    activation_limit: 3,
    kind,
    jti: randomUUID(),
    updates_until: updatesUntil,
    test,
  };
  return new CompactSign(Buffer.from(JSON.stringify({ ...claims, nonce })))
    .setProtectedHeader({ alg: 'ES256', typ: 'license-lease+jwt', kid: key.jwk.kid })
    .sign(key.privateKey);
}

/** A server that replies by a script, and remembers what it was asked. It is a proxy to itself, too. */
export async function startScriptedService() {
  const requests: ReceivedRequest[] = [];
  const viaProxy: string[] = [];
  let script: Script = () => ({ status: 500 });
  const server = createServer(async (incoming, outgoing) => {
    // A proxy is asked for whole addresses.
    const url = new URL(incoming.url ?? '', 'http://127.0.0.1');
    if (incoming.url?.startsWith('http')) viaProxy.push(url.host);
    const at = Date.now();
    const text = await textOf(incoming);
    const request: ReceivedRequest = { path: url.pathname, body: text === '' ? {} : JSON.parse(text), at };
    const { status = 200, headers = {}, body = '', hangs, drips, floods } = await script(request, requests.push(request));
    if (hangs) return;
    request.repliedAt = Date.now();
    outgoing.writeHead(status, { 'content-type': 'application/json', ...headers });
    if (floods) return flood(request, outgoing);
    if (!drips) return void outgoing.end(typeof body === 'string' ? body : JSON.stringify(body));
    const timer = setInterval(() => outgoing.write(' '), 1000);
    outgoing.on('close', () => clearInterval(timer));
  });
  server.on('connect', ({ url = '' }: IncomingMessage, socket) => {
    viaProxy.push(url);
    socket.write('HTTP/1.1 200 Connected\r\n\r\n');
    server.emit('connection', socket);
  });
  server.on('clientError', (_, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    address,
    requests,
    /** The hosts for which it was asked to be the proxy. */
    viaProxy,
    /** From now on it replies so. */
    replyWith(next: Script | ScriptedReply) {
      script = typeof next === 'function' ? next : () => next;
    },
    async stop(): Promise<void> {
      if (!server.listening) return;
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
export type ScriptedService = Awaited<ReturnType<typeof startScriptedService>>;

/** The reply to a device that may run the license, with a lease for what the request named. */
export function granted(issuer: string, code: string, terms: Partial<LeaseTerms> = {}): Script {
  return async ({ body: { device_fingerprint: fingerprint = '', nonce } }) => ({
    body: { ...valid(code), lease: await signLease({ issuer, fingerprint, nonce, ...terms }) },
  });
}

/** The same without a lease. */
export const valid = (code: string) => ({
  valid: true,
  code,
  checked_at: new Date().toISOString(),
  license_id: licenseId,
  status: 'active',
  activation_limit: 3,
  activation_count: 1,
  expires_at: expiresAt,
  features: ['export', 'batch'],
  device_activated: true,
});

/** No answer, nor any soon. */
export const gone: ScriptedReply = { status: 503, headers: { 'retry-after': '3600' } };

export const denied = (code: string): ScriptedReply => ({ body: { valid: false, code, checked_at: new Date().toISOString() } });
export const refused = (status: number, code: string): ScriptedReply => ({ status, body: { code, message: 'No.', request_id: 'req_1' } });

/** Spaces, which leave JSON what it is. */
async function flood(request: ReceivedRequest, outgoing: ServerResponse): Promise<void> {
  const megabyte = Buffer.alloc(1024 ** 2, ' ');
  request.taken = 0;
  outgoing.write(JSON.stringify(valid('activated')));
  while (request.taken < 64 && !outgoing.destroyed) {
    // The callback also comes, with an error, when the client has gone.
    await new Promise<void>((resolve) => void outgoing.write(megabyte, () => resolve()));
    if (!outgoing.destroyed) request.taken += 1;
  }
  outgoing.end();
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
