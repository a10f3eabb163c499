import { createWorker } from '../../shared/queue/create-worker.ts';
import { jobContextOf, type Start } from '../../shared/start.ts';
import { abortParts } from './abort-parts.ts';
import type * as declaration from './declaration.ts';
import { discardUpload } from './discard-upload.ts';
import { createEncodePicture, type EncodePicture } from './encode-picture.ts';
import { hashFile } from './hash-file.ts';
import { withdrawUnusedFile } from './withdraw-unused-file.ts';

/** As long as the function may run: 5 GiB take minutes. */
export const leaseSeconds = 900;

const run = {
  'hash-file': hashFile,
  'discard-upload': discardUpload,
  'abort-parts': abortParts,
  'withdraw-unused-file': withdrawUnusedFile,
};

/** The worker that verifies the bytes of finalized files, withdraws those that no release came to use, and deletes those of files that are of no more use. */
export function compose(
  start: Start<typeof declaration> & {
    /** Another way to encode pictures. */
    encodePicture?: EncodePicture | undefined;
  },
) {
  const { encodePicture = createEncodePicture(), ...given } = start;
  return createWorker({ ...jobContextOf(given), encodePicture }, { run, leaseSeconds });
}
