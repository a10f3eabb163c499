import { createHash } from 'node:crypto';
import { type HttpReply, jsonReply } from '../http-reply.ts';
import { sessionMs } from './authorization.ts';
import type { IdentityState } from './identity-state.ts';
import type { Provider } from './provider.ts';
import { grantOf, makeTokens, readCode, readRefreshToken } from './tokens.ts';

/** Replies that hold tokens, or say that there are none. */
const reply = (body: object, status = 200): HttpReply => {
  const { headers, ...rest } = jsonReply(body, status);
  return { ...rest, headers: { ...headers, 'Cache-Control': 'no-store' } };
};
const refuse = (error: string, description: string, status = 400) => reply({ error, error_description: description }, status);

/** The token endpoint. */
export async function exchange(provider: Provider, params: URLSearchParams): Promise<HttpReply> {
  const fault = faultIn(params, provider.clientId);
  if (fault) return fault;
  switch (params.get('grant_type')) {
    case 'authorization_code':
      return exchangeCode(provider, params);
    case 'refresh_token':
      return refresh(provider, params);
    default:
      return refuse('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.');
  }
}

/** Ends all that was given together with the token, whichever it is. A token that is none is as good as revoked. */
export async function revoke(provider: Provider, params: URLSearchParams): Promise<HttpReply> {
  const fault = faultIn(params, provider.clientId);
  if (fault) return fault;
  const token = params.get('token') ?? '';
  if (token === '') return refuse('invalid_request', 'token is missing.');
  const grantId = readRefreshToken(provider, token)?.grantId ?? (await grantOf(provider, token));
  if (grantId !== undefined) provider.state.endGrant(grantId);
  return { status: 200, headers: { 'Cache-Control': 'no-store' }, body: '' };
}

/** Gives tokens for the grant; those of before are good no more. Nothing comes between the look at it and the write. */
function give(provider: Provider, grantId: string, grant: NonNullable<ReturnType<IdentityState['findGrant']>>) {
  const next = { ...grant, given: grant.given + 1, until: provider.now().getTime() + sessionMs };
  provider.state.keepGrant(grantId, next);
  return makeTokens(provider, grantId, next);
}

async function exchangeCode(provider: Provider, params: URLSearchParams): Promise<HttpReply> {
  const grantId = readCode(provider, params.get('code') ?? '') ?? '';
  const grant = provider.state.findGrant(grantId);
  if (!grant) return refuse('invalid_grant', 'The code is none, or over.');
  if (grant.given > 0) {
    provider.state.endGrant(grantId);
    return refuse('invalid_grant', 'The code was used before; what it gave is over.');
  }
  if (params.get('redirect_uri') !== grant.redirectUri) return refuse('invalid_grant', 'redirect_uri is not that of the request.');
  const verifier = params.get('code_verifier') ?? '';
  const isProven = /^[\w.~-]{43,128}$/.test(verifier) && createHash('sha256').update(verifier).digest('base64url') === grant.challenge;
  if (!isProven) return refuse('invalid_grant', 'code_verifier is not that of the request.');
  return reply(await give(provider, grantId, grant));
}

async function refresh(provider: Provider, params: URLSearchParams): Promise<HttpReply> {
  const { grantId = '', number } = readRefreshToken(provider, params.get('refresh_token') ?? '') ?? {};
  const grant = provider.state.findGrant(grantId);
  if (!grant) return refuse('invalid_grant', 'The refresh token is none, or over.');
  if (number !== grant.given) {
    provider.state.endGrant(grantId);
    return refuse('invalid_grant', 'The refresh token was used before; all that came of it is over.');
  }
  const wanted = (params.get('scope') ?? '').split(' ').filter((scope) => scope !== '');
  const given = grant.scope.split(' ');
  if (!wanted.every((scope) => given.includes(scope))) return refuse('invalid_scope', 'scope holds more than was given.');
  return reply(await give(provider, grantId, grant));
}

function faultIn(params: URLSearchParams, clientId: string): HttpReply | undefined {
  const isRepeated = [...params.keys()].length > new Set(params.keys()).size;
  if (isRepeated) return refuse('invalid_request', 'A parameter is there more than once.');
  if (params.get('client_id') !== clientId) return refuse('invalid_client', 'client_id names no client.', 401);
  return undefined;
}
