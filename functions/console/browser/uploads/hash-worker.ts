import { createSHA256 } from 'hash-wasm';
import { hashFile } from './hash-file.ts';
import type { FromHashWorker, ToHashWorker } from './hash-messages.ts';
import { failureOf } from './upload-failure.ts';

let mayGoOn = Promise.resolve();
let goOn = () => {};

const tell = (message: FromHashWorker) => self.postMessage(message);

async function hash(file: Blob): Promise<void> {
  const whole = await createSHA256();
  whole.init();
  tell({ hashes: await hashFile(file, { whole, onBytes: (hashedBytes) => tell({ hashedBytes }), mayGoOn: () => mayGoOn }) });
}

self.addEventListener('message', ({ data }: MessageEvent<ToHashWorker>) => {
  if (data === 'pause') {
    mayGoOn = new Promise((resolve) => {
      goOn = resolve;
    });
  } else if (data === 'resume') goOn();
  else hash(data.file).catch((error: unknown) => tell({ code: failureOf(error).code }));
});
