import { SQSClient } from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import { type Engine, freePort, isOwnHost } from './engine.ts';

/** Starts the SQS engine in this process. Its queues live in memory: every job is also a record in the table. */
export async function startSqs(): Promise<Engine> {
  const port = await freePort();
  const app = buildApp({ logger: false });
  app.addHook('onRequest', async (request, reply) => {
    if (!isOwnHost(request.headers.host)) await reply.code(403).send();
  });
  await app.listen({ host: '127.0.0.1', port });
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async stop() {
      app.server.closeAllConnections();
      await app.close();
    },
  };
}

/**
 * A client of the stack itself, that goes to the engine and not to where functions send. Any number of pollers can wait
 * with it: of the usual 50 connections they would leave none to others.
 */
export const createPollingClient = (endpoint: string) =>
  new SQSClient({
    endpoint,
    useQueueUrlAsEndpoint: false,
    requestHandler: { httpAgent: { maxSockets: Number.POSITIVE_INFINITY } },
  });
