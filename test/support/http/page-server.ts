import { routes } from '../../../functions/pages/routes.ts';
import { freePort } from '../../../infra/local/engines/engine.ts';
import { createHostedCheckouts, createPageHarness } from '../scenes/pages/page-harness.ts';
import { serveHandler } from './serve-handler.ts';

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
export async function startPageServer(): Promise<PageServer> {
  let answer: ApiAnswer = () => ({ status: 404, body: { code: 'route_not_found' } });
  const requests: PageServer['requests'] = [];
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const { handler } = await createPageHarness({ paymentApiBase: baseUrl, settings: { PUBLIC_BASE_URL: baseUrl } });
  const checkouts = createHostedCheckouts(`${baseUrl}/hosted-checkout`);
  const images = [{ url: `${baseUrl}/assets/icon.svg`, width: 800, height: 600 }];

  async function replyOf(method: string, path: string, body: string): Promise<ApiReply> {
    if (path.startsWith('/v1/checkout/sessions'))
      return { status: 200, body: method === 'POST' ? checkouts.open(new URLSearchParams(body)) : checkouts.find(path) };
    if (path.startsWith('/v1/public/products/')) return { status: 200, body: { images } };
    return answer(path, JSON.parse(body || '{}'));
  }

  const { stop } = await serveHandler(handler, routes, {
    port,
    async localPage({ method, path, query, headers: { referer }, body: sent }) {
      requests.push({ line: `${method} ${path}?${query}`, referrer: referer });
      if (!path.startsWith('/v1/')) return undefined;
      const { status, body, headers } = await replyOf(method, path, sent.toString());
      return { status, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) ?? '' };
    },
  });
  return {
    baseUrl,
    requests,
    answerWith(next) {
      answer = next;
    },
    stop,
  };
}
