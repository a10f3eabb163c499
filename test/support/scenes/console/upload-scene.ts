import { createHash } from 'node:crypto';
import { ApiFailure } from '../../../../functions/console/browser/api/failure.ts';
import type { FileHashes } from '../../../../functions/console/browser/uploads/hash-file.ts';
import type { UploadTools } from '../../../../functions/console/browser/uploads/upload.ts';
import type { ListedFile, UploadApi } from '../../../../functions/console/browser/uploads/upload-api.ts';
import { type ChosenFile, partSizeBytes, partsOf } from '../../../../functions/console/browser/uploads/upload-plan.ts';

/** A file as a browser has it, once it was chosen. */
export const chosenFile = (bytes: Uint8Array, name = 'setup.zip', lastModified = 1): ChosenFile =>
  Object.assign(new Blob([new Uint8Array(bytes)], { type: 'application/zip' }), { name, lastModified });

/** As many bytes as so many parts have, the last of them short. */
export const bytesOfParts = (count: number) =>
  Buffer.concat(Array.from({ length: count }, (_, index) => Buffer.alloc(index + 1 < count ? partSizeBytes : 100, index + 1)));

/** Stands for a hash, since the real one of so many bytes takes long: of how the bytes begin, and how many they are. */
async function markOf(blob: Blob): Promise<string> {
  const head = new Uint8Array(await blob.slice(0, 16).arrayBuffer());
  return createHash('sha256').update(head).update(String(blob.size)).digest('hex');
}

async function hashesOf(file: Blob): Promise<FileHashes> {
  const parts = partsOf(file.size).map(({ start, sizeBytes }) => markOf(file.slice(start, start + sizeBytes)));
  return { whole: await markOf(file), parts: await Promise.all(parts) };
}

/** A failure as the API's client throws it. */
export class ApiFault extends ApiFailure {
  constructor(status: number, code: string, retryAfterSeconds = 0) {
    super({ code, status, requestId: 'req-1', retryAfterSeconds });
  }
}

export const offline = () => new ApiFault(0, 'offline');

interface HeldFile extends ListedFile {
  /** Hashes of the parts that are stored, by number. */
  parts: Map<number, string>;
  isOver: boolean;
}

export type Step = keyof UploadApi | 'put';

/**
 * The service and its store as uploads meet them, in memory: what each call does first, and what it answers instead, is
 * for the test to say. The clock moves only where an upload waits.
 */
