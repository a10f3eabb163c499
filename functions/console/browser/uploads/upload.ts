import { ApiFailure } from '../api/failure.ts';
import { type FoundUpload, findUpload } from './find-upload.ts';
import type { FileHashes } from './hash-file.ts';
import { type PutPart, sendParts } from './send-parts.ts';
import type { Declaration, UploadApi } from './upload-api.ts';
import { failureOf, remedyOf } from './upload-failure.ts';
import { type ChosenFile, type Part, partSizeBytes, partsOf, type UploadPurpose } from './upload-plan.ts';

export type UploadState = 'hashing' | 'sending' | 'paused' | 'waiting' | 'finishing' | 'done' | 'failed' | 'elsewhere';

/** What there is to show of an upload. */
export interface UploadProgress {
  state: UploadState;
  hashedBytes: number;
  sentBytes: number;
  /** While it waits, and when it failed. */
  failure?: ApiFailure | undefined;
  fileId?: string;
}

/** A file that is being hashed. */
export interface HashJob {
  done: Promise<FileHashes>;
  pause(): void;
  resume(): void;
  stop(): void;
}

export interface UploadTools {
  api: UploadApi;
  hash(file: Blob, onBytes: (hashedBytes: number) => void): HashJob;
  put: PutPart;
  /** Runs while nobody else, in no other tab either, holds the lock of that name; tells once when it has to wait for it. */
  lock(name: string, signal: AbortSignal, options: { onWait: () => void; run: () => Promise<void> }): Promise<void>;
  /** Resolves after so long, sooner when the network is there again. */
  wait(seconds: number, signal: AbortSignal): Promise<void>;
  untilSignedIn(signal: AbortSignal): Promise<void>;
  now(): number;
}

export interface WantedUpload {
  productId: string;
  purpose: UploadPurpose;
  file: ChosenFile;
  contentType: string;
  /** Whether the same file that is there already is as good; one of a release may belong to another release. */
  reuse: boolean;
}

/** So often an upload that ended before it was finalized is begun anew. */
const mostRenewals = 2;

export type UploadRun = ReturnType<typeof createUpload>;

/**
 * One upload, from the hash to the file that waits for review. It goes on by itself after whatever may pass; `show` is
 * told of all that changes. What the store has is asked anew before anything is sent, so no finished part is sent twice.
 */
