import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { freePort } from '../../../infra/local/engines/engine.ts';
import { type GatewayOptions, startApiGateway } from '../../../infra/local/gateway/api-gateway.ts';

type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<unknown>;

/** A handler with its routes behind the gateway of the local stack; it also gets what no route takes. */
export async function serveHandler(handler: Handler, routes: readonly { path: string }[], options: Partial<GatewayOptions> = {}) {
  const port = options.port ?? (await freePort());
  const call = (event: unknown) => handler(event as APIGatewayProxyEventV2, {} as Context);
  const keys = [...routes.map(({ path }) => `ANY ${path}`), '$default'];
  const { endpoint, stop } = await startApiGateway({ ...options, port, routes: new Map(keys.map((key) => [key, call])) });
  return { baseUrl: endpoint, stop };
}
