import type { Upload } from './upload-store.ts';

/** What is said aloud of an upload: a few steps, and no percentages. */
export type UploadStep = 'started' | 'half' | 'paused' | 'waiting' | 'elsewhere' | 'done' | 'failed';

export function stepOf({ state, sentBytes, sizeBytes }: Pick<Upload, 'state' | 'sentBytes' | 'sizeBytes'>): UploadStep {
  if (state === 'hashing') return 'started';
  if (state === 'sending' || state === 'finishing') return sentBytes * 2 >= sizeBytes ? 'half' : 'started';
  return state;
}

/** What is news after `told`, the steps by key that were said before; the same step twice is none. */
export function newsOf(uploads: readonly Upload[], told: ReadonlyMap<string, UploadStep>): { upload: Upload; step: UploadStep }[] {
  return uploads.flatMap((upload) => {
    const step = stepOf(upload);
    return told.get(upload.key) === step ? [] : [{ upload, step }];
  });
}

/** Time in the units that people wait in; to five seconds below a minute, which jumps less. */
export function waitOf(seconds: number): { hours: number; minutes: number } | { minutes: number } | { seconds: number } {
  if (seconds < 57.5) return { seconds: Math.max(5, Math.ceil(seconds / 5) * 5) };
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? { minutes } : { hours: Math.floor(minutes / 60), minutes: minutes % 60 };
}
