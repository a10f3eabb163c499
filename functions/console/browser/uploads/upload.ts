import { ApiFailure } from '../api/failure.ts';
import { findUpload } from './find-upload.ts';
import type { FileHashes } from './hash-file.ts';
import { type PutPart, sendParts } from './send-parts.ts';
import type { Declaration, UploadApi } from './upload-api.ts';
import { failureOf } from './upload-failure.ts';
import { type ChosenFile, type Part, partSizeBytes, partsOf, type UploadPurpose } from './upload-plan.ts';
import { newUpload, nextUpload, type UploadEvent, type UploadProcess, type UploadState } from './upload-state.ts';

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

export interface UploadTarget {
  productId: string;
  purpose: UploadPurpose;
  file: ChosenFile;
  contentType: string;
  /** Whether the same file that is there already is as good; one of a release may belong to another release. */
  reuse: boolean;
}

export type UploadRun = ReturnType<typeof createUpload>;

/** An upload for those who do its work. */
interface Work {
  wanted: UploadTarget;
  tools: UploadTools;
  show: (change: Partial<UploadProgress>) => void;
  /** What is under way or known whoever pauses meanwhile. */
  kept: { hashJob?: HashJob | undefined; hashes?: FileHashes; declaring?: Promise<string> | undefined };
}

/**
 * One upload, from the hash to the file that waits for review. It goes on by itself after whatever may pass; `show` is
 * told of all that changes. What the store has is asked anew before anything is sent, so no finished part is sent twice.
 * What it does next `upload-state.ts` says.
 */
export function createUpload(wanted: UploadTarget, tools: UploadTools, show: Work['show']) {
  const work: Work = { wanted, tools, show, kept: {} };
  const { kept } = work;
  let upload = newUpload(wanted.reuse);
  let current = new AbortController();
  let running: Promise<void> = Promise.resolve();

  function tell(event: UploadEvent): void {
    const before = upload;
    upload = nextUpload(before, event);
    showChange(before, upload, work);
  }

  async function run(signal: AbortSignal): Promise<void> {
    const hear = (event: UploadEvent) => !signal.aborted && tell(event);
    try {
      signal.throwIfAborted();
      const hashes = await hash(work, signal);
      await tools.lock(`upload:${wanted.productId}:${hashes.whole}`, signal, {
        onWait: () => hear({ name: 'locked out' }),
        async run() {
          hear({ name: 'locked' });
          while (upload.task) {
            const event = await perform(work, upload, { hashes, signal, hear }).catch(failed);
            // Whoever went on meanwhile has a task of their own.
            signal.throwIfAborted();
            tell(event);
            if (event.name === 'declared') kept.declaring = undefined;
          }
        },
      });
    } catch (error) {
      hear(failed(error));
    }
  }

  function stop(): AbortSignal {
    current.abort();
    current = new AbortController();
    return current.signal;
  }

  /** Also after it failed. */
  function resume(): void {
    const signal = stop();
    tell({ name: 'resume', isHashed: kept.hashes !== undefined });
    running = running.then(() => run(signal));
  }

  resume();
  return {
    pause(): void {
      stop();
      kept.hashJob?.pause();
      tell({ name: 'pause' });
    },

    resume,

    /** Takes back what was uploaded, unless another tab uploads it. Rejects when the file is still there. */
    async cancel(): Promise<void> {
      const isOthers = upload.isElsewhere;
      stop();
      kept.hashJob?.stop();
      kept.hashJob = undefined;
      await running;
      const fileId = isOthers ? undefined : await withdraw(work, upload);
      if (fileId !== undefined) tell({ name: 'withdrawn', fileId });
    },

    /** Settles when whatever runs now has ended. */
    settled: () => running,
  };
}

const failed = (error: unknown): UploadEvent => ({ name: 'failed', failure: failureOf(error) });

function showChange(before: UploadProcess, { state, failure, fileId }: UploadProcess, { wanted, show }: Work): void {
  if (fileId !== undefined && fileId !== before.fileId) show({ fileId });
  if (state === before.state && failure === before.failure) return;
  show({ state, failure, ...(state === 'done' && { sentBytes: wanted.file.size }) });
}

async function hash({ wanted: { file }, tools, show, kept }: Work, signal: AbortSignal): Promise<FileHashes> {
  if (kept.hashes) return kept.hashes;
  kept.hashJob ??= tools.hash(file, (hashedBytes) => show({ hashedBytes }));
  kept.hashJob.resume();
  try {
    kept.hashes = await unlessAborted(kept.hashJob.done, signal);
  } catch (error) {
    if (!signal.aborted) kept.hashJob = undefined;
    throw error;
  }
  show({ hashedBytes: file.size });
  return kept.hashes;
}

