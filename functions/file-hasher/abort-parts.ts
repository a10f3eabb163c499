import type { Needs } from '../../shared/context.ts';
import type { Job } from '../../shared/jobs/job.ts';
import { finishJob, sleepJob } from '../../shared/jobs/job-lease-repository.ts';
import { isMultipartFile } from '../../shared/product-files/parts/upload-parts.ts';
import { findFile } from '../../shared/product-files/product-file-repository.ts';

/** Ends the upload in parts of a file that needs none any more: withdrawn, uploaded otherwise, or not finalized in time. */
export async function abortParts(c: Needs<'table' | 'now' | 'partStore'>, job: Job<'abort-parts'>) {
  const file = await findFile(c.table, job.task.productId, job.task.fileId);
  if (file && isMultipartFile(file)) {
    const restSeconds = Math.ceil((Date.parse(file.parts.expiresAt) - c.now().getTime()) / 1000);
    // The job may run early: an upload in progress is kept.
    if (file.status === 'upload_pending' && restSeconds > 0) return void (await c.table.write(sleepJob(c, job, restSeconds)));
    await c.partStore?.abortUpload({ key: file.storageKey, uploadId: file.parts.uploadId });
  }
  await c.table.write(finishJob(job));
}
