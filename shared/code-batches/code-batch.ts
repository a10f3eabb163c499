import * as z from 'zod/mini';
import { fault } from '../faults/fault.ts';
import * as rules from '../faults/rules.ts';
import { idOf } from '../ids.ts';
import { dateTime } from '../schemas.ts';
import { normalizeLicenseKey } from '../text/license-key.ts';
import { isSpoiltBySpreadsheet } from './spreadsheet.ts';

export const maxRows = 50_000;
/** Columns other than the codes' only cost time to parse. */
export const maxCommas = 400_000;
/** Of all faulty rows, only the first this many are listed. */
export const maxListedErrors = 100;

export const batchStatuses = ['accepted', 'processing', 'completed', 'failed'] as const;

/** A row that was left out, and why; never the code itself. */
export const RowError = z.object({
  row: z.int().register(z.globalRegistry, { description: 'Counts data rows from 1, the header aside.' }),
  /** Where the row begins in the file, lines within quotes counted; older imports have none. */
  line: z.optional(z.int()),
  reason: z.string(),
});
export type RowError = z.infer<typeof RowError>;

/** An import of codes as the interface shows it. See "States" in README.md. */
export const CodeBatch = z.object({
  id: idOf('batch'),
  productId: idOf('product'),
  status: z.enum(batchStatuses),
  idempotencyKey: z.string(),
  totalRows: z.int(),
  importedCount: z.int(),
  duplicateCount: z.int(),
  rejectedCount: z.int(),
  errors: z.array(RowError),
  createdAt: dateTime,
  completedAt: z.optional(dateTime),
});
export type CodeBatch = z.infer<typeof CodeBatch>;

/** What the table holds of an import beyond what is shown. */
export const CodeBatchRecord = z.extend(CodeBatch, {
  sellerId: idOf('seller'),
  /** Keyed hash of the uploaded bytes: distinguishes a repeated request from another one under the same key. */
  contentHash: z.string(),
});
export type CodeBatchRecord = z.infer<typeof CodeBatchRecord>;

/** How many of the batch's valid codes are processed; the import resumes there after a crash. */
export const handledCodeCount = (batch: Pick<CodeBatch, 'importedCount' | 'duplicateCount'>) => batch.importedCount + batch.duplicateCount;
/** How many codes the upload of the batch holds: every row but the rejected ones. */
export const uploadedCodeCount = (batch: Pick<CodeBatch, 'totalRows' | 'rejectedCount'>) => batch.totalRows - batch.rejectedCount;

const minSymbols = 8;
const maxSymbols = 128;

/**
 * Why a trimmed text is no code that can be sold, or undefined when it is one.
 * The answer never holds the text.
 */
export function codeFault(text: string): string | undefined {
  if (text === '') return fault(rules.noCode);
  if (isSpoiltBySpreadsheet(text)) return fault(rules.codeOfSpreadsheet);
  if (text.length < minSymbols || text.length > maxSymbols) return fault(rules.codeOfOtherLength, { min: minSymbols, max: maxSymbols });
  if (!/^[\x20-\x7e]*$/.test(text)) return fault(rules.codeBeyondAscii);
  // A spreadsheet that opens an export of such a code would run it as a formula.
  if (/^[=+\-@]/.test(text)) return fault(rules.codeIsFormula);
  if (normalizeLicenseKey(text).length < minSymbols) return fault(rules.codeOfTooFewSymbols, { min: minSymbols });
  return undefined;
}
