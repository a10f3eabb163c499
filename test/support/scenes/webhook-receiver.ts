import { createServer } from 'node:http';
import { serve } from '../../../infra/local/engines/engine.ts';
import { eventually } from './stack-harness.ts';

export interface ReceivedWebhook {
  body: string;
  signature: string;
  event: {
    id: string;
    object: string;
    type: string;
    context?: string | null;
    data?: { object: Record<string, unknown> };
    related_object?: { id: string };
  };
}

export interface WebhookReceiver {
  url: string;
  received: ReceivedWebhook[];
  /** What to answer from now on: at first 200. */
  answerWith(statusFor: (body: string) => number): void;
  /** Waits until `count` webhooks of this type came that name `id`, and returns them. */
  until(type: string, count?: number, id?: string): Promise<ReceivedWebhook[]>;
  stop(): Promise<void>;
}

/** A webhook endpoint on 127.0.0.1 that remembers what it got. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  let statusFor = (_body: string) => 200;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('utf8');
    received.push({ body, signature: String(request.headers['stripe-signature']), event: JSON.parse(body) });
    response.writeHead(statusFor(body)).end();
  });
  const { endpoint, stop } = await serve(server);
  return {
    url: `${endpoint}/webhook`,
    received,
    answerWith: (next) => {
      statusFor = next;
    },
    until: (type, count = 1, id = '') =>
      eventually(`${count} of ${type} come`, 10, async () => {
        const matching = received.filter(({ event, body }) => event.type === type && body.includes(id));
        return matching.length >= count ? matching : undefined;
      }),
    stop,
  };
}
