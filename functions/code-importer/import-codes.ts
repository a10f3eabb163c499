import { type CodeBatchRecord, handledCodes, uploadedCodes } from '../../shared/code-batches/code-batch.ts';
import { CodeKnownError, createCodeBatchRepository } from '../../shared/code-batches/code-batch-repository.ts';
import { createCodeHashRepository, type HashOfSeller } from '../../shared/code-batches/code-hash-repository.ts';
import { createCodeStockRepository } from '../../shared/code-batches/code-stock-repository.ts';
import { codesPerPiece, createCodeUploadRepository } from '../../shared/code-batches/code-upload-repository.ts';
import type { Keyring } from '../../shared/crypto/keyring.ts';
import type { Table, Write } from '../../shared/db/table.ts';
import { DeadJobError, type Job, type JobTask } from '../../shared/jobs/job.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { createFindIssuedKeys } from '../../shared/licenses/issued-keys.ts';
import { normalizeLicenseKey } from '../../shared/licenses/license-key.ts';
import type { RunJob } from '../../shared/queue/create-worker.ts';
import { readAhead } from './read-ahead.ts';

/** A transaction takes 100 writes: two a code, the batch's counts, and the deletion of a finished piece. */
const codesPerTransaction = 49;
const attemptsPerGroup = 5;

/** A piece of an upload as it was read, or no codes when it is gone. */
interface Piece {
  index: number;
  codes: readonly { code: string; key: string; isIssued: boolean }[] | undefined;
}

/**
 * Imports the codes of accepted batches into the stock of their product.
 *
 * Every transaction adds codes together with the counts of the batch, and the counts say
 * where to go on: after a crash, a repeat, or with two workers at once, each code is
 * handled exactly once. While a piece is written the next one is read. See "Import" in shared/code-batches/README.md.
 */
export function createImportCodes(options: {
  table: Table;
  /** Tells the projector of a committed job. */
  sendJob: (task: JobTask) => Promise<void>;
  peppers: Keyring;
  encryptionKeys: Keyring;
  /** How many codes a piece of an upload holds. */
  pieceSize?: number | undefined;
  now?: (() => Date) | undefined;
}): RunJob<'import-codes'> {
  const { table, sendJob, peppers, encryptionKeys, pieceSize = codesPerPiece, now } = options;
  const batches = createCodeBatchRepository({ table, now });
  const uploads = createCodeUploadRepository({ table, encryptionKeys, now });
  const hashes = createCodeHashRepository({ table, encryptionKeys });
  const stock = createCodeStockRepository({ table, encryptionKeys });
  const jobs = createJobRepository({ table, now });
  const findIssuedKeys = createFindIssuedKeys({ table, peppers });

  return async (job) => {
    const found = await batches.findBatch(job.task.productId, job.task.batchId);
    if (!found) throw new DeadJobError('no_such_batch');

    await table.write(batches.startImport(found));
    const hashOf = await hashes.hashOfSeller(found.sellerId);
    let batch = found;
    for await (const piece of readAhead(...openPiecesOf(found), readPiece(found))) {
      batch = await importPiece(batch, piece, hashOf);
    }
    await complete(batch, job);
  };

  /** Which pieces hold codes that are not handled yet: from the first number to before the second. */
  function openPiecesOf(batch: CodeBatchRecord): [number, number] {
    const [handled, uploaded] = [handledCodes(batch), uploadedCodes(batch)];
    return handled < uploaded ? [Math.floor(handled / pieceSize), Math.ceil(uploaded / pieceSize)] : [0, 0];
  }

  /** What reads the pieces of a batch, each without the codes that are handled already. */
  function readPiece(batch: CodeBatchRecord): (index: number) => Promise<Piece> {
    return async (index) => {
      const codes = await uploads.findPiece(batch.id, index);
      const rest = codes?.slice(Math.max(0, handledCodes(batch) - index * pieceSize));
      const entries = rest?.map((code) => ({ code, key: normalizeLicenseKey(code) }));
      const issued = await findIssuedKeys(batch.productId, entries?.map(({ key }) => key) ?? []);
      return { index, codes: entries?.map((entry) => ({ ...entry, isIssued: issued.has(entry.key) })) };
    };
  }

  /** Imports a piece to which the batch has come; returns the batch with its new counts. */
  async function importPiece(start: CodeBatchRecord, { index, codes }: Piece, hashOf: HashOfSeller): Promise<CodeBatchRecord> {
    if (!codes) {
      await table.write(batches.failImport(start));
      throw new DeadJobError('upload_gone');
    }
    let batch = start;
    for (let at = 0; at < codes.length; at += codesPerTransaction) {
      const group = codes.slice(at, at + codesPerTransaction).map((code) => ({ ...code, codeHash: hashOf(code.key) }));
      const usedUp = at + codesPerTransaction >= codes.length ? [uploads.deletePiece(batch.id, index)] : [];
      const counts = await importGroup(batch, group, usedUp);
      batch = {
        ...batch,
        importedCount: batch.importedCount + counts.imported,
        duplicateCount: batch.duplicateCount + counts.duplicate,
      };
    }
    return batch;
  }

  async function importGroup(
    batch: CodeBatchRecord,
    group: readonly { code: string; codeHash: string; isIssued: boolean }[],
    also: readonly Write[],
  ): Promise<{ imported: number; duplicate: number }> {
    const unissued = group.filter(({ isIssued }) => !isIssued);
    // Of two spellings of one code the first in the file is kept.
    const byHash = new Map(unissued.toReversed().map((entry) => [entry.codeHash, entry]));
    let known = new Set<string>();
    for (let attempt = 1; ; attempt += 1) {
      const fresh = [...byHash.values()].filter(({ codeHash }) => !known.has(codeHash));
      const counts = { imported: fresh.length, duplicate: group.length - fresh.length };
      try {
        await table.transact([
          batches.countCodes(batch, counts),
          ...fresh.flatMap(({ code, codeHash }) => [
            batches.addKnownCode(batch, codeHash),
            stock.stockCode({ productId: batch.productId, batchId: batch.id, code, codeHash }),
          ]),
          ...also,
        ]);
        return counts;
      } catch (error) {
        // Most codes are new, so which of them are known is read only after a transaction was refused.
        if (!(error instanceof CodeKnownError) || attempt === attemptsPerGroup) throw error;
        known = await batches.findKnownCodes(batch.sellerId, [...byHash.keys()]);
      }
    }
  }

  async function complete(batch: CodeBatchRecord, job: Job<'import-codes'>): Promise<void> {
    const serves = batch.importedCount > 0;
    const serveWaitingOrders = { kind: 'serve-waiting-orders' as const, productId: batch.productId };
    await table.transact([jobs.finishJob(job), batches.completeImport(batch), ...(serves ? [jobs.addJob(serveWaitingOrders)] : [])]);
    if (serves) await sendJob(serveWaitingOrders);
  }
}
