import type { Table } from '../../shared/db/table.ts';
import { AppError, hasCode } from '../../shared/errors.ts';
import { DeadJobError, type Job } from '../../shared/jobs/job.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import type { Logger } from '../../shared/logger.ts';
import type { ObjectStore } from '../../shared/product-files/object-store.ts';
import { isStored, type ScanResult, type StoredFile } from '../../shared/product-files/product-file.ts';
import { createProductFileRepository } from '../../shared/product-files/product-file-repository.ts';
import type { RunJob } from '../../shared/queue/create-worker.ts';
import type { Engine, EngineReport } from './engine.ts';
import type { RecordScan } from './record-scan.ts';

/** After this many attempts, over about an hour, an engine that fails is given up. */
const maxAttempts = 8;

/** Has an engine scan the verified version of a file. */
export function createScanFile(options: {
  table: Table;
  store: Pick<ObjectStore, 'openObject'> | undefined;
  engine: Engine;
  trustedScanners: readonly string[];
  recordScan: RecordScan;
  logger: Logger;
  now?: (() => Date) | undefined;
}): RunJob<'scan-file'> {
  const { table, store, engine, trustedScanners, recordScan, logger, now = () => new Date() } = options;
  const files = createProductFileRepository({ table });
  const jobs = createJobRepository({ table, now });

  return async (job) => {
    const file = await files.findFile(job.task.productId, job.task.fileId);
    if (!file) throw new DeadJobError('file_unknown');
    if (!isStored(file) || file.hashStatus !== 'verified') {
      await table.write(jobs.finishJob(job));
      return;
    }
    const result: ScanResult = {
      versionId: file.versionId,
      engine: engine.name,
      trusted: trustedScanners.includes(engine.name),
      ...(await examine(file, job)),
      at: now().toISOString(),
    };
    await recordScan(job.task, result, [jobs.finishJob(job)]);
  };

  async function examine(file: StoredFile, job: Job): Promise<EngineReport> {
    // A run that ended with its process recorded no failure, so its attempt counts only here.
    if (job.attempts > maxAttempts) return { verdict: 'error', error: 'engine_failed' };
    try {
      return await engine.scan(file.sizeBytes, () => open(file));
    } catch (error) {
      if (job.attempts < maxAttempts || !hasCode(error, 'dependency_unavailable')) throw error;
      logger.error('scan_engine_failed', { fileId: file.id, engine: engine.name, error });
      return { verdict: 'error', error: 'engine_failed' };
    }
  }

  async function open(file: StoredFile): Promise<AsyncIterable<Uint8Array>> {
    const object = await store?.openObject(file.storageKey, file.versionId);
    if (!object) throw new AppError('dependency_unavailable', 'The object of the file is not there.');
    return whole(object.chunks, file.sizeBytes);
  }
}

/** The chunks of an object; throws when some are missing, so that no engine calls a part of a file clean. */
async function* whole(chunks: AsyncIterable<Uint8Array>, sizeBytes: number): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const chunk of chunks) {
    read += chunk.length;
    yield chunk;
  }
  if (read !== sizeBytes) throw new AppError('dependency_unavailable', 'The object of the file ended early.');
}
