import { ApiFailure } from '../api/failure.ts';
import type { FileHashes, FromHashWorker, ToHashWorker } from './hash-file.ts';
import type { HashJob } from './upload.ts';

/** As browsers with Trusted Types have it: what it makes goes where an address of code is expected. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

declare global {
  interface Window {
    trustedTypes?: TrustedTypes;
  }
}

let trustedUrl: string | undefined;

/** A policy may be made once alone, and this one takes no other address. */
function trusted(workerUrl: string): string {
  trustedUrl ??=
    window.trustedTypes
      ?.createPolicy('console-worker', {
        createScriptURL(url) {
          if (url !== workerUrl) throw new TypeError('Not the address of the worker.');
          return url;
        },
      })
      .createScriptURL(workerUrl) ?? workerUrl;
  return trustedUrl;
}

/** Hashes a file in a worker of its own, whose address is `workerUrl`. */
export function startHashing(workerUrl: string, file: Blob, onBytes: (hashedBytes: number) => void): HashJob {
  const worker = new Worker(trusted(workerUrl));
  const tell = (message: ToHashWorker) => worker.postMessage(message);
  const done = new Promise<FileHashes>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<FromHashWorker>) => {
      if ('hashedBytes' in data) return onBytes(data.hashedBytes);
      worker.terminate();
      if ('hashes' in data) resolve(data.hashes);
      else reject(new ApiFailure({ code: data.code }));
    });
    worker.addEventListener('error', () => reject(new ApiFailure({ code: 'hash_failed' })));
  });
  tell({ file });
  return { done, pause: () => tell('pause'), resume: () => tell('resume'), stop: () => worker.terminate() };
}
