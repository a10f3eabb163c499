import type { PutPart } from './send-parts.ts';
import { UploadFault } from './upload-failure.ts';

/** What browsers set themselves, and refuse to be told. */
const setByBrowser = ['content-length', 'host'];
/** After so long without a byte the network counts as gone. */
const stalledMs = 60_000;

/** By XMLHttpRequest, since `fetch` does not tell how far a body is. */
export const putPart: PutPart = ({ url, headers, body }, { signal, onBytes }) =>
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
      else if (request.status === 0) reject(new UploadFault('offline'));
      else resolve({ status: request.status, code: /<Code>(\w+)<\/Code>/.exec(request.responseText)?.[1] ?? '' });
    });
    signal.addEventListener('abort', abort);
    if (signal.aborted) return reject(signal.reason);
    watch();
    request.send(body);
  });
