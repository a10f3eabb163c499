import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { HttpReply } from '../../http-reply.ts';
import { findRoute, type HttpRequest, type Route } from '../http-request.ts';
import { AccountLinkParams, AccountParams, accountObject, createAccount, createAccountLink, RetrieveParams } from '../objects/accounts.ts';
import { expireSession } from '../objects/checkout-outcomes.ts';
import { count, createSession, SessionParams } from '../objects/checkout-sessions.ts';
import { parseJsonObject, parseParams } from '../objects/parse-params.ts';
import { paidChargeOf } from '../objects/payments.ts';
import { cancelRefund, closeDispute, refundCharge } from '../objects/refunds-and-disputes.ts';
import { missing, ProviderError, refusalIn, refuse } from '../provider-error.ts';
import { newProviderId } from '../store/provider-ids.ts';
import type { ProviderStore, Transaction } from '../store/provider-store.ts';
import type { StoredAnswer } from '../store/records.ts';
import type { Cause } from '../webhooks/events.ts';
import { expand } from './expand.ts';
import { type FormValue, parseForm } from './form-body.ts';

interface Call {
  tx: Transaction;
  /** In the path. */
  id: string;
  params: Record<string, unknown>;
  baseUrl: string;
  withoutMethods: boolean;
  cause: Cause;
  /** The account in whose name the request is made; undefined for the platform itself. */
  context: string | undefined;
}

const route = (method: Route['method'], path: string, answer: (call: Call) => object) => ({ method, path, answer });

const expandable = { expand: z.optional(z.array(z.string())) };
const Nothing = z.strictObject(expandable);
const RefundParams = z.strictObject({
  charge: z.optional(z.string()),
  payment_intent: z.optional(z.string()),
  amount: z.optional(count),
  reason: z.optional(z.enum(['duplicate', 'fraudulent', 'requested_by_customer'])),
  metadata: z.optional(z.record(z.string(), z.string())),
  reverse_transfer: z.optional(z.string()),
  refund_application_fee: z.optional(z.string()),
  instructions_email: z.optional(z.string()),
  ...expandable,
});
const ListParams = z.strictObject({
  payment_intent: z.optional(z.string()),
  charge: z.optional(z.string()),
  limit: z.optional(z.string().check(z.regex(/^\d{1,3}$/))),
  ...expandable,
});

/** The newest first, of one payment or charge when the request names one. */
function listOf<T extends { payment_intent: unknown }>(url: string, all: T[], params: Record<string, unknown>): object {
  const { payment_intent: intent, charge, limit = '10' } = parseParams(ListParams, params);
  const chargeOf = (one: T) => ('charge' in one ? one.charge : undefined);
  const matching = all
    .reverse()
    .filter((one) => (intent === undefined || one.payment_intent === intent) && (charge === undefined || chargeOf(one) === charge));
  return { object: 'list', data: matching.slice(0, Number(limit)), has_more: matching.length > Number(limit), url };
}

const EventListParams = z.strictObject({
  created: z.optional(z.strictObject({ gte: z.optional(z.string().check(z.regex(/^\d{1,12}$/))) })),
  types: z.optional(z.array(z.string()).check(z.maxLength(20))),
  limit: z._default(z.string().check(z.regex(/^\d{1,3}$/)), '10'),
  starting_after: z.optional(z.string()),
  ...expandable,
});

/** Few, so that whoever stops at the first page is noticed. */
const eventsAPage = 3;

/** Snapshot events, the newest first. */
function listEvents(tx: Transaction, params: Record<string, unknown>): object {
  const { created, types, limit, starting_after: after } = parseParams(EventListParams, params);
  const matching = tx
    .list('event')
    .reverse()
    .filter(
      (event) => event.body['object'] === 'event' && event.created >= Number(created?.gte ?? 0) && (types?.includes(event.type) ?? true),
    );
  const rest = after === undefined ? matching : matching.slice(matching.findIndex(({ id }) => id === after) + 1);
  const data = rest.slice(0, Math.min(Number(limit), eventsAPage)).map(({ body }) => body);
  return { object: 'list', data, has_more: rest.length > data.length, url: '/v1/events' };
}

function getEvent(tx: Transaction, id: string, object: 'event' | 'v2.core.event', context?: string): object {
  const event = tx.find('event', id);
  if (event?.body['object'] !== object || (event.body['context'] ?? undefined) !== context) throw missing(object, id);
  return event.body;
}

