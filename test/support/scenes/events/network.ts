import type { SendRequest } from '../../../../shared/webhook-endpoints/requests/send-request.ts';

interface ReceivedEvent {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** The event that the message is about. */
  eventId: string;
  type: string;
}

type Answer = Awaited<ReturnType<SendRequest>>;

interface Network {
  sent: ReceivedEvent[];
  /** Once it was sent, and before it is answered. */
  before(): Promise<void>;
  answer: (event: ReceivedEvent) => Answer | Promise<Answer>;
  send: SendRequest;
}

/** What stands for the network: receivers in memory, which remember what they were sent. */
export function createNetwork(): Network {
  const network: Network = {
    sent: [],
    before: async () => undefined,
    answer: () => ({ statusCode: 200 }),
    async send(url, { headers, body }) {
      const eventId = (headers['webhook-id'] ?? '').slice(0, 'evt_'.length + 26);
      const event = { url: String(url), headers: { ...headers }, body, eventId, type: JSON.parse(body).type };
      network.sent.push(event);
      await network.before();
      return network.answer(event);
    },
  };
  return network;
}
