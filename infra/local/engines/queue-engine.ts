import { buildApp } from 'fauxqs';
import { type Engine, freePort } from './engine.ts';

/** Starts the SQS engine in this process. Its queues live in memory: every job is also a record in the table. */
export async function startSqs(): Promise<Engine> {
  const port = await freePort();
  const app = buildApp({ logger: false });
  await app.listen({ host: '127.0.0.1', port });
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async stop() {
      app.server.closeAllConnections();
      await app.close();
    },
  };
}
