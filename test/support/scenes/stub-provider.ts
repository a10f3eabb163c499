import { createServer, type IncomingHttpHeaders } from 'node:http';
import { serve } from '../../../infra/local/engines/engine.ts';
import { createStripeClient, type StripeClient } from '../../../shared/payments/provider/stripe-client.ts';

export interface StubProvider {
  client: StripeClient;
  /** What each path answers; any other is missing. */
  objects: Map<string, object>;
  requests: { path: string; query: URLSearchParams; headers: IncomingHttpHeaders }[];
  stop(): Promise<void>;
}

/** The provider's API as far as it has the objects that the test gives it. */
export async function startStubProvider(): Promise<StubProvider> {
  const objects: StubProvider['objects'] = new Map();
  const requests: StubProvider['requests'] = [];
  const server = createServer((request, response) => {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '', 'http://provider.test');
    requests.push({ path, query, headers: request.headers });
    const object = objects.get(path);
    response.writeHead(object ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(object ?? { error: { type: 'invalid_request_error', code: 'resource_missing', message: 'private text' } }));
  });
  const { endpoint, stop } = await serve(server);
  return {
    client: createStripeClient({ secretKey: 'sk_test_stub', apiBase: endpoint }),
    objects,
    requests,
    stop,
  };
}
