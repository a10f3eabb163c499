import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { toHttpEvent } from '../../../infra/local/gateway/http-event.ts';
import { createRouteTable } from '../../../infra/local/gateway/route-table.ts';
import { checkExchange } from '../interface/conformance.ts';

export interface RequestOptions {
  headers?: Record<string, string>;
  /** An object or array goes as JSON with its content type; text and bytes go as they are. */
  body?: unknown;
  sourceIp?: string;
}

export interface TestReply {
  status: number;
  /** By lower-case name. */
  headers: Record<string, string>;
  text: string;
  bytes: Buffer;
  /** The parsed body where it is JSON, else undefined. */
  json: any;
}

/** A reply that must be a success. */
export function ok(reply: TestReply): TestReply {
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`);
  return reply;
}

type Routes = readonly { path: string }[];
const routeTables = new WeakMap<Routes, ReturnType<typeof createRouteTable>>();

/** The gateway's choice among these paths, made once. */
function matcherOf(routes: Routes) {
  const match = routeTables.get(routes) ?? createRouteTable(routes.map(({ path }) => `ANY ${path}`));
  routeTables.set(routes, match);
  return match;
}

type HttpHandler = (event: APIGatewayProxyEventV2, context: Context) => Promise<APIGatewayProxyStructuredResultV2>;

/** The event the gateway makes of a request, with the paths of these endpoints. */
export function httpEvent(routes: Routes, method: string, target: string, options: RequestOptions = {}): APIGatewayProxyEventV2 {
  const body = bodyBytes(options.body);
  const isJson = options.body !== undefined && typeof options.body !== 'string' && !(options.body instanceof Uint8Array);
  const headers = Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  const request = {
    method,
    target,
    headers: { host: 'api.test', ...(isJson && { 'content-type': 'application/json' }), ...Object.fromEntries(headers) },
    body,
    sourceIp: options.sourceIp ?? '192.0.2.1',
  };
  return toHttpEvent(request, matcherOf(routes)(method, target.split('?')[0] ?? ''), randomUUID(), new Date());
}

/**
 * Calls a function's handler as the gateway would: `call('GET', '/v1/products/prd_1?limit=2', { headers, body })`.
 * Every exchange is checked against the description of the interface, unless the routes are not `described` there.
 */
export function createCaller(handler: HttpHandler, routes: Routes, { described = true } = {}) {
  return async (method: string, target: string, options: RequestOptions = {}): Promise<TestReply> => {
    const event = httpEvent(routes, method, target, options);
    const reply = await handler(event, {} as Context);
    const status = reply.statusCode ?? 200;
    const headers = Object.fromEntries(Object.entries(reply.headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]));
    const bytes = Buffer.from(reply.body ?? '', reply.isBase64Encoded ? 'base64' : 'utf8');
    const isZipped = headers['content-encoding'] === 'gzip' && bytes.length > 0;
    const plain = isZipped ? gunzipSync(bytes) : bytes;
    const text = plain.toString('utf8');
    const exchange = { method, target, requestHeaders: event.headers, requestBody: bodyBytes(options.body), status, headers, body: text };
    if (described) checkExchange(exchange);
    return { status, headers, text, bytes: plain, json: parsed(text) };
  };
}

function bodyBytes(body: unknown): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  return body instanceof Uint8Array ? Buffer.from(body) : Buffer.from(JSON.stringify(body), 'utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
