import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { AppError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { type Authenticate, type Identity, isAdmin } from './authenticate.ts';
import { callerAddress } from './caller-address.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { type Endpoint, type RawRequest, Reply } from './endpoint.ts';
import { entityTagOf, isMatched } from './entity-tag.ts';
import { errorReply } from './error-reply.ts';
import { parseFields, parseQuery } from './parse-input.ts';
import type { LimitRate } from './rate-limit.ts';
import { bytesOf, limitSize, maxJsonBytes, maxMultipartBytes, parseJson } from './read-body.ts';
import { codeName, toWire } from './wire.ts';

type HttpEvent = APIGatewayProxyEventV2;
type HttpResult = APIGatewayProxyStructuredResultV2;

export interface HandlerOptions<Services> {
  routes: readonly Endpoint<Services>[];
  services: Services;
  logger: Logger;
  /** Needed where a route's audience is seller or admin. */
  authenticate?: Authenticate;
  adminAllowlist?: readonly string[];
  consoleOrigins?: readonly string[];
  /** Needed where a route names a rate limit. */
  limitRate?: LimitRate;
  /** What the CDN in front of the gateway knows; with it, the viewer's address counts as the caller's. */
  originSecret?: string | undefined;
}

/** A Lambda handler (API Gateway payload 2.0) for `routes`. Whatever happens, it resolves to a reply. */
export function createHandler<Services>(options: HandlerOptions<Services>): (event: HttpEvent, context: Context) => Promise<HttpResult> {
  const pipelines = new Map(options.routes.map((route) => [`${route.method} ${route.path}`, createPipeline(route, options)]));
  const notFound = createPipeline(undefined, options);

  return async (event, context) => {
    const [method = '', path = ''] = event.routeKey.split(' ');
    const onPath = options.routes.filter((route) => route.path === path);
    if (method === 'OPTIONS' && onPath.length > 0) {
      return preflight(onPath, options, event);
    }
    return (pipelines.get(event.routeKey) ?? notFound)(event, context);
  };
}

/** The way of one request. Order of checks: decisions.md §1. */
function createPipeline<Services>(route: Endpoint<Services> | undefined, options: HandlerOptions<Services>) {
  const { services, logger } = options;
  const finish = (event: HttpEvent, reply: HttpResult): HttpResult => ({
    ...reply,
    headers: {
      'X-Request-Id': event.requestContext.requestId,
      ...corsHeaders(route?.audience, route?.path ?? event.rawPath, event.headers['origin'], options.consoleOrigins),
      ...(route?.sensitive && { 'Cache-Control': 'no-store' }),
      ...reply.headers,
    },
  });

  return middy<HttpEvent, HttpResult>()
    .onError((request) => {
      const reply = errorReply(request.error, request.event.requestContext.requestId, route, logger);
      request.response = finish(request.event, reply);
    })
    .handler(async (event: HttpEvent, context: Context): Promise<HttpResult> => {
      if (!route) throw new AppError('route_not_found');
      await limit(route, event);
      const identity = await authorize(route, event);
      const raw: RawRequest = { headers: event.headers, body: bytesOf(event) };
      const body = await readBody(route, event, context, raw);
      const query = route.query ? parseQuery(route.query, event.rawQueryString) : undefined;
      const params = Object.fromEntries(Object.entries(event.pathParameters ?? {}).map(([name, value]) => [codeName(name), value ?? '']));
      const { requestId } = event.requestContext;
      const result = await route.handle({ body, query, params, headers: event.headers, identity, requestId }, services, raw);
      return finish(event, withCaching(route, event, toReply(route, result)));
    });

  async function limit({ rateLimit }: Endpoint<Services>, event: HttpEvent): Promise<void> {
    if (rateLimit === undefined) return;
    if (!options.limitRate) throw new Error(`No rate limiter for ${rateLimit}.`);
    await options.limitRate(rateLimit, callerAddress(event, options.originSecret));
  }

  async function authorize({ audience }: Endpoint<Services>, event: HttpEvent): Promise<Identity> {
    if (audience === 'anyone') return { userId: '' };
    if (!options.authenticate) throw new Error('No identity adapter.');
    const identity = await options.authenticate(event.headers);
    if (audience === 'seller') {
      if (!identity) throw new AppError('unauthenticated');
      return identity;
    }
    if (!identity || !isAdmin(identity, options.adminAllowlist ?? [])) throw new AppError('forbidden', 'Only admins may do this.');
    return identity;
  }

  async function readBody(endpoint: Endpoint<Services>, event: HttpEvent, context: Context, raw: RawRequest): Promise<unknown> {
    limitSize(raw.body, endpoint.bodyKind === 'multipart' ? maxMultipartBytes : maxJsonBytes);
    endpoint.verify?.(raw, services);
    if (endpoint.bodyKind === 'none') return undefined;
    if (endpoint.readParts && endpoint.body) return parseFields(endpoint.body, await endpoint.readParts(raw));
    const absent = raw.body.length === 0;
    if (absent && endpoint.bodyKind === 'json') throw new AppError('invalid_json', 'The body is missing.');
    const json = absent ? {} : await parseJson(event, raw.body, context);
    const schema = endpoint.bodyFor?.(services) ?? endpoint.body;
    return schema ? parseFields(schema, json) : json;
  }
}

/** Only what the schema declares leaves: the reply is parsed by it. */
function toReply<Services>(route: Endpoint<Services>, result: unknown): HttpResult {
  const reply = result instanceof Reply ? result : new Reply(result);
  const statusCode = reply.status ?? route.success.status;
  const contentType = route.success.contentType ?? 'application/json';
  if (reply.body === undefined || !route.success.body) {
    const isBinary = reply.body instanceof Uint8Array;
    return {
      statusCode,
      headers: { ...(reply.body !== undefined && { 'Content-Type': contentType }), ...reply.headers },
      body: reply.body instanceof Uint8Array ? Buffer.from(reply.body).toString('base64') : String(reply.body ?? ''),
      ...(isBinary && { isBase64Encoded: true }),
    };
  }
  const body = JSON.stringify(toWire(z.parse(route.success.body, reply.body)));
  return { statusCode, headers: { 'Content-Type': contentType, ...reply.headers }, body };
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
      ...preflightHeaders(onPath, event.headers['origin'], options.consoleOrigins),
    },
  };
}
