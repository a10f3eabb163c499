import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { html } from '../../../shared/html.ts';
import { type Engine, isOwnHost, readBody, serve } from '../engines/engine.ts';
import { type HttpReply, jsonReply, pageReply } from '../http-reply.ts';
import { answerApi } from './api/provider-api.ts';
import type { HttpRequest } from './http-request.ts';
import { expireDueSessions } from './objects/checkout-outcomes.ts';
import { answerCheckoutPage } from './pages/checkout-page.ts';
import { answerOnboardingPage } from './pages/onboarding-page.ts';
import { answerOverview } from './pages/overview-page.ts';
import { testPage } from './pages/test-page.ts';
import { ProviderError, refusalIn } from './provider-error.ts';
import { openStore, type ProviderStore } from './store/provider-store.ts';
import type { ApiFaults } from './test-controls/test-control.ts';
import { answerTestControl } from './test-controls/test-controls.ts';
import { createDeliverer, type WebhookEndpoint } from './webhooks/deliverer.ts';

export interface PaymentProviderOptions {
  /** Without it: the port of last time when it is free (links in the state then still work), else any. */
  port?: number;
  /** Without it nothing outlives the process. */
  stateFile?: string;
  /** Gets snapshot events and account events. */
  platformWebhook: WebhookEndpoint;
  /** Gets account events. */
  connectWebhook: WebhookEndpoint;
}

const largestBody = 1024 * 1024;

/**
 * A fake payment provider for development and tests: the part of its API
 * that the service calls, its hosted checkout and onboarding pages, its signed
 * webhooks, and test controls for all that happens at a provider by itself.
 *
 * Listens on 127.0.0.1 alone. What it acknowledged outlives a killed process when
 * there is a state file, undelivered webhooks included.
 * See "The fake payment provider" in README.md.
 */
export async function startPaymentProvider(options: PaymentProviderOptions): Promise<Engine> {
  const store = openStore(options.stateFile);
  const deliverer = createDeliverer(store, { platform: options.platformWebhook, connect: options.connectWebhook });
  const faults: ApiFaults = {};
  const expireDue = () => {
    store.change(expireDueSessions);
    deliverer.wake();
  };

  const server = createServer((request, response) => {
    void answer(request, response).catch((error) => {
      if (!response.headersSent) response.writeHead(refusalIn(error).status);
      response.end();
    });
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = await replyTo(request, store, endpoint, faults);
    response.writeHead(reply.status, reply.headers).end(reply.body);
    deliverer.wake();
  }

  const lastPort = store.change((tx) => tx.find('port', 'port')?.port);
  const { port, endpoint, stop: hangUp } = await serve(server, options.port, lastPort);
  store.change((tx) => tx.put('port', 'port', { port }));
  const clock = setInterval(expireDue, 1000);
  expireDue();

  return {
    endpoint,
    async stop() {
      clearInterval(clock);
      await Promise.all([hangUp(), deliverer.stop()]);
      store.close();
    },
  };
}

async function replyTo(incoming: IncomingMessage, store: ProviderStore, baseUrl: string, faults: ApiFaults): Promise<HttpReply> {
  const [path = '', query = ''] = (incoming.url ?? '/').split(/\?(.*)/s);
  const isApi = path.startsWith('/v1/') || path.startsWith('/v2/');
  try {
    if (!isOwnHost(incoming.headers.host)) throw new ProviderError(403, 'This provider answers on this machine alone.');
    const body = await readBody(incoming, largestBody);
    if (!body) throw new ProviderError(413, 'The body is too large.');
    const request: HttpRequest = {
      method: incoming.method ?? 'GET',
      path,
      query,
      headers: incoming.headers,
      body: body.toString(),
      baseUrl,
      withoutMethods: faults.withoutMethods,
    };
    if (!isApi) return answerPage(request, store, faults);
    if (faults.delayMs) await sleep(faults.delayMs);
    if (faults.status) throw new ProviderError(faults.status, 'The provider is made to fail.', { type: 'api_error' });
    return answerApi(store, request);
  } catch (error) {
    const refusal = refusalIn(error);
    const asPage = !isApi && String(incoming.headers.accept).includes('text/html');
    if (!asPage) return jsonReply(refusal.toBody(), refusal.status);
    return pageReply(testPage('Not possible', html`<h1>Not possible</h1><p>${refusal.message}</p>`), refusal.status);
  }
}

function answerPage(request: HttpRequest, store: ProviderStore, faults: ApiFaults): HttpReply {
  const { method, path } = request;
  const sessionId = /^\/c\/pay\/(cs_test_[A-Za-z0-9]+)$/.exec(path)?.[1];
  if (sessionId !== undefined) return answerCheckoutPage(store, request, sessionId);
  const token = /^\/onboarding\/(acctlink_[A-Za-z0-9]+)$/.exec(path)?.[1];
  if (token !== undefined) return answerOnboardingPage(store, request, token);
  if (path.startsWith('/test/')) return answerTestControl(store, request, faults);
  if (path === '/' && method === 'GET') return answerOverview(store);
  throw new ProviderError(404, 'There is no such page.');
}
