import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedEvent {
  headers: Record<string, string>;
  body: string;
  /** The event that the message is about. */
  eventId: string;
  type: string;
}

export interface EventReceiver {
  url: string;
  received: ReceivedEvent[];
  /** How the next events are answered: with a status, or as the function does. */
  answer: number | ((event: ReceivedEvent, response: ServerResponse) => void | Promise<void>);
  stop(): Promise<void>;
}

/** A seller's own system on 127.0.0.1, which remembers what it was sent. */
export async function startEventReceiver(): Promise<EventReceiver> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const body = Buffer.concat(chunks).toString('utf8');
    const eventId = (headers['webhook-id'] ?? '').slice(0, 'evt_'.length + 26);
    const event = { headers, body, eventId, type: JSON.parse(body).type };
    receiver.received.push(event);
    if (typeof receiver.answer === 'number') response.writeHead(receiver.answer).end();
    else await receiver.answer(event, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: EventReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    received: [],
    answer: 200,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return receiver;
}
