import { once } from 'node:events';
import { connect, type NetConnectOpts, type Socket } from 'node:net';
import { AppError } from '../../shared/errors.ts';
import type { Engine, EngineReport } from './engine.ts';

/** clamd takes no larger file, whatever its settings. */
const maxBytes = 2 * 1024 ** 3 - 1;
/** How often clamd may cut off the stream of a file before the file counts as refused. */
const maxCutStreams = 3;

export interface ClamdTimeouts {
  connectMs: number;
  /** No progress while it takes the bytes. */
  idleMs: number;
  /** For its verdict once it has the bytes. */
  verdictMs: number;
}

const defaultTimeouts: ClamdTimeouts = { connectMs: 5000, idleMs: 60_000, verdictMs: 300_000 };

/** clamd closed the connection without a reply while the file was still being sent. */
class CutStreamError extends Error {}

const unavailable = (reason: string, cause?: unknown) =>
  new AppError('dependency_unavailable', undefined, { retryAfterSeconds: 5, cause: cause ?? new Error(`clamd: ${reason}`) });

/**
 * ClamAV's daemon at `tcp://host:port` or `unix:/path`, by its INSTREAM command.
 *
 * A file larger than clamd takes is reported as an error and never as clean, provided that
 * clamd is configured for it. See "clamd" in README.md.
 */
export function createClamdEngine({ url, timeouts = defaultTimeouts }: { url: string; timeouts?: ClamdTimeouts }): Engine {
  const address = addressOf(url);

  /** One command, perhaps with a stream of bytes; its reply. */
  async function ask(command: string, bytes?: AsyncIterable<Uint8Array>): Promise<string> {
    const socket = connect(address);
    socket.setTimeout(timeouts.connectMs, () => socket.destroy(new Error('timed out')));
    socket.once('connect', () => socket.setTimeout(timeouts.idleMs));
    const sending = { done: false };
    const reply = readReply(socket, sending);
    // It is awaited below; until then a failure is not unhandled.
    reply.catch(() => undefined);
    try {
      socket.write(`z${command}\0`);
      if (bytes) await sendStream(socket, bytes);
      sending.done = !socket.destroyed;
      socket.setTimeout(timeouts.verdictMs);
      return await reply;
    } finally {
      socket.destroy();
    }
  }

  async function scanStream(open: () => Promise<AsyncIterable<Uint8Array>>): Promise<string> {
    for (let cut = 1; ; cut += 1) {
      try {
        return await ask('INSTREAM', await open());
      } catch (error) {
        if (!(error instanceof CutStreamError)) throw error;
        // Usually the file is over the limit and the reply was lost with the connection; then the next try is cut too.
        if (cut === maxCutStreams) return cutStream;
      }
    }
  }

  return {
    name: 'clamav',
    async scan(sizeBytes, open) {
      if (sizeBytes > maxBytes) return { verdict: 'error', error: 'too_large' };
      const signatureVersion = await ask('VERSION');
      return { ...reportOf(await scanStream(open)), signatureVersion };
    },
  };
}

const cutStream = 'stream cut';

function reportOf(reply: string): EngineReport {
  if (reply === cutStream) return { verdict: 'error', error: 'stream_refused' };
  if (/size limit exceeded/i.test(reply)) return { verdict: 'error', error: 'too_large' };
  const [, found] = /^stream: (.+) FOUND$/.exec(reply) ?? [];
  if (found !== undefined) return { ...verdictOn(found), summary: found };
  if (reply === 'stream: OK') return { verdict: 'clean', summary: 'OK' };
  throw unavailable(reply);
}

/** What clamd finds by these names is no malware: it could not look inside, or found what somebody may not want. */
const noInfections = [
  ['Heuristics.Limits.Exceeded', 'limits_exceeded'],
  ['Heuristics.Encrypted.', 'encrypted'],
  ['Heuristics.Broken.', 'broken'],
  ['PUA.', 'potentially_unwanted'],
] as const;

function verdictOn(found: string): { verdict: 'infected' } | { verdict: 'error'; error: string } {
  const [, error] = noInfections.find(([prefix]) => found.startsWith(prefix)) ?? [];
  return error === undefined ? { verdict: 'infected' } : { verdict: 'error', error };
}

function addressOf(url: string): NetConnectOpts {
  if (url.startsWith('unix:')) return { path: url.slice('unix:'.length) };
  const { hostname, port } = new URL(url);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) };
}

/** Each piece goes with its length before it; a length of zero ends the stream. Stops when the daemon hangs up. */
async function sendStream(socket: Socket, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const closed = once(socket, 'close').catch(() => undefined);
  for await (const piece of bytes) {
    if (socket.destroyed) return;
    // An empty piece would end the stream.
    if (piece.length === 0) continue;
    socket.write(lengthOf(piece));
    if (!socket.write(piece)) await Promise.race([once(socket, 'drain').catch(() => undefined), closed]);
  }
  if (!socket.destroyed) socket.write(lengthOf(new Uint8Array()));
}

function lengthOf(piece: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(piece.length);
  return length;
}

function readReply(socket: Socket, sending: { done: boolean }): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    let connected = false;
    let failure: Error | undefined;
    socket.once('connect', () => {
      connected = true;
    });
    socket.on('error', (error) => {
      failure = error;
    });
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8');
      if (text.includes('\0')) resolve(text.slice(0, text.indexOf('\0')).trim());
    });
    socket.on('close', () => {
      const cut = connected && !sending.done && !/timed out/.test(failure?.message ?? '');
      reject(cut ? new CutStreamError() : unavailable('hung up without a reply', failure));
    });
  });
}
