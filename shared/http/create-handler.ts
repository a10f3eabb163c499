import middy, { type MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { auditActorOf, requireScope } from '../audit/caller.ts';
import { AppError, type ErrorCode } from '../errors.ts';
import type { Logger } from '../logging/logger.ts';
import { runWithRequestId } from '../logging/request-id.ts';
import { codeName, toWire } from '../wire.ts';
import { type Authenticate, isAdmin } from './callers/authenticate.ts';
import { callerAddress, callerHash, isFromCdn } from './callers/caller-address.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import {
  answersHead,
  type Endpoint,
  isJsonBodyKind,
  isPrivate,
  isSellerWrite,
  namesIgnored,
  type RateLimitName,
  Reply,
  rateLimitsOf,
  userRateLimits,
  type ZodSchema,
} from './endpoint.ts';
import { entityTagOf, isMatched } from './entity-tag.ts';
import { errorReply, type RefusalContext } from './error-reply.ts';
import { ignoredParametersOf } from './ignored-fields.ts';
import { replyHeaders } from './page-headers.ts';
import { createForeignQueryParser, createQueryParser, parseFields, wireNamesOf } from './parse-input.ts';
import type { CheckRateLimit } from './rate-limit.ts';
import { type Call, checkSize, maxJsonBytes, maxMultipartBytes, parseJson, rawRequestOf } from './read-body.ts';

type HttpEvent = APIGatewayProxyEventV2;
type HttpResult = APIGatewayProxyStructuredResultV2;

export type HttpHandler = (event: HttpEvent, context: Context) => Promise<HttpResult>;

export interface HandlerOptions<Services> {
  routes: readonly Endpoint<Services>[];
  services: Services;
  logger: Logger;
  /** Needed where a route's audience is seller or admin. */
  authenticate?: Authenticate;
  adminAllowlist?: readonly string[];
  consoleOrigins?: readonly string[];
  /** Needed where a route names a rate limit. */
  limitRate?: CheckRateLimit;
  /** Needed where a route is a write of sellers: spends one of the user's. @throws AppError rate_limited */
  limitWrites?: (userId: string) => Promise<void>;
  /** The secret that the CDN sends; with it, the viewer's address that the CDN names is the caller's. */
  originSecret?: string | undefined;
  /** Whether only the CDN may call: whatever comes without its secret is refused before anything else is done. */
  originRequired?: boolean;
  /** The key under which the log tells refused callers apart. */
  callerHashKey?: string | undefined;
  /** Transforms every reply for these callers; `isServed` tells whether a route matched path and method. */
  transformReply?: (event: HttpEvent, reply: HttpResult, isServed: boolean) => HttpResult;
}

/**
 * A Lambda handler (API Gateway payload 2.0) for `routes`, whatever the method. Whatever happens, it resolves to a reply.
 * The gateway's routes tell it the path alone: `ANY /v1/products`.
 */
export function createHandler<Services>(options: HandlerOptions<Services>): HttpHandler {
  const pipelines = new Map(options.routes.map((route) => [`${route.method} ${route.path}`, createPipeline(route, options)]));
  const readable = new Map(options.routes.filter(answersHead).map(({ path }) => [path, pipelines.get(`GET ${path}`)]));
  const notFound = createPipeline(undefined, options);
  const notThroughCdn = createPipeline(undefined, options, 'forbidden');
  const routesByPath = Map.groupBy(
    options.routes.filter(({ isSameOrigin }) => !isSameOrigin),
    (route) => route.path,
  );

  function findPipeline(event: HttpEvent) {
    const path = pathOf(event);
    return isHead(event) ? readable.get(path) : pipelines.get(`${methodOf(event)} ${path}`);
  }

  async function answer(event: HttpEvent, context: Context): Promise<HttpResult> {
    if (options.originRequired && !isFromCdn(event, options.originSecret)) return notThroughCdn(event, context);
    const onPath = methodOf(event) === 'OPTIONS' ? routesByPath.get(pathOf(event)) : undefined;
    if (onPath) return preflight(onPath, options, event);
    return (findPipeline(event) ?? notFound)(event, context);
  }

  const { transformReply: present = (_event, reply) => reply } = options;
  return async (event, context) => {
    const isServed = findPipeline(event) !== undefined;
    const reply = present(event, await runWithRequestId(event.requestContext.requestId, () => answer(event, context)), isServed);
    // Headers may depend on the body, so that HEAD loses it last.
    return isHead(event) ? { ...reply, body: '', isBase64Encoded: false } : reply;
  };
}