interface Run {
  hashes: FileHashes;
  signal: AbortSignal;
  hear: (event: UploadEvent) => void;
}

/** Does what is to be done next; what comes of it. */
async function perform(work: Work, { task, target, ended, reuse }: UploadProcess, run: Run): Promise<UploadEvent> {
  const { wanted, tools, kept } = work;
  const { hashes, signal } = run;
  const declaration = declarationOf(wanted, hashes);
  if (task?.name === 'find') {
    // What is being declared need not be looked for.
    return {
      name: 'found',
      found: kept.declaring === undefined ? await findUpload(tools.api, declaration, { ended, reuse, signal }) : undefined,
    };
  }
  if (task?.name === 'look again')
    return { name: 'found', found: await findUpload(tools.api, declaration, { ended, reuse: true, signal }) };
  if (task?.name === 'declare') return { name: 'declared', fileId: await declare(work, declaration, signal) };
  if (task?.name === 'wait' || task?.name === 'sign in') {
    await (task.name === 'wait' ? tools.wait(task.seconds, signal) : tools.untilSignedIn(signal));
    return { name: 'waited' };
  }
  if (!target) throw new ApiFailure({ code: 'upload_failed' });
  if (task?.name === 'send') {
    await sendMissing(work, target.fileId, run);
    return { name: 'sent' };
  }
  await tools.api.finalize(target.fileId, { size_bytes: wanted.file.size, sha256_hex: hashes.whole }, signal);
  return { name: 'finalized' };
}

const declarationOf = ({ file, contentType, purpose }: UploadTarget, { whole }: FileHashes): Declaration => ({
  filename: file.name,
  content_type: contentType,
  size_bytes: file.size,
  sha256_hex: whole,
  purpose,
  part_size_bytes: partSizeBytes,
});

/** Asked once, whoever pauses meanwhile: the reply is the only way to know the file at once. */
async function declare({ tools: { api }, kept }: Work, declaration: Declaration, signal: AbortSignal): Promise<string> {
  kept.declaring ??= api.declare(declaration).then(async ({ product_file_id, parts: inParts }) => {
    if (inParts) return product_file_id;
    await api.withdraw(product_file_id).catch(() => undefined);
    throw new ApiFailure({ code: 'storage_not_configured', status: 409 });
  });
  try {
    return await kept.declaring;
  } catch (error) {
    if (!signal.aborted) kept.declaring = undefined;
    throw error;
  }
}

/** Sends the parts that the store has not. */
async function sendMissing({ wanted: { file }, tools, show }: Work, fileId: string, { hashes, signal, hear }: Run): Promise<void> {
  const { api, put, now } = tools;
  const hashOf = ({ partNumber }: Part) => hashes.parts[partNumber - 1] ?? '';
  const { items } = await api.stored(fileId, signal);
  const isStored = (part: Part) =>
    items.some((item) => item.part_number === part.partNumber && item.size_bytes === part.sizeBytes && item.sha256_hex === hashOf(part));
  const parts = partsOf(file.size);
  /** Bytes of each part: stored, or on their way. */
  const bytesOf = new Map(parts.filter(isStored).map((part) => [part.partNumber, part.sizeBytes]));
  function showBytes(): void {
    if (!signal.aborted) show({ sentBytes: [...bytesOf.values()].reduce((sum, bytes) => sum + bytes, 0) });
  }
  showBytes();
  await sendParts(
    parts.filter((part) => !isStored(part)),
    {
      file,
      put,
      now,
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
        bytesOf.set(part.partNumber, part.sizeBytes);
        hear({ name: 'part stored' });
        showBytes();
      },
    },
  );
}

/** Takes the file back whose upload was stopped, also one whose declaration arrived while its reply did not. The id of what is gone. */
async function withdraw(
  { wanted, tools: { api }, kept }: Work,
  { target, ended, mayBeDeclared }: UploadProcess,
): Promise<string | undefined> {
  if (!kept.hashes) return undefined;
  const declaration = declarationOf(wanted, kept.hashes);
  const declared = target?.fileId ?? (await kept.declaring?.catch(() => undefined));
  const fileId = declared ?? (mayBeDeclared ? (await findUpload(api, declaration, { ended, reuse: false }))?.fileId : undefined);
  if (fileId === undefined) return undefined;
  await api.withdraw(fileId).catch((error: unknown) => {
    if (failureOf(error).code !== 'file_state_conflict') throw error;
  });
  kept.declaring = undefined;
  return fileId;
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
