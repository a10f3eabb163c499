import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { createLogger } from '../../../shared/logging/logger.ts';
import { type Engine, isOwnHost, listen, readBody } from '../engines/engine.ts';
import type { HttpReply } from '../http-reply.ts';
import { maxPayloadBytes } from '../lambda/lambda-host.ts';
import { type HttpRequest, splitTarget, toHttpEvent } from './http-event.ts';
import { createRouteTable } from './route-table.ts';

const logger = createLogger({ part: 'gateway' });

/** The gateway's limits. */
const maxBodyBytes = 10 * 1024 * 1024;
const maxHeaderBytes = 10_240;
const timeoutMs = 30_000;

/** What the answer of a local page depends on. */
export interface LocalRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  /** The content types that the caller takes. */
  accept: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

export interface GatewayOptions {
  port: number;
  /** The function behind each route, by route key. */
  routes: ReadonlyMap<string, (event: unknown) => Promise<unknown>>;
  /** The host under which PUBLIC_BASE_URL makes the stack known, beside those of this machine. */
  publicHost?: string;
  /** Answers paths that exist in the local stack alone, or returns undefined. Not there: no such path exists. */
  localPage?: ((request: LocalRequest) => Promise<HttpReply | undefined>) | undefined;
  /** Whether an `Authorization` holds what is no credential any more, although a function could not know: no function gets it. */
  isExpiredCredential?: ((authorization: string) => boolean) | undefined;
}

const FunctionReply = z.object({
  statusCode: z.number(),
  headers: z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
  cookies: z.optional(z.array(z.string())),
  body: z.optional(z.string()),
  isBase64Encoded: z.optional(z.boolean()),
});

/** A reply of the gateway's own: it has a `message` alone, not the Error body. */
class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** What requests are answered from. */
interface Gateway extends GatewayOptions {
  match: ReturnType<typeof createRouteTable>;
}

/** An HTTP API in front of the functions: payload format 2.0 and the gateway's limits. */
export async function startApiGateway(options: GatewayOptions): Promise<Engine> {
  const gateway = { ...options, match: createRouteTable([...options.routes.keys()]) };
  const server = createServer({ maxHeaderSize: 64 * 1024, keepAliveTimeout: 60_000 }, (request, response) => {
    reply(gateway, request, response).catch((error) => {
      if (error instanceof Refusal) return send(response, error.status, { message: error.message });
      if (!request.complete) return undefined; // The caller hung up.
      logger.error('request_not_answered', { error });
      return send(response, 500, { message: 'Internal Server Error' });
    });
  });
  await listen(server, options.port);
  return {
    endpoint: `http://127.0.0.1:${options.port}`,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      const forcedClose = setTimeout(() => server.closeAllConnections(), 2000);
      await closed;
      clearTimeout(forcedClose);
    },
  };
}

async function reply(gateway: Gateway, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { localPage, publicHost } = gateway;
  const { method = '', url: target = '' } = request;
  const { path, query } = splitTarget(target);
  const body = await readBody(request, maxBodyBytes);
  if (!body) throw new Refusal(413, 'Request Entity Too Large');
  const headers = joinHeaders(request);
  const { accept = '' } = request.headers;
  const isKnown = isOwnHost(request.headers.host) || (publicHost !== undefined && request.headers.host === publicHost);
  // Checked first, since POST requests there need no credential.
  const isSent = localPage !== undefined && isLocalPath(path) && method !== 'GET' && method !== 'HEAD';
  if (isSent && !(isKnown && isFromHere(headers, request.headers.host))) throw new Refusal(403, 'Forbidden');
  const page = await localPage?.({ method, path, query: new URLSearchParams(query), accept, headers, body });
  // Shown or believed without a credential: to nobody who comes under another name.
  const trusts = page !== undefined || request.headers['x-user-id'] !== undefined;
  if (trusts && !isKnown) throw new Refusal(403, 'Forbidden');
  if (page !== undefined) return sendLocalPage(response, page);
  sendFunctionReply(response, await callFunction(gateway, { method, target, headers, body, sourceIp: request.socket.remoteAddress ?? '' }));
}

/** What the function behind the route replies. */
async function callFunction({ match, routes, isExpiredCredential }: Gateway, request: HttpRequest): Promise<unknown> {
  const { method, target, headers } = request;
  const route = match(method, splitTarget(target).path);
  const invoke = routes.get(route.routeKey);
  if (!invoke) throw new Refusal(404, 'Not Found');
  const { authorization = '', ...others } = headers;
  const passed = isExpiredCredential?.(authorization) ? others : headers;
  const event = toHttpEvent({ ...request, headers: passed }, route, randomUUID(), new Date());
  if (Buffer.byteLength(JSON.stringify(event)) > maxPayloadBytes) throw new Refusal(413, 'Request Entity Too Large');
  return withinTime(invoke(event));
}

const isLocalPath = (path: string) => path === '/__local' || path.startsWith('/__local/');

/** Whether the request does not come from a page of another origin; programs send no origin. */
function isFromHere({ 'sec-fetch-site': site, origin }: Readonly<Record<string, string>>, host: string | undefined): boolean {
  if (site !== undefined) return site === 'none' || site === 'same-origin';
  return origin === undefined || URL.parse(origin)?.host === host;
}

function joinHeaders({ rawHeaders, headersDistinct }: IncomingMessage): Record<string, string> {
  if (rawHeaders.reduce((bytes, text) => bytes + text.length, 0) > maxHeaderBytes)
    throw new Refusal(431, 'Request Header Fields Too Large');
  return Object.fromEntries(Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(',')]));
}

async function withinTime(result: Promise<unknown>): Promise<unknown> {
  const over = new AbortController();
  const timeout = sleep(timeoutMs, undefined, { signal: over.signal }).then(() => {
    throw new Refusal(503, 'Service Unavailable');
  });
  try {
    return await Promise.race([result, timeout]);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    logger.error('function_failed', { error });
    throw new Refusal(500, 'Internal Server Error');
  } finally {
    over.abort();
  }
}

function sendFunctionReply(response: ServerResponse, result: unknown): void {
  const reply = z.safeParse(FunctionReply, result);
  if (!reply.success) throw new Refusal(500, 'Internal Server Error');
  const { statusCode, headers = {}, cookies, body = '', isBase64Encoded } = reply.data;
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, String(value));
  if (cookies) response.setHeader('Set-Cookie', cookies);
  // That of an empty body would be wrong: HEAD is asked what GET would be answered.
  const hasLength = statusCode !== 204 && statusCode !== 304 && response.req.method !== 'HEAD';
  if (hasLength) response.setHeader('Content-Length', bytes.length);
  response.writeHead(statusCode).end(bytes);
}

function sendLocalPage(response: ServerResponse, { status, headers, body }: HttpReply): void {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
}

function send(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': bytes.length }).end(bytes);
}
