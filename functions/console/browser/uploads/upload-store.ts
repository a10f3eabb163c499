import { ApiFailure } from '../api/failure.ts';
import { createRateMeter } from './rate.ts';
import { createUpload, type UploadProgress, type UploadRun, type UploadTools } from './upload.ts';
import { failureOf } from './upload-failure.ts';
import { type ChosenFile, contentTypeOf, faultOf, type UploadPurpose } from './upload-plan.ts';

/** An upload as screens show it. */
export interface Upload extends UploadProgress {
  key: string;
  productId: string;
  purpose: UploadPurpose;
  fileName: string;
  sizeBytes: number;
  bytesPerSecond?: number | undefined;
  secondsLeft?: number | undefined;
}

export interface UploadRequest {
  productId: string;
  purpose: UploadPurpose;
  file: ChosenFile;
  /** By default what the browser says of the file. */
  contentType?: string;
  /** The largest file that the service takes. */
  maxBytes?: number;
  /** Whether the same file, there already, is as good; by default but for releases. */
  reuse?: boolean;
}

/** Where it is kept what screens show. */
interface Kept<T> {
  get(): T;
  set(value: T): void;
}

/** What only shows how far it is need not be drawn more often. */
const drawMs = 200;

const isOver = ({ state }: Pick<Upload, 'state'>) => state === 'done' || state === 'failed';
/** What a tab that closes would interrupt. */
export const isRunning = ({ state, failure }: Pick<Upload, 'state' | 'failure'>): boolean =>
  state === 'hashing' || state === 'sending' || state === 'finishing' || (state === 'waiting' && failure?.status !== 401);

/**
 * All uploads of this tab; they go on whatever the screen shows. `ends` counts files that came or were taken back, so
 * that lists of files know when to read again.
 */
export function createUploads(options: {
  uploads: Kept<readonly Upload[]>;
  ends: Kept<number>;
  toolsFor: (productId: string) => UploadTools;
}) {
  const { uploads, ends, toolsFor } = options;
  const runs = new Map<string, UploadRun>();
  /** When the file of each upload was last changed, as it was chosen. */
  const chosen = new Map<string, number>();
  let made = 0;

  const find = (key: string) => uploads.get().find((upload) => upload.key === key);
  const remove = (key: string) => uploads.set(uploads.get().filter((upload) => upload.key !== key));

  function change(key: string, changes: Partial<Upload>): void {
    uploads.set(uploads.get().map((upload) => (upload.key === key ? { ...upload, ...changes } : upload)));
  }

  function showIn(key: string, sizeBytes: number, now: () => number) {
    const meter = createRateMeter(sizeBytes);
    let held: Partial<UploadProgress> = {};
    let drawnAt = Number.NEGATIVE_INFINITY;
    return (progress: Partial<UploadProgress>) => {
      held = { ...held, ...progress };
      const before = find(key);
      if (!before) return;
      const at = now();
      const state = held.state ?? before.state;
      if (state === before.state && !('failure' in progress) && at - drawnAt < drawMs) return;
      if (state !== 'sending') meter.reset();
      const rate = state === 'sending' ? meter.measure(held.sentBytes ?? before.sentBytes, at) : {};
      drawnAt = at;
      change(key, { ...held, bytesPerSecond: undefined, secondsLeft: undefined, ...rate });
      held = {};
      if (state === 'done' && before.state !== 'done') ends.set(ends.get() + 1);
    };
  }

  return {
    /** Begins, and returns the key of the upload; of a file that is on its way already, the key of that. */
    start({ productId, purpose, file, contentType = contentTypeOf(file), maxBytes, reuse = purpose !== 'release' }: UploadRequest): string {
      const isSame = ({ productId: of, purpose: as, fileName, sizeBytes }: Upload) =>
        of === productId && as === purpose && fileName === file.name && sizeBytes === file.size;
      const known = uploads.get().find((upload) => isSame(upload) && chosen.get(upload.key) === file.lastModified);
      if (known && !isOver(known)) {
        if (known.state === 'paused') runs.get(known.key)?.resume();
        return known.key;
      }
      if (known) drop(known.key);
      made += 1;
      const key = `upload-${made}`;
      chosen.set(key, file.lastModified);
      const fault = faultOf(file, { purpose, contentType, maxBytes });
      const upload: Upload = {
        key,
        productId,
        purpose,
        fileName: file.name,
        sizeBytes: file.size,
        state: fault === undefined ? 'hashing' : 'failed',
        hashedBytes: 0,
        sentBytes: 0,
        ...(fault !== undefined && { failure: new ApiFailure({ code: fault }) }),
      };
      uploads.set([...uploads.get(), upload]);
      if (fault !== undefined) return key;
      const tools = toolsFor(productId);
      runs.set(key, createUpload({ productId, purpose, file, contentType, reuse }, tools, showIn(key, file.size, tools.now)));
      return key;
    },

    pause(key: string): void {
      const state = find(key)?.state;
      if (state === 'hashing' || state === 'sending' || state === 'waiting' || state === 'elsewhere') runs.get(key)?.pause();
    },

    /** What is paused goes on; what failed is tried again. */
    resume(key: string): void {
      const state = find(key)?.state;
      if (state === 'paused' || state === 'failed') runs.get(key)?.resume();
    },

    /** Takes the file back. It is shown again if that did not work. */
    async cancel(key: string): Promise<void> {
      const upload = find(key);
      if (!upload || upload.state === 'done') return;
      remove(key);
      try {
        await runs.get(key)?.cancel();
        drop(key);
        ends.set(ends.get() + 1);
      } catch (error) {
        const { bytesPerSecond: _, secondsLeft: __, ...rest } = upload;
        uploads.set([...uploads.get(), { ...rest, state: 'failed', failure: failureOf(error) }]);
      }
    },

    /** Shows an upload that is over no more. */
    dismiss(key: string): void {
      const upload = find(key);
      if (upload && isOver(upload)) drop(key);
    },
  };

  function drop(key: string): void {
    runs.delete(key);
    chosen.delete(key);
    remove(key);
  }
}