const methodOf = ({ requestContext }: HttpEvent) => requestContext.http.method;
const isHead = (event: HttpEvent) => methodOf(event) === 'HEAD';
/** That of the gateway's route, with its parameters in braces; empty where no route takes the path. */
const pathOf = ({ routeKey }: HttpEvent) => routeKey.split(' ')[1] ?? '';

/** The checks of a route in their order, then its endpoint; without a route, the refusal with this code. */
function createPipeline<Services>(
  route: Endpoint<Services> | undefined,
  options: HandlerOptions<Services>,
  refusal: ErrorCode = 'route_not_found',
): (event: HttpEvent, context: Context) => Promise<HttpResult> {
  const { services, logger } = options;
  const finish = (event: Call, reply: HttpResult): HttpResult => ({
    ...reply,
    headers: {
      'X-Request-Id': event.requestContext.requestId,
      ...corsHeaders(route?.audience, route?.path ?? event.rawPath, event.headers['origin'], options.consoleOrigins),
      ...replyHeaders,
      ...(event.ignoredFields !== undefined && { 'X-Ignored-Fields': event.ignoredFields }),
      ...(route && isPrivate(route) && { 'Cache-Control': 'no-store' }),
      ...reply.headers,
    },
  });
  const pipeline = middy<Call, HttpResult>().onError((request) => {
    const { event } = request;
    request.response = finish(event, errorReply(request.error, refusedBy(event, options), route, logger));
  });
  if (route) {
    for (const check of checksOf(route, options)) pipeline.use(check);
  }
  const parseQuery = route?.query && (route.isQueryForeign ? createForeignQueryParser : createQueryParser)(route.query);
  pipeline.handler(async (call): Promise<HttpResult> => {
    if (!route) throw new AppError(refusal);
    const { input: body, headers, identity, raw } = call;
    const query = parseQuery?.(call.rawQueryString);
    const { requestId } = call.requestContext;
    const input = {
      body,
      query,
      params: paramsOf(call),
      headers,
      identity,
      caller: callerAddress(call, options.originSecret),
      requestId,
      isHead: isHead(call),
    };
    const result = await route.handle(input, services, raw);
    return finish(call, withCaching(route, call, toReply(route, result)));
  });
  return (event, context) => {
    const raw = rawRequestOf(event);
    // Input and identity are set by the checks of the routes that have them.
    return pipeline({ ...event, raw, input: undefined, identity: { userId: '' } }, context);
  };
}

const refusedBy = (
  call: Call,
  { originSecret, callerHashKey }: Pick<HandlerOptions<never>, 'originSecret' | 'callerHashKey'>,
): RefusalContext => ({
  requestId: call.requestContext.requestId,
  caller: () => (callerHashKey === undefined ? undefined : callerHash(callerAddress(call, originSecret), callerHashKey)),
  subject: auditActorOf(call.identity) || undefined,
});

const paramsOf = ({ pathParameters }: HttpEvent) =>
  Object.fromEntries(Object.entries(pathParameters ?? {}).map(([name, value]) => [codeName(name), value ?? '']));

type Check = MiddlewareObj<Call>;
const check = (before: (call: Call) => void | Promise<void>): Check => ({ before: ({ event }) => before(event) });

