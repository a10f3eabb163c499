import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { toHttpEvent } from '../../../infra/local/gateway/http-event.ts';
import { createRouteTable } from '../../../infra/local/gateway/route-table.ts';

type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<APIGatewayProxyStructuredResultV2>;
type Routes = readonly { path: string }[];

/** Handlers with their routes behind a real HTTP server; the last also gets what no route takes. */
export async function serveHandlers(functions: readonly { handler: Handler; routes: Routes }[]) {
  const keysOf = (routes: Routes) => routes.map(({ path }) => `ANY ${path}`);
  const match = createRouteTable(functions.flatMap(({ routes }) => keysOf(routes)));

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: target = '/' } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const route = match(method, target.split('?')[0] ?? '/');
    const chosen = functions.find(({ routes }) => keysOf(routes).includes(route.routeKey)) ?? functions.at(-1)!;
    const event = toHttpEvent(
      { method, target, headers, body: Buffer.concat(chunks), sourceIp: '127.0.0.1' },
      route,
      randomUUID(),
      new Date(),
    );
    const reply = await chosen.handler(event, {} as Context);
    response.writeHead(reply.statusCode ?? 200, reply.headers as Record<string, string>);
    response.end(Buffer.from(reply.body ?? '', reply.isBase64Encoded ? 'base64' : 'utf8'));
  }

  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
