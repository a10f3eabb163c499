import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`,
    received,
    answerWith: (next) => {
      statusFor = next;
    },
    async until(type, count = 1, id = '') {
      for (let attempt = 0; attempt < 500; attempt += 1) {
        const matching = received.filter(({ event, body }) => event.type === type && body.includes(id));
        if (matching.length >= count) return matching;
        await sleep(20);
      }
      throw new Error(`Of ${type} there came fewer than ${count}; there came: ${received.map(({ event }) => event.type).join(', ')}`);
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