/** Rate, identity, size, signature, parsing, fields. See "Order of checks" in README.md. */
function checksOf<Services>(route: Endpoint<Services>, options: HandlerOptions<Services>): Check[] {
  const { audience, bodyKind, verify, readParts } = route;
  const { services, limitRate, limitWrites, authenticate, adminAllowlist = [], originSecret } = options;
  const checks: Check[] = [];
  const limit = (name: RateLimitName, callerOf: (call: Call) => string) => {
    if (!limitRate) throw new Error(`No rate limiter for ${name}.`);
    return check((call) => limitRate(name, callerOf(call)));
  };
  const isOfUser = (limit: RateLimitName) => userRateLimits.some((name) => name === limit);
  const [ofUser, ofAddress] = [rateLimitsOf(route).filter(isOfUser), rateLimitsOf(route).filter((name) => !isOfUser(name))];
  checks.push(...ofAddress.map((name) => limit(name, (call) => callerAddress(call, originSecret))));
  if (audience !== 'anyone') {
    if (!authenticate) throw new Error(`No identity adapter for ${route.operationId}.`);
    checks.push(identify(route, authenticate, adminAllowlist));
  }
  if (isSellerWrite(route)) {
    if (!limitWrites) throw new Error(`No limit of writes for ${route.operationId}.`);
    checks.push(check(({ identity }) => limitWrites(identity.userId)));
  }
  // The space keeps a user id from being mistaken for an address.
  checks.push(...ofUser.map((name) => limit(name, ({ identity }) => `user ${identity.userId}`)));
  if (route.method === 'GET' && namesIgnored(route)) {
    const known = route.query ? wireNamesOf(route.query) : new Set<string>();
    checks.push(
      check((call) => {
        call.ignoredFields = ignoredParametersOf(call.rawQueryString, known);
      }),
    );
  }
  const maxBytes = bodyKind === 'multipart' ? maxMultipartBytes : maxJsonBytes;
  checks.push(check(({ raw }) => checkSize(raw, maxBytes)));
  if (verify) checks.push(check(({ raw }) => verify(raw, services)));
  if (isJsonBodyKind(bodyKind)) {
    // Deployed apps may be older or newer than the server, and buyers' pages are our own.
    const known = route.body && namesIgnored(route) ? wireNamesOf(route.body) : undefined;
    checks.push(parseJson({ bodyKind, known }));
  }
  if (readParts) {
    checks.push(
      check(async (call) => {
        call.input = await readParts(call.raw);
      }),
    );
  }
  const schema = route.bodyFor?.(services) ?? route.body;
  if (schema && bodyKind !== 'none') checks.push(readFields(schema, async (sent) => route.beforeFields?.(sent, services)));
  return checks;
}

const readFields = (schema: ZodSchema, beforeFields: (sent: unknown) => Promise<void>): Check =>
  check(async (call) => {
    const sent = call.input;
    try {
      call.input = parseFields(schema, sent);
    } catch (error) {
      await beforeFields(sent);
      throw error;
    }
  });

/** @throws AppError unauthenticated, token_scope_insufficient, forbidden */
const identify = (
  { audience, tokenScopes = [] }: Pick<Endpoint, 'audience' | 'tokenScopes'>,
  authenticate: Authenticate,
  adminAllowlist: readonly string[],
): Check =>
  check(async (call) => {
    const identity = await authenticate(call.headers);
    if (identity) call.identity = identity;
    if (audience === 'seller' && !identity) throw new AppError('unauthenticated');
    if (audience === 'seller' && identity) requireScope(identity, tokenScopes);
    if (!identity || (audience === 'admin' && !isAdmin(identity, adminAllowlist))) {
      throw new AppError('forbidden', 'Only admins may do this.');
    }
  });

/** The reply is parsed by its schema, so that it holds declared fields only. */
function toReply<Services>(route: Endpoint<Services>, result: unknown): HttpResult {
  const reply = result instanceof Reply ? result : new Reply(result);
  const statusCode = reply.status ?? route.success.status;
  const contentType = route.success.contentType ?? 'application/json';
  if (reply.body === undefined) return { statusCode, headers: reply.headers, body: '' };
  const headers = { 'Content-Type': contentType, ...reply.headers };
  if (route.success.body) return { statusCode, headers, body: JSON.stringify(toWire(z.parse(route.success.body, reply.body))) };
  if (!(reply.body instanceof Uint8Array)) return { statusCode, headers, body: String(reply.body) };
  return { statusCode, headers, body: Buffer.from(reply.body).toString('base64'), isBase64Encoded: true };
}

/** What the endpoint lets caches keep: with its tag, or without body when the caller has it already. */
function withCaching<Services>({ cacheSeconds }: Endpoint<Services>, event: HttpEvent, reply: HttpResult): HttpResult {
  if (cacheSeconds === undefined) return reply;
  const tag = entityTagOf(reply.body ?? '');
  const caching = { ETag: tag, 'Cache-Control': `public, max-age=${cacheSeconds}` };
  if (isMatched(event.headers['if-none-match'], tag)) return { statusCode: 304, headers: caching, body: '' };
  return { ...reply, headers: { ...reply.headers, ...caching } };
}

function preflight<Services>(onPath: readonly Endpoint<Services>[], options: HandlerOptions<Services>, event: HttpEvent): HttpResult {
  return {
    statusCode: 204,
    headers: {
      'X-Request-Id': event.requestContext.requestId,
      ...replyHeaders,
      ...preflightHeaders(onPath, event.headers['origin'], options.consoleOrigins),
    },
  };
}
