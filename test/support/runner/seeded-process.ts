import crypto, { type Cipheriv, createCipheriv, createHash, webcrypto } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import fc from 'fast-check';

const streamOf = (key: Buffer): Cipheriv => createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
/** What all chance of the process is drawn from. */
let stream = streamOf(Buffer.alloc(32));

const draw = (size: number): Buffer => stream.update(Buffer.alloc(size));
const drawBelow = (count: number): number => draw(6).readUIntBE(0, 6) % count;

function fill<View extends NodeJS.ArrayBufferView>(view: View, offset = 0, size = view.byteLength - offset): View {
  new Uint8Array(view.buffer, view.byteOffset, view.byteLength).set(draw(size), offset);
  return view;
}

function uuid(): ReturnType<typeof crypto.randomUUID> {
  const bytes = draw(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Node's own names, for whatever draws in this process; keys and signatures are made outside of them. */
export function replaceChance(): void {
  Object.assign(crypto, {
    randomBytes(size: number, done?: (error: null, bytes: Buffer) => void) {
      const bytes = draw(size);
      return done ? void queueMicrotask(() => done(null, bytes)) : bytes;
    },
    randomFillSync: fill,
    randomInt(from: number, below?: number) {
      return below === undefined ? drawBelow(from) : from + drawBelow(below - from);
    },
    randomUUID: uuid,
  });
  Object.assign(webcrypto, { getRandomValues: fill, randomUUID: uuid });
  Math.random = () => draw(6).readUIntBE(0, 6) / 2 ** 48;
  syncBuiltinESMExports();
}

/** From here on the draws are those of this file in a run of this seed: the same again in the next. */
export function seedProcess(seed: number, path: string): void {
  const key = createHash('sha256').update(`${seed} ${path}`).digest();
  stream = streamOf(key);
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: key.readInt32BE() });
}
