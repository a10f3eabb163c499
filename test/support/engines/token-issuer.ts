import { KeyObject, sign as signBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import { serve } from '../../../infra/local/engines/engine.ts';

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;
type Algorithm = 'RS256' | 'ES256' | 'EdDSA';

/** An OpenID Connect issuer on loopback: its configuration, its keys, and tokens signed with them. */
export async function startIssuer() {
  const requests: string[] = [];
  const signers = new Map<string, { alg: Algorithm; privateKey: KeyPair['privateKey'] }>();
  let keys: object[] = [];
  let override: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    if (override?.(request, response)) return;
    const documents: Record<string, object> = {
      '/.well-known/openid-configuration': {
        issuer: url,
        jwks_uri: `${url}/keys`,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
      },
      '/keys': { keys },
      '/.well-known/jwks.json': { keys },
    };
    const document = documents[request.url ?? ''];
    response.writeHead(document ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(document ?? {}));
  });
  const { endpoint: url, stop } = await serve(server);

  return {
    url,
    requests,
    /** Makes a key, described with `fields`; with `published` false the issuer does not tell of it. */
    async addKey(kid: string, options: { alg?: Algorithm; published?: boolean; fields?: Record<string, string | undefined> } = {}) {
      const { alg = 'RS256', published = true, fields } = options;
      const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
      signers.set(kid, { alg, privateKey });
      const jwk = { ...(await exportJWK(publicKey)), kid, alg, use: 'sig', ...fields };
      if (published) keys = [...keys.filter((key) => 'kid' in key && key.kid !== kid), jwk];
      return jwk;
    },
    removeKey(kid: string) {
      keys = keys.filter((key) => 'kid' in key && key.kid !== kid);
    },
    /** Answers requests in its place, as long as it returns true. */
    answerWith(answer: typeof override) {
      override = answer;
    },
    /** A token of the issuer; a claim that is undefined is left out. */
    sign(kid: string, claims: JWTPayload = {}, header: Partial<JWTHeaderParameters> = {}): Promise<string> {
      const signer = signers.get(kid);
      if (!signer) throw new Error(`No key ${kid}.`);
      const now = Math.floor(Date.now() / 1000);
      const payload = { iss: url, sub: 'user-1', aud: 'our-client', iat: now, exp: now + 600, ...claims };
      return new SignJWT(payload).setProtectedHeader({ alg: signer.alg, kid, ...header }).sign(signer.privateKey);
    },
    /** A sound RS256 token whose header also holds `fields`, be they such as no library would sign. */
    async signHeader(kid: string, fields: Record<string, unknown>): Promise<string> {
      const [, payload = ''] = (await this.sign(kid)).split('.');
      const header = Buffer.from(JSON.stringify({ alg: 'RS256', kid, ...fields })).toString('base64url');
      const key = signers.get(kid)?.privateKey;
      if (!key) throw new Error(`No key ${kid}.`);
      const signature = signBytes('sha256', Buffer.from(`${header}.${payload}`), KeyObject.from(key));
      return `${header}.${payload}.${signature.toString('base64url')}`;
    },
    stop,
  };
}

export type Issuer = Awaited<ReturnType<typeof startIssuer>>;
