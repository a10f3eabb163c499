import { ApiFailure } from '../api/failure.ts';
import type { Store } from '../store/store.ts';
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
  /** Whether what failed was to take it back. */
  isNotCancelled?: boolean;
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
type Kept<T> = Pick<Store<T>, 'get' | 'set'>;

/** What only shows how far it is need not be drawn more often. */
const drawMs = 200;

const isOver = ({ state }: Pick<Upload, 'state'>) => state === 'done' || state === 'failed';
/** What a tab that closes would interrupt. */
export const isRunning = ({ state, failure }: Pick<Upload, 'state' | 'failure'>): boolean =>
  state === 'hashing' || state === 'sending' || state === 'finishing' || (state === 'waiting' && failure?.status !== 401);

/** All uploads of this tab, for those who change them. */
interface Tab {
  uploads: Kept<readonly Upload[]>;
  /** Counts files that came or were taken back, so that lists of files know when to read again. */
  ends: Kept<number>;
  toolsFor: (productId: string) => UploadTools;
  runs: Map<string, UploadRun>;
  /** When the file of each upload was last changed, as it was chosen. */
  chosen: Map<string, number>;
  made: number;
}

/** All uploads of this tab; they go on whatever the screen shows. `ends` counts files that came or were taken back. */
export function createUploads(options: Pick<Tab, 'uploads' | 'ends' | 'toolsFor'>) {
  const tab: Tab = { ...options, runs: new Map(), chosen: new Map(), made: 0 };
  return {
    /** Begins, and returns the key of the upload; of a file that is on its way already, the key of that. */
    start: (request: UploadRequest): string => start(tab, request),

    pause(key: string): void {
      const state = find(tab, key)?.state;
      if (state === 'hashing' || state === 'sending' || state === 'waiting' || state === 'elsewhere') tab.runs.get(key)?.pause();
    },

    /** What is paused goes on; what failed is tried again. */
    resume(key: string): void {
      const state = find(tab, key)?.state;
      if (state !== 'paused' && state !== 'failed') return;
      change(tab, key, { isNotCancelled: false });
      tab.runs.get(key)?.resume();
    },

    /** Takes the file back. It is shown again if that did not work. */
    cancel: (key: string): Promise<void> => cancel(tab, key),

    /** Shows an upload that is over no more. */
    dismiss(key: string): void {
      const upload = find(tab, key);
      if (upload && isOver(upload)) drop(tab, key);
    },
  };
}

const find = ({ uploads }: Tab, key: string) => uploads.get().find((upload) => upload.key === key);

function change({ uploads }: Tab, key: string, changes: Partial<Upload>): void {
  uploads.set(uploads.get().map((upload) => (upload.key === key ? { ...upload, ...changes } : upload)));
}

const remove = ({ uploads }: Tab, key: string) => uploads.set(uploads.get().filter((upload) => upload.key !== key));

function drop(tab: Tab, key: string): void {
  tab.runs.delete(key);
  tab.chosen.delete(key);
  remove(tab, key);
}

function start(tab: Tab, request: UploadRequest): string {
  const { productId, purpose, file, contentType = contentTypeOf(file), maxBytes, reuse = purpose !== 'release' } = request;
  const known = findSame(tab, request);
  if (known && !isOver(known)) {
    if (known.state === 'paused') tab.runs.get(known.key)?.resume();
    return known.key;
  }
  if (known) drop(tab, known.key);
  tab.made += 1;
  const key = `upload-${tab.made}`;
  tab.chosen.set(key, file.lastModified);
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
  tab.uploads.set([...tab.uploads.get(), upload]);
  if (fault !== undefined) return key;
  const tools = tab.toolsFor(productId);
  tab.runs.set(key, createUpload({ productId, purpose, file, contentType, reuse }, tools, showIn(tab, upload, tools.now)));
  return key;
}

/** The upload of the same file, unchanged since, for the same. */
function findSame({ uploads, chosen }: Tab, { productId, purpose, file }: UploadRequest): Upload | undefined {
  return uploads
    .get()
    .find(
      (upload) =>
        upload.productId === productId &&
        upload.purpose === purpose &&
        upload.fileName === file.name &&
        upload.sizeBytes === file.size &&
        chosen.get(upload.key) === file.lastModified,
    );
}

async function cancel(tab: Tab, key: string): Promise<void> {
  const upload = find(tab, key);
  if (!upload || upload.state === 'done') return;
  remove(tab, key);
  try {
    await tab.runs.get(key)?.cancel();
    drop(tab, key);
    tab.ends.set(tab.ends.get() + 1);
  } catch (error) {
    const { bytesPerSecond: _, secondsLeft: __, ...rest } = upload;
    tab.uploads.set([...tab.uploads.get(), { ...rest, state: 'failed', failure: failureOf(error), isNotCancelled: true }]);
  }
}

/** Shows what an upload tells, with its rate, no more often than it can be seen. */
function showIn(tab: Tab, { key, sizeBytes }: Upload, now: () => number) {
  const meter = createRateMeter(sizeBytes);
  let held: Partial<UploadProgress> = {};
  let drawnAt = Number.NEGATIVE_INFINITY;
  return (progress: Partial<UploadProgress>) => {
    held = { ...held, ...progress };
    const before = find(tab, key);
    if (!before) return;
    const at = now();
    const state = held.state ?? before.state;
    if (state === before.state && !('failure' in progress) && at - drawnAt < drawMs) return;
    if (state !== 'sending') meter.reset();
    const rate = state === 'sending' ? meter.measure(held.sentBytes ?? before.sentBytes, at) : {};
    drawnAt = at;
    change(tab, key, { ...held, bytesPerSecond: undefined, secondsLeft: undefined, ...rate });
    held = {};
    if (state === 'done' && before.state !== 'done') tab.ends.set(tab.ends.get() + 1);
  };
}
