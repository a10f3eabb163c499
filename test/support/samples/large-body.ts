import { createHash, randomBytes } from 'node:crypto';

const block = randomBytes(1024 * 1024);

/** `megabytes` of data that no memory has to hold, the same each time. */
export async function* largeBody(megabytes: number): AsyncGenerator<Buffer> {
  for (let sent = 0; sent < megabytes; sent += 1) yield block;
}

/** SHA-256 of `largeBody(megabytes)`. */
export function hashOfLargeBody(megabytes: number): Buffer {
  const hash = createHash('sha256');
  for (let sent = 0; sent < megabytes; sent += 1) hash.update(block);
  return hash.digest();
}
