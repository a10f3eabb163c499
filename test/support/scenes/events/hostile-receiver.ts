import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';

const certificates = join(import.meta.dirname, '../../../fixtures/tls');
/** What signed the certificate of receivers that speak TLS, for `hooks.example.com` alone. */
export const receiverAuthority = readFileSync(join(certificates, 'ca.pem'), 'utf8');

export interface RawReceiver {
  port: number;
  /** What each connection has sent so far. */
  received: string[];
  /** How many bytes of replies left this process. */
  sentBytes(): number;
  /** How many connections are open now. */
  open(): number;
  stop(): Promise<void>;
}

/** Listens on 127.0.0.1 and does with each connection, once a request's head came, what `answer` says. */
export async function startRawReceiver(
  answer: (socket: Socket, head: string) => void,
  { secure = false, atOnce = false } = {},
): Promise<RawReceiver> {
  const sockets = new Set<Socket>();
  const received: string[] = [];
  let closedBytes = 0;
  const take = (socket: Socket) => {
    const index = received.push('') - 1;
    let isAnswered = atOnce;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      sockets.delete(socket);
      closedBytes += socket.bytesWritten;
    });
    if (atOnce) answer(socket, '');
    socket.on('data', (chunk) => {
      received[index] += chunk.toString('utf8');
      if (isAnswered || !received[index]?.includes('\r\n\r\n')) return;
      isAnswered = true;
      answer(socket, received[index] ?? '');
    });
  };
  const identity = readFileSync(join(certificates, 'receiver.pem'));
  const server = secure ? createTlsServer({ key: identity, cert: identity }, take) : createServer(take);
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    received,
    sentBytes: () => closedBytes + [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
    open: () => sockets.size,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Writes `piece` after `start`, for as long as the other side takes it. */
export function flood(socket: Socket, piece: string | Buffer, start = ''): void {
  socket.write(start);
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', more);
  more();
}

/** Writes `piece` after `start`, every few milliseconds until the connection is closed. */
export function trickle(socket: Socket, piece: string, start = ''): void {
  socket.write(start);
  const timer = setInterval(() => socket.write(piece), 5);
  socket.once('close', () => clearInterval(timer));
}
