import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { Checksum, SourceData } from '@smithy/types';

/**
 * SHA-256, or the HMAC with it where there is a secret, in the form that the signer takes.
 *
 * The key object is created once; creating it each time would take several times as long as signing.
 */
export class Sha256 implements Checksum {
  private readonly secret: string | KeyObject | undefined;
  private hash: ReturnType<typeof createHash> | ReturnType<typeof createHmac>;

  constructor(secret?: SourceData) {
    this.secret = secret === undefined || typeof secret === 'string' ? secret : keyOf(secret);
    this.hash = this.begin();
  }

  update(data: Uint8Array): void {
    this.hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.hash.digest();
  }

  reset(): void {
    this.hash = this.begin();
  }

  private begin() {
    return this.secret === undefined ? createHash('sha256') : createHmac('sha256', this.secret);
  }
}

const keys = new WeakMap<object, KeyObject>();

function keyOf(secret: Exclude<SourceData, string>): KeyObject {
  const known = keys.get(secret);
  if (known) return known;
  const bytes = ArrayBuffer.isView(secret) ? new Uint8Array(secret.buffer, secret.byteOffset, secret.byteLength) : new Uint8Array(secret);
  const key = createSecretKey(bytes);
  keys.set(secret, key);
  return key;
}
