import { createSHA256 } from 'hash-wasm';
import { type FromHashWorker, hashFile, type ToHashWorker } from './hash-file.ts';
import { failureOf } from './upload-failure.ts';

let mayGoOn = Promise.resolve();
let goOn = () => {};

const tell = (message: FromHashWorker) => self.postMessage(message);

async function hash(file: Blob): Promise<void> {
  const [whole, part] = await Promise.all([createSHA256(), createSHA256()]);
  const hashes = await hashFile(file, { whole, part, onBytes: (hashedBytes) => tell({ hashedBytes }), mayGoOn: () => mayGoOn });
  tell({ hashes });
}

self.addEventListener('message', ({ data }: MessageEvent<ToHashWorker>) => {
  if (data === 'pause') {
    mayGoOn = new Promise((resolve) => {
      goOn = resolve;
    });
  } else if (data === 'resume') goOn();
  else hash(data.file).catch((error: unknown) => tell({ code: failureOf(error).code }));
});
