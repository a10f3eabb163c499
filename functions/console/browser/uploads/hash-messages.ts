import type { FileHashes } from './hash-file.ts';

/** What the worker is told: which file to hash, once; then to stop and go on. */
export type ToHashWorker = { file: Blob } | 'pause' | 'resume';

/** What it tells: how far it is, then the hashes or why there are none. */
export type FromHashWorker = { hashedBytes: number } | { hashes: FileHashes } | { code: string };
