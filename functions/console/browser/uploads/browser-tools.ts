import { ApiFailure } from '../api/failure.ts';
import { startHashing } from './hashing.ts';
import type { PutPart } from './send-parts.ts';
import type { UploadTools } from './upload.ts';

/** What browsers set themselves, and refuse to be told. */
const setByBrowser = ['content-length', 'host'];
/** After so long without a byte the network counts as gone. */
const stalledMs = 60_000;

/** By XMLHttpRequest, since `fetch` does not tell how far a body is. */
const putPart: PutPart = ({ url, headers, body }, { signal, onBytes }) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let timer = 0;
    const abort = () => request.abort();
    const watch = () => {
      clearTimeout(timer);
      timer = window.setTimeout(abort, stalledMs);
    };
    request.open('PUT', url);
    for (const [name, value] of Object.entries(headers)) {
      if (!setByBrowser.includes(name.toLowerCase())) request.setRequestHeader(name, value);
    }
    request.upload.addEventListener('progress', ({ loaded }) => {
      watch();
      onBytes(loaded);
    });
    request.addEventListener('loadend', () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      if (signal.aborted) reject(signal.reason);
      else if (request.status === 0) reject(new ApiFailure({ code: 'offline' }));
      else resolve({ status: request.status, code: /<Code>(\w+)<\/Code>/.exec(request.responseText)?.[1] ?? '' });
    });
    signal.addEventListener('abort', abort);
    if (signal.aborted) return reject(signal.reason);
    watch();
    request.send(body);
  });

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
