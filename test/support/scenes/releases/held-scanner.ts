import { type AddressInfo, createServer, type Socket } from 'node:net';

/** What a file's bytes hold whose verdict waits. */
export const heldBytes = 'the verdict on this file is held';

/** A scanner that speaks as clamd does and finds every file clean, but those whose verdict it holds. */
export interface HeldScanner {
  /** For `CLAMD_URL`. */
  url: string;
  /** Finds the files infected that it held. */
  findInfected(): void;
  stop(): Promise<void>;
}

export async function startHeldScanner(): Promise<HeldScanner> {
  const sockets = new Set<Socket>();
  const held = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (received === 'zVERSION\0') socket.end('Held 1.0\0');
      // A piece without bytes ends a stream.
      else if (!received.endsWith('\0\0\0\0')) return;
      else if (received.includes(heldBytes)) held.add(socket);
      else socket.end('stream: OK\0');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    findInfected() {
      for (const socket of held) socket.end('stream: Held FOUND\0');
    },
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
