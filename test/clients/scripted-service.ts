import { createHash, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';

type Body = Record<string, unknown>;
/** Answers one request; without `end` it hangs. */
export type Reply = (request: Body, response: ServerResponse) => void | Promise<void>;

export const productId = 'prd_test';
export const licenseId = 'lic_test';
/** The clock of the devices; real enough to be signed, far from now so that no client takes its own. */
export const now = 2_000_000_000;
export const day = 86_400;

const makeKey = (kid: string) => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return { privateKey, jwk: { kty: 'EC', crv: 'P-256', kid, x, y } };
};
const [first, second, stranger] = [makeKey('first'), makeKey('second'), makeKey('first')];
export const keys = [first.jwk, second.jwk];

export const deviceOf = (fingerprint: unknown, license = licenseId) =>
  createHash('sha256').update(`${license}\0${fingerprint}`).digest('base64url');

export type ScriptedService = Awaited<ReturnType<typeof startScriptedService>>;

/** A license service of the test: each request gets the next reply, and is kept with its path. */
export async function startScriptedService() {
  const replies: Reply[] = [];
  const requests: (Body & { path: string })[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString() || '{}');
    requests.push({ ...body, path: `${request.method} ${request.url}` });
    const reply = replies.shift() ?? json(500, { code: 'internal_error' });
    await reply(body, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function lease(fingerprint: unknown, claims: Body = {}, privateKey: KeyObject = first.privateKey): Promise<string> {
    const usual = { iss: baseUrl, aud: productId, sub: licenseId, dev: deviceOf(fingerprint), iat: now, exp: now + 14 * day };
    return new SignJWT({ ...usual, features: ['export'], activation_limit: 1, kind: 'online', jti: randomUUID(), ...claims })
      .setProtectedHeader({ alg: 'ES256', typ: 'license-lease+jwt', kid: 'first' })
      .sign(privateKey);
  }

  /** What validate and activate say of a good license, with a lease of these claims. */
  const valid =
    (code = 'activated', claims: Body = {}): Reply =>
    async ({ device_fingerprint: fingerprint, nonce }, response) => {
      const body = {
        valid: true,
        license_id: licenseId,
        code,
        device_activated: true,
        features: ['export'],
        lease: await lease(fingerprint, { nonce, ...claims }),
      };
      await json(200, body)({}, response);
    };

  return {
    baseUrl,
    replies,
    requests,
    lease,
    valid,
    /** The same signed by someone else, under the name of a pinned key. */
    forged:
      (claims: Body = {}): Reply =>
      async ({ device_fingerprint: fingerprint, nonce }, response) =>
        json(200, { valid: true, code: 'valid', lease: await lease(fingerprint, { nonce, ...claims }, stranger.privateKey) })({}, response),
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
