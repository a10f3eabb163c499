import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, type CsvErrorCode, parse } from 'csv-parse';
import * as z from 'zod/mini';
import { AppError } from '../errors.ts';
import { codeFault, maxCommas, maxListedErrors, maxRows, type RowError } from './code-batch.ts';

/** A data row of the CSV: its code, or why it has none that can be sold. */
export type CodeRow = { row: number; code: string } | { row: number; line: number; reason: string };

/** What is known about an upload before anything is stored. */
export interface CodeUploadSummary {
  totalRows: number;
  rejectedCount: number;
  errors: RowError[];
}

const codeColumns = ['code', 'license_key'];

/** What the parser makes of a data row; a row that is too short for the column has no code. */
const CsvRow = z.object({ code: z._default(z.string(), ''), end: z.int() });

/**
 * Passes the data rows of a CSV to `take`, one after the other, without holding more than a few of them.
 * See "CSV" in imports.md.
 *
 * @param pieces the bytes of the file; they are not copied
 * @throws AppError invalid_csv, too_many_rows
 */
export async function readCodes(pieces: readonly Uint8Array[], take: (row: CodeRow) => Promise<void> | void): Promise<void> {
  const line = createLineCount(pieces);
  const parser = parse({
    bom: true,
    // Named, because the parser would otherwise expect the end of the first line at the end of every line.
    record_delimiter: ['\r\n', '\n', '\r'],
    columns: (header: string[]) => codeColumnOf(header),
    on_record: ({ code }, { bytes: end }) => ({ code, end }),
    skip_empty_lines: true,
    relax_column_count: true,
    trim: true,
  });
  let row = 0;
  try {
    await pipeline(Readable.from(checked(pieces)), parser, async (records) => {
      for await (const record of records) {
        row += 1;
        if (row > maxRows) throw new AppError('too_many_rows', `The CSV has more than ${maxRows} rows.`);
        const { code: cell, end } = CsvRow.parse(record);
        const begins = line.next(end);
        const code = cell.trim();
        const reason = codeFault(code);
        await take(reason === undefined ? { row, code } : { row, line: begins, reason });
      }
    });
  } catch (error) {
    if (error instanceof CsvError) throw new AppError('invalid_csv', faultOf(error));
    throw error;
  }
  if (row === 0) throw new AppError('invalid_csv', 'The CSV has no data rows.');
}

/** Finds the line on which each row begins from the byte offsets at which rows end. */
function createLineCount(pieces: readonly Uint8Array[]) {
  const bytes = Buffer.concat(pieces);
  let position = 0;
  let line = 1;
  const isLineEnd = () => bytes[position] === lineFeed || bytes[position] === carriageReturn;
  const step = () => {
    // Of the two bytes of one line end the second counts.
    if (bytes[position] === lineFeed || (bytes[position] === carriageReturn && bytes[position + 1] !== lineFeed)) line += 1;
    position += 1;
  };
  const skipEmptyLines = () => {
    while (isLineEnd()) step();
  };

  // The header, whose cells may hold line ends within quotes.
  skipEmptyLines();
  for (let quoted = false; position < bytes.length && (quoted || !isLineEnd()); step()) if (bytes[position] === quote) quoted = !quoted;

  return {
    /** The line on which the row ending before this byte begins. Must be called row by row, in order. */
    next(end: number): number {
      skipEmptyLines();
      const begins = line;
      while (position < Math.min(end, bytes.length)) step();
      return begins;
    },
  };
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const quote = 0x22;

/** Reads the whole upload once and counts. @throws AppError invalid_csv, too_many_rows */
export async function checkUpload(pieces: readonly Uint8Array[]): Promise<CodeUploadSummary> {
  const summary: CodeUploadSummary = { totalRows: 0, rejectedCount: 0, errors: [] };
  await readCodes(pieces, (row) => {
    summary.totalRows += 1;
    if (!('reason' in row)) return;
    summary.rejectedCount += 1;
    if (summary.errors.length < maxListedErrors) summary.errors.push(row);
  });
  return summary;
}

const quoteFaults: Partial<Record<CsvErrorCode, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a cell opens with a quote that is never closed',
  CSV_INVALID_CLOSING_QUOTE: 'more follows the closing quote of a cell',
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: 'more follows the closing quote of a cell',
  INVALID_OPENING_QUOTE: 'a quote stands inside a cell that does not begin with one',
};

/** The parser's own message quotes the line it fails on. Rows that it read before count, taken or not. */
const faultOf = ({ code, records }: CsvError) =>
  `The CSV cannot be read after data row ${Number(records)}: ${quoteFaults[code] ?? 'its rows are malformed'}.`;

function codeColumnOf(header: string[]): (string | false)[] {
  const names = header.map((name) => name.toLowerCase());
  const found = names.filter((name) => codeColumns.includes(name));
  if (found.length !== 1) {
    const fault =
      found.length === 0 ? 'The header row has no column named code or license_key' : 'The header row names more than one code column';
    throw new AppError('invalid_csv', `${fault}.`);
  }
  return names.map((name) => codeColumns.includes(name) && 'code');
}

const comma = 0x2c;

/** The pieces, as long as they are UTF-8 of not too many cells. */
function* checked(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  let commas = 0;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const check = (piece?: Uint8Array) => {
    try {
      decoder.decode(piece, { stream: piece !== undefined });
    } catch {
      throw new AppError('invalid_csv', 'The CSV is not in UTF-8.');
    }
  };
  for (const piece of pieces) {
    check(piece);
    for (const byte of piece) if (byte === comma) commas += 1;
    if (commas > maxCommas) throw new AppError('invalid_csv', `The CSV has more than ${maxCommas} commas; leave out other columns.`);
    yield piece;
  }
  check();
}
