import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type EncodedPicture, PictureFault } from '../../shared/pictures/picture.ts';
import { type PictureHeader, readPictureHeader } from '../../shared/pictures/read-header.ts';

/** What the thread says, once: nothing is encoded of a file that cannot be decoded. */
export interface ThreadReply {
  encoded: EncodedPicture | undefined;
}

/** Decodes an upload that was declared to be of this type and encodes its pixels anew. @throws PictureFault */
export type EncodePicture = (bytes: Uint8Array, declaredType: string) => Promise<EncodedPicture>;

/** Beside this file, whether it is the source or the bundle. */
const threadFile = join(import.meta.dirname, `picture-thread${extname(import.meta.filename)}`);

/** 20 megapixels take seconds; a file that takes this long was crafted to. */
const maxSeconds = 60;

/** Each picture gets a thread, which ends with it. A thread that cannot be started is an error of ours, and throws another error. */
export function createEncodePicture({ secondsAtMost = maxSeconds } = {}): EncodePicture {
  return async (bytes, declaredType) => {
    const header = readPictureHeader(bytes);
    if (header.type !== declaredType) throw new PictureFault('picture_type_mismatch');
    const reply = await runThread(header, secondsAtMost);
    if (!reply?.encoded) throw new PictureFault('picture_unreadable');
    return reply.encoded;
  };
}

/** What the thread says of a picture; undefined when it takes too long. */
async function runThread(header: PictureHeader, secondsAtMost: number): Promise<ThreadReply | undefined> {
  const thread = new Worker(threadFile, { workerData: header });
  const { promise, resolve, reject } = Promise.withResolvers<ThreadReply | undefined>();
  const watch = setTimeout(() => resolve(undefined), secondsAtMost * 1000);
  thread.once('message', resolve).once('error', reject);
  thread.once('exit', () => reject(new Error('The thread of a picture ended without a word.')));
  try {
    return await promise;
  } finally {
    clearTimeout(watch);
    await thread.terminate();
  }
}
