import { createSHA256 } from 'hash-wasm';
import { type FromHashWorker, hashFile, type ToHashWorker } from './hash-file.ts';
import { failureOf } from './upload-failure.ts';

let untilResumed = Promise.resolve();
let resume = () => {};

const report = (message: FromHashWorker) => self.postMessage(message);

async function hash(file: Blob): Promise<void> {
  const [whole, part] = await Promise.all([createSHA256(), createSHA256()]);
  const hashes = await hashFile(file, { whole, part, onBytes: (hashedBytes) => report({ hashedBytes }), mayGoOn: () => untilResumed });
  report({ hashes });
}

self.addEventListener('message', ({ data }: MessageEvent<ToHashWorker>) => {
  if (data === 'pause') {
    untilResumed = new Promise((resolve) => {
      resume = resolve;
    });
  } else if (data === 'resume') resume();
  else hash(data.file).catch((error: unknown) => report({ code: failureOf(error).code }));
});
