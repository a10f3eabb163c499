import type { Table } from '../../shared/db/table.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import type { PartStore } from '../../shared/product-files/parts/part-store.ts';
import { isInParts } from '../../shared/product-files/parts/upload-parts.ts';
import { createProductFileRepository } from '../../shared/product-files/product-file-repository.ts';
import type { RunJob } from '../../shared/queue/create-worker.ts';

/** Ends the upload in parts of a file that needs none any more: withdrawn, uploaded otherwise, or not finalized in time. */
export function createAbortParts(options: {
  table: Table;
  partStore: Pick<PartStore, 'abortUpload'> | undefined;
  now?: (() => Date) | undefined;
}): RunJob<'abort-parts'> {
  const { table, partStore, now = () => new Date() } = options;
  const files = createProductFileRepository({ table });
  const jobs = createJobRepository({ table, now });

  return async (job) => {
    const file = await files.findFile(job.task.productId, job.task.fileId);
    if (file && isInParts(file)) {
      const restSeconds = Math.ceil((Date.parse(file.parts.expiresAt) - now().getTime()) / 1000);
      // Whoever had it begin early: what a seller still uploads stays.
      if (file.status === 'upload_pending' && restSeconds > 0) return void (await table.write(jobs.addJob(job.task, restSeconds)));
      await partStore?.abortUpload({ key: file.storageKey, uploadId: file.parts.uploadId });
    }
    await table.write(jobs.finishJob(job));
  };
}
