import { randomUUID } from 'node:crypto';
import { preferredLocale } from '../../../shared/locale.ts';
import type { LocalRequest } from '../gateway/api-gateway.ts';
import { type HttpReply, pageReply, redirectTo } from '../http-reply.ts';
import { choicePage, refusalPage } from './identity-pages.ts';
import type { Person, Session } from './identity-state.ts';
import { newcomerHint } from './people.ts';
import type { Provider } from './provider.ts';
import { codeOf } from './tokens.ts';

/** For how long a code works, and for how long a person stays signed in. */
const codeMs = 60_000;
export const sessionMs = 30 * 24 * 60 * 60 * 1000;

export const scopes = ['openid', 'email', 'offline_access'];
const prompts: readonly string[] = ['none', 'login', 'consent', 'select_account'];

/** What a redirect with an error says. */
const refusal = (error: string, description: string) => ({ error, error_description: description });

/** The authorization endpoint: codes for whoever is signed in, or named by `login_hint`; else the question who signs in. */
export async function authorize(provider: Provider, request: LocalRequest, params: URLSearchParams): Promise<HttpReply> {
  const locale = preferredLocale(request.headers['accept-language']);
  const strange = strangeness(provider, params);
  if (strange !== undefined) return pageReply(refusalPage(strange, locale), 400);
  const back = (answer: Record<string, string>) => redirectBack(provider, params, answer);
  const fault = faultIn(params);
  if (fault) return back(fault);

  const chosen = await choose(provider, params, provider.cookie.read(request.headers));
  if (!chosen && promptsIn(params).includes('none')) return back(refusal('login_required', 'Nobody is signed in.'));
  if (!chosen) return pageReply(choicePage({ people: await provider.people.list(), request: params, locale }));
  const { sessionId, session, isNew } = chosen;
  const reply = back({ code: codeOf(provider, keepGrant(provider, params, sessionId, session)) });
  return isNew ? { ...reply, headers: { ...reply.headers, ...provider.cookie.set(sessionId) } } : reply;
}

function redirectBack({ issuer }: Provider, params: URLSearchParams, answer: Record<string, string>): HttpReply {
  const url = new URL(params.get('redirect_uri') ?? '');
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  const returned = params.get('state');
  if (returned !== null) url.searchParams.set('state', returned);
  url.searchParams.set('iss', issuer);
  const reply = redirectTo(url.href);
  return { ...reply, headers: { ...reply.headers, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' } };
}

/** Keeps what the code will give. Returns the grant's id. */
function keepGrant({ state, now }: Provider, params: URLSearchParams, sessionId: string, { person, signedInAt }: Session): string {
  const grantId = randomUUID();
  const nonce = params.get('nonce');
  state.keepGrant(grantId, {
    sessionId,
    person,
    signedInAt,
    redirectUri: params.get('redirect_uri') ?? '',
    challenge: params.get('code_challenge') ?? '',
    scope: scopesIn(params)
      .filter((scope) => scopes.includes(scope))
      .join(' '),
    ...(nonce !== null && { nonce }),
    given: 0,
    until: now().getTime() + codeMs,
  });
  return grantId;
}

/** Why the request is not that of the console, so that nothing may be sent to the address it names. */
function strangeness({ clientId, redirectUris }: Provider, params: URLSearchParams): string | undefined {
  if (!isOnly(params, 'client_id', [clientId])) return 'invalid_client: client_id names no client.';
  if (!isOnly(params, 'redirect_uri', redirectUris)) return 'invalid_request: redirect_uri is not one of the client.';
  return undefined;
}

/** Whom the request is for: who is named or, with nobody named, who is signed in and need not be asked. */
async function choose(provider: Provider, params: URLSearchParams, sessionId: string | undefined) {
  const { state, people, now } = provider;
  const hint = params.get('login_hint') ?? '';
  const session = sessionId === undefined ? undefined : state.findSession(sessionId);
  const asked = promptsIn(params).some((prompt) => prompt === 'login' || prompt === 'select_account');
  const maxAge = params.get('max_age');
  const isOld = maxAge !== null && session !== undefined && now().getTime() / 1000 - session.signedInAt > Number(maxAge);
  const person = hint === '' ? undefined : await people.find(hint);
  const stays = session !== undefined && sessionId !== undefined && !asked && !isOld;
  if (stays && (hint === '' || (person && hint !== newcomerHint && isSame(person, session.person)))) {
    return { sessionId, session, isNew: false };
  }
  return person && signIn(provider, person);
}

function signIn({ state, now }: Provider, person: Person) {
  const sessionId = randomUUID();
  const at = now().getTime();
  const session = { person, signedInAt: Math.floor(at / 1000), until: at + sessionMs };
  state.keepSession(sessionId, session);
  return { sessionId, session, isNew: true };
}

const isOnly = (params: URLSearchParams, name: string, allowed: readonly string[]) =>
  params.getAll(name).length === 1 && allowed.includes(params.get(name) ?? '');

const promptsIn = (params: URLSearchParams) => wordsIn(params.get('prompt'));
const scopesIn = (params: URLSearchParams) => wordsIn(params.get('scope'));
const wordsIn = (text: string | null) => [...new Set((text ?? '').split(' ').filter((word) => word !== ''))];

const isSame = (a: Person, b: Person) => a.userId === b.userId && a.email === b.email;

/** What is wrong with a request of the console. */
function faultIn(params: URLSearchParams): ReturnType<typeof refusal> | undefined {
  const repeated = [...new Set(params.keys())].find((name) => params.getAll(name).length > 1);
  if (repeated !== undefined) return refusal('invalid_request', 'A parameter is there more than once.');
  if (params.has('request')) return refusal('request_not_supported', 'request is not supported.');
  if (params.has('request_uri')) return refusal('request_uri_not_supported', 'request_uri is not supported.');
  if (params.get('response_type') !== 'code') return refusal('unsupported_response_type', 'response_type must be code.');
  if ((params.get('response_mode') ?? 'query') !== 'query') return refusal('invalid_request', 'response_mode must be query.');
  if (!scopesIn(params).includes('openid')) return refusal('invalid_scope', 'scope must hold openid.');
  if (params.get('code_challenge_method') !== 'S256') return refusal('invalid_request', 'code_challenge_method must be S256.');
  if (!/^[\w-]{43}$/.test(params.get('code_challenge') ?? '')) return refusal('invalid_request', 'code_challenge must be a SHA-256.');
  const asked = promptsIn(params);
  const isKnown = asked.every((prompt) => prompts.includes(prompt)) && (asked.length === 1 || !asked.includes('none'));
  if (!isKnown) return refusal('invalid_request', 'prompt is not one that there is.');
  if (!/^\d{1,9}$/.test(params.get('max_age') ?? '0')) return refusal('invalid_request', 'max_age must be a number of seconds.');
  return undefined;
}
