import { type CodeBatchRecord, handledCodeCount, uploadedCodeCount } from '../../shared/code-batches/code-batch.ts';
import {
  addKnownCode,
  completeImport,
  countCodes,
  DuplicateCodeError,
  failImport,
  findBatch,
  findKnownCodes,
  startImport,
} from '../../shared/code-batches/code-batch-repository.ts';
import { type HashOfSeller, hashOfSeller } from '../../shared/code-batches/code-hash-repository.ts';
import { stockCode } from '../../shared/code-batches/code-stock-repository.ts';
import { codesPerPiece, deletePiece, findPiece } from '../../shared/code-batches/code-upload-repository.ts';
import type { Needs } from '../../shared/context.ts';
import type { Write } from '../../shared/db/table.ts';
import { DeadJobError, type Job } from '../../shared/jobs/job.ts';
import { finishJob } from '../../shared/jobs/job-lease-repository.ts';
import { addJob } from '../../shared/jobs/job-repository.ts';
import { findIssuedKeys } from '../../shared/licenses/issued-keys.ts';
import { normalizeLicenseKey } from '../../shared/text/license-key.ts';
import { readAhead } from './read-ahead.ts';

/** A transaction takes 100 writes: two a code, the batch's counts, a job, and the deletion of a finished piece. */
const codesPerTransaction = 48;
const attemptsPerGroup = 5;

type ImportNeeds = Needs<'table' | 'now' | 'ENCRYPTION_KEYS'>;

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
 * handled exactly once. While a piece is written the next one is read. See "Import" in shared/code-batches/imports.md.
 */
export async function importCodes(
  c: Needs<'table' | 'now' | 'sendJob' | 'ENCRYPTION_KEYS' | 'LICENSE_PEPPERS'>,
  job: Job<'import-codes'>,
  /** How many codes a piece of an upload holds. */
  pieceSize = codesPerPiece,
): Promise<void> {
  const found = await findBatch(c.table, job.task.productId, job.task.batchId);
  if (!found) throw new DeadJobError('no_such_batch');

  await c.table.write(startImport(found));
  const hashOf = await hashOfSeller(c, found.sellerId);
  let batch = found;
  for await (const piece of readAhead(...openPiecesOf(found, pieceSize), readPiece(c, found, pieceSize))) {
    batch = await importPiece(c, batch, piece, hashOf);
  }
  await complete(c, batch, job);
}

/** Which pieces hold codes that are not handled yet: from the first number to before the second. */
function openPiecesOf(batch: CodeBatchRecord, pieceSize: number): [number, number] {
  const [handled, uploaded] = [handledCodeCount(batch), uploadedCodeCount(batch)];
  return handled < uploaded ? [Math.floor(handled / pieceSize), Math.ceil(uploaded / pieceSize)] : [0, 0];
}

/** What reads the pieces of a batch, each without the codes that are handled already. */
function readPiece(
  c: Needs<'table' | 'ENCRYPTION_KEYS' | 'LICENSE_PEPPERS'>,
  batch: CodeBatchRecord,
  pieceSize: number,
): (index: number) => Promise<Piece> {
  return async (index) => {
    const codes = await findPiece(c, batch.id, index);
    const rest = codes?.slice(Math.max(0, handledCodeCount(batch) - index * pieceSize));
    const entries = rest?.map((code) => ({ code, key: normalizeLicenseKey(code) }));
    const issued = await findIssuedKeys(c, batch.productId, entries?.map(({ key }) => key) ?? []);
    return { index, codes: entries?.map((entry) => ({ ...entry, isIssued: issued.has(entry.key) })) };
  };
}

/** Imports a piece to which the batch has come; returns the batch with its new counts. */
async function importPiece(
  c: ImportNeeds,
  start: CodeBatchRecord,
  { index, codes }: Piece,
  hashOf: HashOfSeller,
): Promise<CodeBatchRecord> {
  if (!codes) {
    await c.table.write(failImport(start));
    throw new DeadJobError('upload_gone');
  }
  let batch = start;
  for (let at = 0; at < codes.length; at += codesPerTransaction) {
    const group = codes.slice(at, at + codesPerTransaction).map((code) => ({ ...code, codeHash: hashOf(code.key) }));
    const usedUp = at + codesPerTransaction >= codes.length ? [deletePiece(batch.id, index)] : [];
    const counts = await importGroup(c, batch, group, usedUp);
    batch = {
      ...batch,
      importedCount: batch.importedCount + counts.imported,
      duplicateCount: batch.duplicateCount + counts.duplicate,
    };
  }
  return batch;
}

async function importGroup(
  c: ImportNeeds,
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
      await c.table.transact([
        countCodes(batch, counts),
        ...fresh.flatMap(({ code, codeHash }) => [
          addKnownCode(batch, codeHash),
          stockCode(c, { productId: batch.productId, batchId: batch.id, code, codeHash }),
        ]),
        // Whatever becomes of the import, paid orders do not wait beside stock.
        ...(fresh.length > 0 ? [addJob(c, serveWaitingOrders(batch))] : []),
        ...also,
      ]);
      return counts;
    } catch (error) {
      // Most codes are new, so which of them are known is read only after a transaction was refused.
      if (!(error instanceof DuplicateCodeError) || attempt === attemptsPerGroup) throw error;
      known = await findKnownCodes(c.table, batch.sellerId, [...byHash.keys()]);
    }
  }
}

async function complete(c: Needs<'table' | 'now' | 'sendJob'>, batch: CodeBatchRecord, job: Job<'import-codes'>): Promise<void> {
  await c.table.transact([finishJob(job), completeImport(c, batch)]);
  if (batch.importedCount > 0) await c.sendJob(serveWaitingOrders(batch));
}

const serveWaitingOrders = ({ productId }: CodeBatchRecord) => ({ kind: 'serve-waiting-orders' as const, productId });
