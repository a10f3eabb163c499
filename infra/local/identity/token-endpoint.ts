import { createHash } from 'node:crypto';
import { type HttpReply, jsonReply } from '../http-reply.ts';
import { sessionMs } from './authorization.ts';
import type { IdentityState } from './identity-state.ts';
import type { Tokens } from './tokens.ts';

/** Replies that hold tokens, or say that there are none. */
const reply = (body: object, status = 200): HttpReply => {
  const { headers, ...rest } = jsonReply(body, status);
  return { ...rest, headers: { ...headers, 'Cache-Control': 'no-store' } };
};
const refuse = (error: string, description: string, status = 400) => reply({ error, error_description: description }, status);

/** The token endpoint and that of revocation. */
export function createTokenEndpoint({
  clientId,
  state,
  tokens,
  now,
}: {
  clientId: string;
  state: IdentityState;
  tokens: Tokens;
  now: () => Date;
}) {
  /** Gives tokens for the grant; those of before are good no more. Nothing comes between the look at it and the write. */
  function give(grantId: string, grant: NonNullable<ReturnType<IdentityState['findGrant']>>) {
    const next = { ...grant, given: grant.given + 1, until: now().getTime() + sessionMs };
    state.keepGrant(grantId, next);
    return tokens.give(grantId, next);
  }

  async function exchangeCode(params: URLSearchParams): Promise<HttpReply> {
    const grantId = tokens.readCode(params.get('code') ?? '') ?? '';
    const grant = state.findGrant(grantId);
    if (!grant) return refuse('invalid_grant', 'The code is none, or over.');
    if (grant.given > 0) {
      state.endGrant(grantId);
      return refuse('invalid_grant', 'The code was used before; what it gave is over.');
    }
    if (params.get('redirect_uri') !== grant.redirectUri) return refuse('invalid_grant', 'redirect_uri is not that of the request.');
    const verifier = params.get('code_verifier') ?? '';
    const isProven = /^[\w.~-]{43,128}$/.test(verifier) && createHash('sha256').update(verifier).digest('base64url') === grant.challenge;
    if (!isProven) return refuse('invalid_grant', 'code_verifier is not that of the request.');
    return reply(await give(grantId, grant));
  }

  async function refresh(params: URLSearchParams): Promise<HttpReply> {
    const { grantId = '', number } = tokens.readRefreshToken(params.get('refresh_token') ?? '') ?? {};
    const grant = state.findGrant(grantId);
    if (!grant) return refuse('invalid_grant', 'The refresh token is none, or over.');
    if (number !== grant.given) {
      state.endGrant(grantId);
      return refuse('invalid_grant', 'The refresh token was used before; all that came of it is over.');
    }
    const wanted = (params.get('scope') ?? '').split(' ').filter((scope) => scope !== '');
    const given = grant.scope.split(' ');
    if (!wanted.every((scope) => given.includes(scope))) return refuse('invalid_scope', 'scope holds more than was given.');
    return reply(await give(grantId, grant));
  }

  return {
    async exchange(params: URLSearchParams): Promise<HttpReply> {
      const fault = faultIn(params, clientId);
      if (fault) return fault;
      switch (params.get('grant_type')) {
        case 'authorization_code':
          return exchangeCode(params);
        case 'refresh_token':
          return refresh(params);
        default:
          return refuse('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.');
      }
    },

    /** Ends all that was given together with the token, whichever it is. A token that is none is as good as revoked. */
    async revoke(params: URLSearchParams): Promise<HttpReply> {
      const fault = faultIn(params, clientId);
      if (fault) return fault;
      const token = params.get('token') ?? '';
      if (token === '') return refuse('invalid_request', 'token is missing.');
      const grantId = tokens.readRefreshToken(token)?.grantId ?? (await tokens.grantOf(token));
      if (grantId !== undefined) state.endGrant(grantId);
      return { status: 200, headers: { 'Cache-Control': 'no-store' }, body: '' };
    },
  };
}

function faultIn(params: URLSearchParams, clientId: string): HttpReply | undefined {
  const isRepeated = [...params.keys()].length > new Set(params.keys()).size;
  if (isRepeated) return refuse('invalid_request', 'A parameter is there more than once.');
  if (params.get('client_id') !== clientId) return refuse('invalid_client', 'client_id names no client.', 401);
  return undefined;
}
