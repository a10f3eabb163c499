import { createWorker } from '../../shared/queue/create-worker.ts';
import { jobContextOf, type Start } from '../../shared/start.ts';
import type * as declaration from './declaration.ts';
import { importCodes } from './import-codes.ts';

/** As long as the function may run. */
export const leaseSeconds = 900;

/** The worker that imports the codes of accepted batches. */
export const compose = (start: Start<typeof declaration>) =>
  createWorker(jobContextOf(start), { run: { 'import-codes': importCodes }, leaseSeconds });