export function createUploadScene() {
  const files: HeldFile[] = [];
  const calls: string[] = [];
  const sent: number[] = [];
  const faults = new Map<Step, (() => unknown)[]>();
  const held = new Map<string, Promise<void>>();
  let clock = 0;
  let signedIn: () => void = () => {};

  /** Takes the next of what was planned for this step. */
  async function meet(step: Step): Promise<void> {
    calls.push(step);
    await new Promise((resolve) => setImmediate(resolve));
    await faults.get(step)?.shift()?.();
  }
  const get = (id: string): HeldFile => {
    const file = files.find((one) => one.id === id);
    if (!file) throw new ApiFault(404, 'file_not_found');
    return file;
  };
  type Declared = Omit<HeldFile, 'id' | 'status' | 'hash_status' | 'parts' | 'isOver'>;
  /** A record of which nothing was stored; its id. */
  function add(declared: Declared, change: Partial<HeldFile> = {}): string {
    const id = `fil_${files.length + 1}`;
    files.push({ id, ...declared, status: 'upload_pending', hash_status: 'unverified', parts: new Map(), isOver: false, ...change });
    return id;
  }
  const requireOpen = (file: HeldFile) => {
    if (file.status !== 'upload_pending' || file.isOver) throw new ApiFault(409, 'file_state_conflict');
  };

  const api: UploadApi = {
    async list() {
      await meet('list');
      return { items: files.toReversed() };
    },
    async declare({ filename, ...declared }) {
      await meet('declare');
      const id = add({ ...declared, file_name: filename });
      await faults.get('declare')?.shift()?.();
      return { product_file_id: id, parts: {} };
    },
    async stored(id) {
      await meet('stored');
      const file = get(id);
      requireOpen(file);
      const sizes = new Map(partsOf(file.size_bytes).map(({ partNumber, sizeBytes }) => [partNumber, sizeBytes]));
      return {
        items: [...file.parts].map(([part_number, sha256_hex]) => ({ part_number, size_bytes: sizes.get(part_number) ?? 0, sha256_hex })),
      };
    },
    async sign(id, parts) {
      await meet('sign');
      requireOpen(get(id));
      return {
        items: parts.map(({ part_number, sha256_hex }) => ({
          part_number,
          upload_url: `${id}/${part_number}/${sha256_hex}/${clock}`,
          required_headers: {},
        })),
      };
    },
    async finalize(id, { sha256_hex }) {
      await meet('finalize');
      const file = get(id);
      if (file.status === 'pending_review') return {};
      if (file.status !== 'upload_pending') throw new ApiFault(409, 'file_state_conflict');
      if (file.isOver || file.parts.size < partsOf(file.size_bytes).length) throw new ApiFault(409, 'upload_not_found');
      if (sha256_hex !== file.sha256_hex) throw new ApiFault(409, 'file_mismatch');
      file.status = 'pending_review';
      await faults.get('finalize')?.shift()?.();
      return {};
    },
    async withdraw(id) {
      await meet('withdraw');
      get(id).status = 'disabled';
    },
  };

  /** Waits until the lock is free, in the order of asking; one scene is one browser, with as many tabs as want it. */
  const lock: UploadTools['lock'] = async (name, signal, { onWait, run }) => {
    while (held.has(name)) {
      onWait();
      await held.get(name);
      signal.throwIfAborted();
    }
    const running = run();
    held.set(
      name,
      running
        .catch(() => undefined)
        .then(() => {
          held.delete(name);
        }),
    );
    await running;
  };

  const tools: UploadTools = {
    api,
    hash: (file, onBytes) => ({
      done: hashesOf(file).then((hashes) => {
        onBytes(file.size);
        return hashes;
      }),
      pause: () => calls.push('hash paused'),
      resume: () => {},
      stop: () => calls.push('hash stopped'),
    }),
    async put({ url, body }, { signal, onBytes }) {
      const [id = '', number = '', hash = '', at = ''] = url.split('/');
      onBytes(Math.floor(body.size / 2));
      await meet('put');
      signal.throwIfAborted();
      if (clock - Number(at) >= 15 * 60_000) return { status: 403, code: 'AccessDenied' };
      if ((await markOf(body)) !== hash) return { status: 400, code: 'BadDigest' };
      const file = get(id);
      if (file.status !== 'upload_pending' || file.isOver) return { status: 404, code: 'NoSuchUpload' };
      file.parts.set(Number(number), hash);
      sent.push(Number(number));
      onBytes(body.size);
      await faults.get('put')?.shift()?.();
      return { status: 200, code: '' };
    },
    lock,
    async wait(seconds, signal) {
      calls.push(`wait ${seconds}`);
      clock += seconds * 1000;
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
    },
    untilSignedIn: (signal) =>
      new Promise((resolve, reject) => {
        signedIn = resolve;
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
    now: () => clock,
  };

  return {
    tools,
    files,
    calls,
    /** The numbers of the parts that were stored, in order, again where one was sent again. */
    sent,
    signIn: () => signedIn(),
    pass(seconds: number) {
      clock += seconds * 1000;
    },
    /** What the next calls of a step meet: `declare`, `finalize` and `put` first before, then after what they do. */
    plan(step: Step, ...what: (() => unknown)[]) {
      faults.set(step, what);
    },
    /** A file that was declared before, with these parts stored. */
    async hold(bytes: Uint8Array, parts: number[] = [], change: Partial<HeldFile> = {}): Promise<void> {
      const hashes = await hashesOf(new Blob([new Uint8Array(bytes)]));
      const declared = { file_name: 'setup.zip', content_type: 'application/zip', size_bytes: bytes.length, purpose: 'download' } as const;
      const stored = new Map(parts.map((number) => [number, hashes.parts[number - 1] ?? '']));
      add({ ...declared, sha256_hex: hashes.whole }, { parts: stored, ...change });
    },
  };
}

export const refuse = (error: Error) => () => {
  throw error;
};
export const pass = () => undefined;
