import type { Needs } from '../../shared/context.ts';
import { AppError, hasCode } from '../../shared/errors.ts';
import { DeadJobError, type Job } from '../../shared/jobs/job.ts';
import { finishJob } from '../../shared/jobs/job-lease-repository.ts';
import { isStored, type ProductFileRecord, type ScanResult, type StoredFile } from '../../shared/product-files/product-file.ts';
import { findFile } from '../../shared/product-files/product-file-repository.ts';
import type { Engine, EngineReport } from './engine.ts';
import { recordScan } from './record-scan.ts';

/** After this many attempts, over about an hour, an engine that fails is given up. */
const maxAttempts = 8;

/** Has an engine scan the verified version of a file. */
export async function scanFile(
  c: Needs<'table' | 'now' | 'logger' | 'store' | 'TRUSTED_SCANNERS'> & { engine: Engine },
  job: Job<'scan-file'>,
) {
  const file = await findFile(c.table, job.task.productId, job.task.fileId);
  if (!file) throw new DeadJobError('file_unknown');
  if (!isStored(file) || file.hashStatus !== 'verified') {
    await c.table.write(finishJob(job));
    return;
  }
  const result: ScanResult = {
    versionId: file.versionId,
    engine: c.engine.name,
    trusted: c.settings.TRUSTED_SCANNERS.includes(c.engine.name),
    ...(await examine(c, file, job)),
    at: scannedAt(c, file),
  };
  await recordScan(c, job.task, result, [finishJob(job)]);
}

/** The clock of who asked for the scan may be ahead; no scan is older than what it was asked for by. */
function scannedAt(c: Needs<'now'>, { rescanAskedAt = '' }: ProductFileRecord): string {
  const now = c.now().toISOString();
  return now < rescanAskedAt ? rescanAskedAt : now;
}

async function examine(c: Needs<'logger' | 'store'> & { engine: Engine }, file: StoredFile, job: Job): Promise<EngineReport> {
  // A run that ended with its process recorded no failure, so its attempt counts only here.
  if (job.attempts > maxAttempts) return { verdict: 'error', error: 'engine_failed' };
  try {
    return await c.engine.scan(file.sizeBytes, () => open(c, file));
  } catch (error) {
    if (job.attempts < maxAttempts || !hasCode(error, 'dependency_unavailable')) throw error;
    c.logger.error('scan_engine_failed', { fileId: file.id, engine: c.engine.name, error });
    return { verdict: 'error', error: 'engine_failed' };
  }
}

async function open(c: Needs<'store'>, file: StoredFile): Promise<AsyncIterable<Uint8Array>> {
  const object = await c.store?.openObject(file.storageKey, file.versionId);
  if (!object) throw new AppError('dependency_unavailable', 'The object of the file is not there.');
  return whole(object.chunks, file.sizeBytes);
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