const routes = [
  route('POST', '/v2/core/accounts', ({ tx, params }) => createAccount(tx, parseParams(AccountParams, params))),
  route('GET', '/v2/core/accounts/:id', ({ tx, id, params, context = id }) => {
    if (context !== id) throw missing('v2.core.account', id);
    return accountObject(tx.get('account', id), parseParams(RetrieveParams, params).include);
  }),
  route('POST', '/v2/core/account_links', ({ tx, params, baseUrl }) =>
    createAccountLink(tx, parseParams(AccountLinkParams, params), baseUrl),
  ),
  route('GET', '/v2/core/events/:id', ({ tx, id, context }) => getEvent(tx, id, 'v2.core.event', context)),
  route('POST', '/v1/checkout/sessions', ({ tx, params, ...call }) => createSession(tx, parseParams(SessionParams, params), call)),
  route('GET', '/v1/checkout/sessions', ({ tx, params }) => {
    const sessions = tx.list('session').map(({ session }) => session);
    return listOf('/v1/checkout/sessions', sessions, params);
  }),
  route('GET', '/v1/checkout/sessions/:id', ({ tx, id, params }) => {
    parseParams(Nothing, params);
    return tx.get('session', id).session;
  }),
  route('POST', '/v1/checkout/sessions/:id/expire', ({ tx, id, params, cause }) => {
    parseParams(Nothing, params);
    return expireSession(tx, id, cause);
  }),
  route('GET', '/v1/payment_intents/:id', ({ tx, id }) => tx.get('paymentIntent', id)),
  route('GET', '/v1/charges', ({ tx, params }) => listOf('/v1/charges', tx.list('charge'), params)),
  route('GET', '/v1/charges/:id', ({ tx, id }) => tx.get('charge', id)),
  route('GET', '/v1/disputes', ({ tx, params }) => listOf('/v1/disputes', tx.list('dispute'), params)),
  route('GET', '/v1/disputes/:id', ({ tx, id }) => tx.get('dispute', id)),
  route('POST', '/v1/disputes/:id/close', ({ tx, id, cause }) => closeDispute(tx, id, 'lost', cause)),
  route('POST', '/v1/refunds', ({ tx, params, cause }) => {
    const { charge, payment_intent: intent, amount, reason, metadata, ...rest } = parseParams(RefundParams, params);
    const of = charge ?? intent;
    if (of === undefined)
      throw refuse('One of charge and payment_intent is needed.', { code: 'parameter_missing', param: 'charge', isEarly: true });
    return refundCharge(tx, paidChargeOf(tx, of), { amount, reason, metadata, instructionsEmail: rest.instructions_email }, cause);
  }),
  route('POST', '/v1/refunds/:id/cancel', ({ tx, id, params, cause }) => {
    parseParams(Nothing, params);
    return cancelRefund(tx, id, cause);
  }),
  route('GET', '/v1/refunds', ({ tx, params }) => listOf('/v1/refunds', tx.list('refund'), params)),
  route('GET', '/v1/refunds/:id', ({ tx, id }) => tx.get('refund', id)),
  route('GET', '/v1/events', ({ tx, params }) => listEvents(tx, params)),
  route('GET', '/v1/events/:id', ({ tx, id }) => getEvent(tx, id, 'event')),
];

/** Every request that is answered. */
export const apiRoutes = routes.map(({ method, path }) => `${method} ${path}`);

/** Answers one request as the provider does. Whatever it changes is stored when this returns. */
export function answerApi(store: ProviderStore, request: HttpRequest): HttpReply {
  const requestId = newProviderId('req');
  const version = headerOf(request, 'stripe-version');
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'Request-Id': requestId,
    ...(version !== undefined && { 'Stripe-Version': version }),
  };
  try {
    checkHeaders(request, version);
    const { status, body, replayOf } = answerOnce(store, request, requestId);
    const key = headerOf(request, 'idempotency-key');
    return {
      status,
      headers: {
        ...headers,
        ...(key !== undefined && { 'Idempotency-Key': key }),
        ...(replayOf !== undefined && { 'Idempotent-Replayed': 'true', 'Original-Request': replayOf }),
      },
      body,
    };
  } catch (error) {
    const refusal = refusalIn(error);
    return { status: refusal.status, headers, body: JSON.stringify(refusal.toBody()) };
  }
}

const headerOf = ({ headers }: HttpRequest, name: string) => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
};
const isV2 = ({ path }: HttpRequest) => path.startsWith('/v2/');

