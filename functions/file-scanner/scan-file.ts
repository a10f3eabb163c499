import { AppError, hasCode } from '../../shared/errors.ts';
import { DeadJobError, type Job } from '../../shared/jobs/job.ts';
import type { JobRepository } from '../../shared/jobs/job-repository.ts';
import type { Logger } from '../../shared/logger.ts';
import type { ObjectStore } from '../../shared/product-files/object-store.ts';
import { isStored, type ScanResult, type StoredFile } from '../../shared/product-files/product-file.ts';
import type { ProductFileRepository } from '../../shared/product-files/product-file-repository.ts';
import type { Engine, EngineReport } from './engine.ts';
import type { RecordScan } from './record-scan.ts';

/** An engine that fails so often, over about an hour, is no longer waited for. */
const maxAttempts = 8;

/** Has an engine look at the verified version of a file. Source: decisions.md §5 "Scanning". */
export function createScanFile(dependencies: {
  files: ProductFileRepository;
  jobs: JobRepository;
  store: Pick<ObjectStore, 'openObject'> | undefined;
  engine: Engine;
  trustedScanners: readonly string[];
  recordScan: RecordScan;
  logger: Logger;
  now: () => Date;
}): (job: Job) => Promise<void> {
  const { files, jobs, store, engine, trustedScanners, recordScan, logger, now } = dependencies;

  return async (job) => {
    const [productId = '', fileId = ''] = job.ref.split('/');
    const file = await files.findFile(productId, fileId);
    if (!file) throw new DeadJobError('file_unknown');
    if (!isStored(file) || file.hashStatus !== 'verified') {
      await files.commit([jobs.finishJob(job)]);
      return;
    }
    const result: ScanResult = {
      versionId: file.versionId,
      engine: engine.name,
      trusted: trustedScanners.includes(engine.name),
      ...(await examine(file, job)),
      at: now().toISOString(),
    };
    await recordScan(productId, fileId, result, [jobs.finishJob(job)]);
  };

  async function examine(file: StoredFile, job: Job): Promise<EngineReport> {
    // A run that ends its process leaves no failure behind, so attempts are counted here as well.
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

/** The chunks of an object, none missing: no engine may call a part of a file clean. */
async function* whole(chunks: AsyncIterable<Uint8Array>, sizeBytes: number): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const chunk of chunks) {
    read += chunk.length;
    yield chunk;
  }
  if (read !== sizeBytes) throw new AppError('dependency_unavailable', 'The object of the file ended early.');
}
