import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

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
  const server = createServer();
  const listening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (listening) await new Promise((resolve) => server.close(resolve));
  return listening;
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
