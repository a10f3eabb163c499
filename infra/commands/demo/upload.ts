import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const block = randomBytes(1024 * 1024);

/** A file made up for the demo: random bytes that no memory has to hold. */
export interface DemoFile {
  sizeBytes: number;
  read(): AsyncIterable<Buffer>;
}

export function demoFile(megabytes: number): DemoFile {
  return {
    sizeBytes: megabytes * block.length,
    async *read() {
      for (let sent = 0; sent < megabytes; sent += 1) yield block;
    },
  };
}

/** The file's SHA-256 in hex, with a progress bar. */
export async function hashFile(file: DemoFile): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of withProgress('hashing', file)) hash.update(chunk);
  return hash.digest('hex');
}

/** PUTs the file under its signed URL, with a progress bar; returns the status. */
export function uploadFile(url: string, headers: Record<string, string>, file: DemoFile): Promise<number> {
  return new Promise((resolve, reject) => {
    const upload = request(url, { method: 'PUT', headers }, (reply) => {
      reply.resume();
      resolve(reply.statusCode ?? 0);
    });
    upload.on('error', reject);
    pipeline(Readable.from(withProgress('uploading', file)), upload).catch(reject);
  });
}

async function* withProgress(what: string, file: DemoFile): AsyncGenerator<Buffer> {
  let done = 0;
  for await (const chunk of file.read()) {
    yield chunk;
    done += chunk.length;
    if (process.stdout.isTTY || done === file.sizeBytes) show(what, done, file.sizeBytes);
  }
}

function show(what: string, done: number, total: number): void {
  const width = 30;
  const filled = Math.round((done / total) * width);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(width - filled)}`;
  const start = process.stdout.isTTY ? '\r' : '';
  process.stdout.write(`${start}  ${what.padEnd(9)} ${bar} ${Math.round(done / 1024 ** 2)} MiB${done === total ? '\n' : ''}`);
}
