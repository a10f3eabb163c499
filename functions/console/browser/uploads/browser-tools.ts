import { startHashing } from './hashing.ts';
import { putPart } from './put-part.ts';
import type { UploadTools } from './upload.ts';

/** One tab at a time holds a lock; a browser that has none, where nothing is encrypted, goes without. */
const lock: UploadTools['lock'] = async (name, signal, { onWait, run }) => {
  const { locks } = navigator;
  if (!locks) return run();
  const wasFree = await locks.request(name, { ifAvailable: true }, async (held) => {
    if (held) await run();
    return held !== null;
  });
  if (wasFree) return;
  onWait();
  await locks.request(name, { signal }, run);
};

const wait: UploadTools['wait'] = (seconds, signal) =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      if (signal.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, seconds * 1000);
    window.addEventListener('online', end);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });

/** What an upload needs of the browser, besides the API and the session. */
export const browserTools = (workerUrl: string): Pick<UploadTools, 'hash' | 'put' | 'lock' | 'wait' | 'now'> => ({
  hash: (file, onBytes) => startHashing(workerUrl, file, onBytes),
  put: putPart,
  lock,
  wait,
  now: () => Date.now(),
});
