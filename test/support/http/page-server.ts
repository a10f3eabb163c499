import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Context } from 'aws-lambda';
import { routes } from '../../../functions/pages/routes.ts';
import { toHttpEvent } from '../../../infra/local/gateway/http-event.ts';
import { createRouteTable } from '../../../infra/local/gateway/route-table.ts';
import { createHostedCheckouts, createPageHarness } from '../scenes/pages/page-harness.ts';

/** What a path under /v1/ answers: a status with a JSON body. */
export type ApiAnswer = (path: string, body: Record<string, unknown>) => ApiReply | Promise<ApiReply>;

interface ApiReply {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

export interface PageServer {
  baseUrl: string;
  /** Every request line and referrer that arrived, for what must never be in them. */
  requests: { line: string; referrer: string | undefined }[];
  answerWith(answer: ApiAnswer): void;
  stop(): Promise<void>;
}

/**
 * The pages function behind a real HTTP server, over sample products, with an API whose answers the test decides.
 * The server is also the payment provider, with a hosted checkout for each product.
 */
export async function startPageServer(port = 0): Promise<PageServer> {
  let answer: ApiAnswer = () => ({ status: 404, body: { code: 'route_not_found' } });
  const requests: PageServer['requests'] = [];
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const { handler } = await createPageHarness({ paymentApiBase: baseUrl, settings: { PUBLIC_BASE_URL: baseUrl } });
  const checkouts = createHostedCheckouts(`${baseUrl}/hosted-checkout`);
  const match = createRouteTable(routes.map(({ path }) => `ANY ${path}`));

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: target = '/' } = request;
    requests.push({ line: `${method} ${target}`, referrer: request.headers.referer });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const path = target.split('?')[0] ?? '/';
    if (path.startsWith('/v1/checkout/sessions')) {
      const session = method === 'POST' ? checkouts.open(new URLSearchParams(body.toString())) : checkouts.find(path);
      return void response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(session));
    }
    if (path.startsWith('/v1/public/products/')) {
      const images = [{ url: `${baseUrl}/assets/icon.svg`, width: 800, height: 600 }];
      return void response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ images }));
    }
    if (path.startsWith('/v1/')) {
      const reply = await answer(path, JSON.parse(body.toString() || '{}'));
      response.writeHead(reply.status, { 'Content-Type': 'application/json', ...reply.headers });
      return void response.end(JSON.stringify(reply.body));
    }
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const event = toHttpEvent({ method, target, headers, body, sourceIp: '127.0.0.1' }, match(method, path), randomUUID(), new Date());
    const reply = await handler(event, {} as Context);
    response.writeHead(reply.statusCode ?? 200, reply.headers as Record<string, string>);
    response.end(Buffer.from(reply.body ?? '', reply.isBase64Encoded ? 'base64' : 'utf8'));
  }

  return {
    baseUrl,
    requests,
    answerWith(next) {
      answer = next;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
