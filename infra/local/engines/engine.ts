import { randomInt } from 'node:crypto';
import type { Server as HttpServer } from 'node:http';
import { createServer, type ListenOptions, type Server } from 'node:net';

/** A dependency of the service, running on this machine. */
export interface Engine {
  endpoint: string;
  stop(): Promise<void>;
}

/** A mistake of whoever started the stack, reported in one line. */
export class StartError extends Error {}

/** A port of 127.0.0.1 that nothing listens on: below those that the system gives to connections, which could take it until it is used. */
export async function freePort(): Promise<number> {
  const port = randomInt(15_000, 32_768);
  return (await isFree(port)) ? port : freePort();
}

export async function isFree(port: number): Promise<boolean> {
  const hold = await tryToListen({ port, host: '127.0.0.1' });
  await hold?.stop();
  return hold !== undefined;
}

/** Listens, to hold the place against others; undefined where somebody else does. */
export async function tryToListen(place: ListenOptions): Promise<{ stop(): Promise<void> } | undefined> {
  const server = createServer();
  const listening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(place, () => resolve(true));
  });
  return listening ? { stop: () => new Promise((resolve) => server.close(() => resolve())) } : undefined;
}

/**
 * Listens on `port` of 127.0.0.1; where none is given on that of last time, or when that is taken, on any.
 * Links with the port in them then outlive a restart.
 *
 * @throws Error when `port` is taken
 */
export async function listen(server: Server, port: number | undefined, lastPort = 0): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port ?? lastPort, '127.0.0.1', resolve);
    });
  } catch (error) {
    if (port !== undefined || lastPort === 0) throw error;
    return listen(server, 0);
  }
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

/** A server that listens as `listen` says, and hangs up on everybody when it stops. */
export async function serve(server: HttpServer, port?: number, lastPort?: number): Promise<Engine & { port: number }> {
  const taken = await listen(server, port, lastPort);
  return {
    endpoint: `http://127.0.0.1:${taken}`,
    port: taken,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** All of a body, or undefined when it is larger: the rest is read and dropped, so that who sends it gets to read the refusal. */
export async function readBody(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size > maxBytes ? undefined : Buffer.concat(chunks);
}

/**
 * Whether a request was meant for this machine, by its Host header. A page of another site can
 * have its own name resolve to 127.0.0.1 and then read what it is answered, but not change this header.
 */
export const isOwnHost = (host: string | undefined): boolean => /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i.test(host ?? '');