function checkHeaders(request: HttpRequest, version: string | undefined): void {
  const [, kind] = /^Bearer (sk|rk)_test_\w+$/.exec(headerOf(request, 'authorization') ?? '') ?? [];
  if (kind === undefined) throw new ProviderError(401, 'A test-mode API key is needed.', { type: 'invalid_request_error' });
  if (kind === 'rk' && isV2(request)) {
    throw new ProviderError(403, 'A restricted key cannot be used with the v2 interface.', { code: 'secret_key_required' });
  }
  if (isV2(request) && version === undefined) throw refuse('The Stripe-Version header is needed.');
}

interface Answer extends Pick<StoredAnswer, 'status' | 'body'> {
  /** The request that this answer was first given to. */
  replayOf?: string;
}

const dayMs = 24 * 3600 * 1000;
const maxKeyLength = 255;

/**
 * The same idempotency key gives the same answer; with other parameters it is refused.
 * The v1 interface keeps an error too, once it has begun to do what was asked; v2 tries again.
 */
function answerOnce(store: ProviderStore, request: HttpRequest, requestId: string): Answer {
  const key = request.method === 'POST' ? headerOf(request, 'idempotency-key') : undefined;
  if (key === undefined) return { status: 200, body: store.change((tx) => bodyOf(tx, request, { id: requestId, idempotency_key: null })) };
  if (key.length > maxKeyLength) throw refuse(`An idempotency key has at most ${maxKeyLength} characters.`);

  const fingerprint = createHash('sha256').update(`${request.method} ${request.path}\n${request.body}`).digest('hex');
  const keep = (tx: Transaction, answer: Answer) => {
    tx.put('answer', key, { ...answer, fingerprint, requestId, at: Date.now() });
    return answer;
  };
  try {
    return store.change((tx) => {
      const before = tx.find('answer', key);
      if (before === undefined || before.at < Date.now() - (isV2(request) ? 30 : 1) * dayMs) {
        return keep(tx, { status: 200, body: bodyOf(tx, request, { id: requestId, idempotency_key: key }) });
      }
      if (before.fingerprint === fingerprint) return { status: before.status, body: before.body, replayOf: before.requestId };
      throw new ProviderError(400, 'This idempotency key was used with other parameters.', { type: 'idempotency_error', isEarly: true });
    });
  } catch (error) {
    const isKept = error instanceof ProviderError && !error.isEarly && !isV2(request);
    if (!isKept) throw error;
    return store.change((tx) => keep(tx, { status: error.status, body: JSON.stringify(error.toBody()) }));
  }
}

const bodyOf = (tx: Transaction, request: HttpRequest, cause: Cause) => JSON.stringify(dispatch(tx, request, cause));

function dispatch(tx: Transaction, request: HttpRequest, cause: Cause): object {
  const context = headerOf(request, 'stripe-context') ?? headerOf(request, 'stripe-account');
  const found = findRoute(routes, request);
  if (!found) throw new ProviderError(404, `Unrecognized request URL (${request.method}: ${request.path}).`, { isEarly: true });
  if (context !== undefined && !isV2(request)) {
    throw new ProviderError(404, `${context} has no such object.`, { code: 'resource_missing' });
  }
  const params = paramsOf(request);
  const { baseUrl, withoutMethods = false } = request;
  return expand(tx, found.route.answer({ tx, id: found.id, params, baseUrl, withoutMethods, cause, context }), params['expand']);
}

function paramsOf({ method, path, query, headers, body }: HttpRequest): Record<string, unknown> {
  if (method === 'GET') return parseForm(query);
  const type = String(headers['content-type'] ?? '');
  if (path.startsWith('/v2/')) {
    if (!type.startsWith('application/json')) throw refuse('The content type must be application/json.', { isEarly: true });
    return parseJsonObject(body);
  }
  if (body !== '' && !type.startsWith('application/x-www-form-urlencoded')) {
    throw refuse('The content type must be application/x-www-form-urlencoded.', { isEarly: true });
  }
  const form = parseForm(body);
  refuseBlank(form, '');
  return form;
}

/** An empty value would unset something, and nothing here can be unset but metadata. */
function refuseBlank(value: FormValue, name: string): void {
  if (value === '') throw refuse(`${name} is empty.`, { code: 'parameter_invalid_empty', param: name, isEarly: true });
  if (typeof value === 'string' || /\bmetadata\]?$/.test(name)) return;
  for (const [part, field] of Object.entries(value)) refuseBlank(field, name === '' ? part : `${name}[${part}]`);
}
