import { workerUrl } from 'console:assets';
import { call } from '../api/call.ts';
import { session } from '../session/session.ts';
import { createStore, type Store } from '../store/store.ts';
import { browserTools } from './browser-tools.ts';
import type { UploadTools } from './upload.ts';
import type { UploadApi } from './upload-api.ts';
import { createUploads, isRunning, type Upload, type UploadRequest } from './upload-store.ts';

/** Every upload of this tab, whatever product it is for, in the order in which they were begun. */
export const uploads: Store<readonly Upload[]> = createStore<readonly Upload[]>([]);

/** How many files came or were taken back: when it moves, lists of files are no longer true. */
export const uploadEnds: Store<number> = createStore(0);

const running = createUploads({ uploads, ends: uploadEnds, toolsFor });
let isGuarded = false;

/** Begins an upload, which goes on whatever the screen shows; returns its key. */
export function startUpload(request: UploadRequest): string {
  if (!isGuarded) uploads.subscribe(guard);
  isGuarded = true;
  return running.start(request);
}

export const { pause, resume, cancel, dismiss } = running;

const askFirst = (event: BeforeUnloadEvent) => event.preventDefault();

/** Only while something runs, since a page that listens always is not kept for going back. */
function guard(): void {
  if (uploads.get().some(isRunning)) window.addEventListener('beforeunload', askFirst);
  else window.removeEventListener('beforeunload', askFirst);
}

function toolsFor(productId: string): UploadTools {
  return { ...browserTools(workerUrl), api: apiOf(productId), untilSignedIn };
}

function apiOf(product_id: string): UploadApi {
  const pathTo = (file_id: string) => ({ path: { product_id, file_id } });
  return {
    list: (cursor, signal) =>
      call(
        'listProductFiles',
        { path: { product_id }, query: { limit: 100, ...(cursor !== undefined && { cursor }) } },
        signal && { signal },
      ),
    declare: (body) => call('createProductFileUploadIntent', { path: { product_id }, body }),
    stored: (fileId, signal) => call('listProductFileParts', pathTo(fileId), { signal }),
    sign: (fileId, parts, signal) => call('signProductFileParts', { ...pathTo(fileId), body: { parts } }, { signal }),
    finalize: (fileId, body, signal) => call('finalizeProductFile', { ...pathTo(fileId), body }, { signal }),
    withdraw: (fileId) => call('withdrawProductFile', pathTo(fileId)),
  };
}

/** A second at least, so that a session that seems to be there is not asked without end. */
function untilSignedIn(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearInterval(timer);
      unsubscribe();
      signal.removeEventListener('abort', end);
      if (signal.aborted) reject(signal.reason);
      else resolve();
    };
    const isBack = () => session.get().name === 'signed-in';
    let isDue = false;
    const check = () => {
      if (isDue && isBack()) end();
    };
    const timer = setInterval(() => {
      isDue = true;
      check();
    }, 1000);
    const unsubscribe = session.subscribe(check);
    signal.addEventListener('abort', end);
  });
}