export function createUpload(wanted: WantedUpload, tools: UploadTools, show: (change: Partial<UploadProgress>) => void) {
  const { productId, purpose, file, contentType } = wanted;
  const { api } = tools;
  const parts = partsOf(file.size);
  /** Files that turned out to take no more parts. */
  const ended = new Set<string>();
  let current = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let hashJob: HashJob | undefined;
  let hashes: FileHashes | undefined;
  let declaring: Promise<string> | undefined;
  let mayBeDeclared = false;
  let target: { fileId: string; isOwn: boolean } | undefined;
  let reuse = wanted.reuse;
  let isElsewhere = false;
  /** Bytes of each part: stored, or on their way. */
  const bytesOf = new Map<number, number>();
  let storedCount = 0;
  let renewals = 0;

  const declarationOf = ({ whole }: FileHashes): Declaration => ({
    filename: file.name,
    content_type: contentType,
    size_bytes: file.size,
    sha256_hex: whole,
    purpose,
    part_size_bytes: partSizeBytes,
  });

  function begin(): void {
    const { signal } = current;
    const tell = (change: Partial<UploadProgress>) => {
      if (!signal.aborted) show(change);
    };
    tell({ state: hashes ? 'sending' : 'hashing', failure: undefined });
    running = running.then(() => run(signal, tell));
  }

  async function run(signal: AbortSignal, tell: typeof show): Promise<void> {
    try {
      signal.throwIfAborted();
      const found = await hash(signal);
      await tools.lock(`upload:${productId}:${found.whole}`, signal, {
        onWait() {
          isElsewhere = true;
          // Whatever comes of it there is what was wanted here.
          reuse = true;
          tell({ state: 'elsewhere' });
        },
        run: () => persevere(found, signal, tell),
      });
      tell({ state: 'done', sentBytes: file.size, failure: undefined });
    } catch (error) {
      tell({ state: 'failed', failure: failureOf(error) });
    }
  }

  async function hash(signal: AbortSignal): Promise<FileHashes> {
    if (hashes) return hashes;
    hashJob ??= tools.hash(file, (hashedBytes) => show({ hashedBytes }));
    hashJob.resume();
    try {
      hashes = await unlessAborted(hashJob.done, signal);
    } catch (error) {
      if (!signal.aborted) hashJob = undefined;
      throw error;
    }
    show({ hashedBytes: file.size });
    return hashes;
  }

  async function persevere(found: FileHashes, signal: AbortSignal, tell: typeof show): Promise<void> {
    isElsewhere = false;
    for (let failures = 0, stored = storedCount; ; ) {
      try {
        tell({ state: 'sending', failure: undefined });
        if (await send(found, signal, tell)) return;
      } catch (error) {
        signal.throwIfAborted();
        failures = storedCount > stored ? 1 : failures + 1;
        stored = storedCount;
        const failure = failureOf(error);
        const remedy = remedyOf(failure, failures);
        if (remedy.name === 'give-up') throw error;
        tell({ state: 'waiting', failure });
        await (remedy.name === 'sign-in' ? tools.untilSignedIn(signal) : tools.wait(remedy.seconds, signal));
      }
    }
  }

  /** Returns false when it has to begin again with what it found out. */
  async function send(found: FileHashes, signal: AbortSignal, tell: typeof show): Promise<boolean> {
    target ??= await findOrDeclare(found, signal, tell);
    if (!target) return true;
    const { fileId, isOwn } = target;
    tell({ fileId });
    try {
      await sendMissing(fileId, found, signal, tell);
      tell({ state: 'finishing' });
      await finalize(fileId, found, signal);
      return true;
    } catch (error) {
      signal.throwIfAborted();
      return recover(fileId, isOwn, { code: failureOf(error).code, error, found, signal });
    }
  }

  /** Undefined when the file is there already. */
  async function findOrDeclare(found: FileHashes, signal: AbortSignal, tell: typeof show): Promise<typeof target> {
    const declaration = declarationOf(found);
    if (!declaring) {
      const known = await findUpload(api, declaration, { ended, reuse, signal });
      if (known?.isDone) tell({ fileId: known.fileId });
      if (known) return known.isDone ? undefined : { fileId: known.fileId, isOwn: false };
    }
    return { fileId: await declare(declaration, signal), isOwn: true };
  }

  /** Asked once, whoever pauses meanwhile: the reply is the only way to know the file at once. */
  async function declare(declaration: Declaration, signal: AbortSignal): Promise<string> {
    mayBeDeclared = true;
    declaring ??= api.declare(declaration).then(async ({ product_file_id, parts: inParts }) => {
      if (inParts) return product_file_id;
      await api.withdraw(product_file_id).catch(() => undefined);
      throw new ApiFailure({ code: 'storage_not_configured', status: 409 });
    });
    try {
      const fileId = await declaring;
      // Kept for whoever goes on.
      signal.throwIfAborted();
      declaring = undefined;
      return fileId;
    } catch (error) {
      if (!signal.aborted) declaring = undefined;
      throw error;
    }
  }

  async function sendMissing(fileId: string, found: FileHashes, signal: AbortSignal, tell: typeof show): Promise<void> {
    const hashOf = ({ partNumber }: Part) => found.parts[partNumber - 1] ?? '';
    const { items } = await api.stored(fileId, signal);
    const isStored = (part: Part) =>
      items.some((item) => item.part_number === part.partNumber && item.size_bytes === part.sizeBytes && item.sha256_hex === hashOf(part));
    const showBytes = () => tell({ sentBytes: [...bytesOf.values()].reduce((sum, bytes) => sum + bytes, 0) });
    bytesOf.clear();
    for (const part of parts.filter(isStored)) bytesOf.set(part.partNumber, part.sizeBytes);
    showBytes();
    await sendParts(
      parts.filter((part) => !isStored(part)),
      {
        file,
        put: tools.put,
        now: tools.now,
        signal,
        sign: async (wantedParts) => {
          const named = wantedParts.map((part) => ({ part_number: part.partNumber, sha256_hex: hashOf(part) }));
          return (await api.sign(fileId, named, signal)).items;
        },
        onBytes(part, sentBytes) {
          bytesOf.set(part.partNumber, Math.min(sentBytes, part.sizeBytes));
          showBytes();
        },
        onStored(part) {
          storedCount += 1;
          bytesOf.set(part.partNumber, part.sizeBytes);
          // Something went well, so what was waited for is over.
          tell({ state: 'sending', failure: undefined });
          showBytes();
        },
      },
    );
  }

  const finalize = (fileId: string, { whole }: FileHashes, signal: AbortSignal) =>
    api.finalize(fileId, { size_bytes: file.size, sha256_hex: whole }, signal);

  /** What to do about a file that takes no parts: it was put together, or its day is over, or someone withdrew it. */
  async function recover(
    fileId: string,
    isOwn: boolean,
    { code, error, found, signal }: { code: string; error: unknown; found: FileHashes; signal: AbortSignal },
  ): Promise<boolean> {
    if (code === 'upload_not_found') return beginAnew(fileId, error);
    // Someone else declared it in parts of another size.
    if (!isOwn && ['other_parts', 'invalid_request', 'file_mismatch'].includes(code)) return forget(fileId);
    if (code !== 'file_state_conflict') throw error;
    try {
      await finalize(fileId, found, signal);
      return true;
    } catch (reason) {
      signal.throwIfAborted();
      const { code: why } = failureOf(reason);
      if (why === 'upload_not_found') return beginAnew(fileId, reason);
      if (why !== 'file_state_conflict') throw reason;
      const known = await findUpload(api, declarationOf(found), { ended, reuse: true, signal });
      if (known?.isDone && known.fileId === fileId) return true;
      forget(fileId);
      if (isOwn) throw reason;
      return false;
    }
  }

  /** A second time in vain would be a fault that no new file mends. */
  function beginAnew(fileId: string, error: unknown): false {
    if (target?.isOwn) renewals += 1;
    if (renewals > mostRenewals) throw error;
    return forget(fileId);
  }

  function forget(fileId: string): false {
    ended.add(fileId);
    target = undefined;
    return false;
  }

  function stop(): void {
    current.abort();
    current = new AbortController();
  }

  begin();
  return {
    pause(): void {
      stop();
      hashJob?.pause();
      show({ state: 'paused', failure: undefined });
    },

    /** Also after it failed. */
    resume(): void {
      stop();
      begin();
    },

    /** Takes back what was uploaded, unless another tab uploads it. Rejects when the file is still there. */
    async cancel(): Promise<void> {
      const isOthers = isElsewhere;
      stop();
      hashJob?.stop();
      hashJob = undefined;
      await running;
      if (isOthers || !hashes) return;
      const fileId = target?.fileId ?? (await declaring?.catch(() => undefined)) ?? (await findDeclared(hashes));
      if (fileId === undefined) return;
      await api.withdraw(fileId).catch((error: unknown) => {
        if (failureOf(error).code !== 'file_state_conflict') throw error;
      });
      forget(fileId);
      declaring = undefined;
    },

    /** Settles when whatever runs now has ended. */
    settled: () => running,
  };

  /** One whose declaration arrived while its reply did not. */
  async function findDeclared(found: FileHashes): Promise<string | undefined> {
    if (!mayBeDeclared) return undefined;
    const known: FoundUpload | undefined = await findUpload(api, declarationOf(found), { ended, reuse: false });
    return known?.fileId;
  }
}

/** Rejects at once when it is aborted; the work goes on for whoever waits for it next. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
