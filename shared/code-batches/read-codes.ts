import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, type CsvErrorCode, parse } from 'csv-parse';
import * as z from 'zod/mini';
import { AppError } from '../errors.ts';
import { codeFault, maxCommas, maxListedErrors, maxRows, type RowError } from './code-batch.ts';
import { withoutTextMark } from './spreadsheet.ts';

/** A data row of the CSV: its code, or why it has none that can be sold. */
export type CodeRow = { row: number; code: string } | { row: number; line: number; reason: string };

/** What is known about an upload before anything is stored. */
export interface CodeUploadSummary {
  totalRows: number;
  rejectedCount: number;
  errors: RowError[];
}

const codeColumns = ['code', 'license_key'];

/** What is kept of a data row, as the parser passes rows on: in texts. */
const CsvRow = z.tuple([z.coerce.number(), z.coerce.number(), z.string()]);

/**
 * Passes the data rows of a CSV to `take`, one after the other, without holding more than a few of them.
 * See "CSV" in imports.md.
 *
 * @param pieces the bytes of the file
 * @throws AppError invalid_csv, too_many_rows
 */
export async function readCodes(pieces: readonly Uint8Array[], take: (row: CodeRow) => Promise<void> | void): Promise<void> {
  const bytes = Buffer.concat(pieces);
  const { delimiter, header } = dialectOf(bytes);
  const line = createLineCount(bytes, header);
  let column: number | undefined;
  let rows = 0;
  const parser = parse({
    bom: true,
    delimiter,
    // Named, because the parser would otherwise expect the end of the first line at the end of every line.
    record_delimiter: ['\r\n', '\n', '\r'],
    on_record(cells: string[], { bytes: end }) {
      if (column === undefined) {
        column = codeColumnOf(cells);
        return undefined;
      }
      const begins = line.next(end + header);
      if (cells.every((cell) => cell.trim() === '')) return undefined;
      rows += 1;
      // A row that is too short for the column has no code.
      return [String(rows), String(begins), withoutTextMark((cells[column] ?? '').trim())];
    },
    skip_empty_lines: true,
    relax_column_count: true,
    trim: true,
  });
  try {
    await pipeline(Readable.from(checked(pieces, { delimiter, header })), parser, async (records) => {
      for await (const record of records) {
        const [row, line, code] = CsvRow.parse(record);
        if (row > maxRows) throw new AppError('too_many_rows', `The CSV has more than ${maxRows} rows.`);
        const reason = codeFault(code);
        await take(reason === undefined ? { row, code } : { row, line, reason });
      }
    });
  } catch (error) {
    if (error instanceof CsvError) throw new AppError('invalid_csv', faultOf(error, rows));
    throw error;
  }
  if (column === undefined) throw noCodeColumn();
  if (rows === 0) throw new AppError('invalid_csv', 'The CSV has no data rows.');
}

/** How a file separates its cells, and at which byte its header begins: behind the line by which spreadsheets are told the former. */
interface Dialect {
  delimiter: string;
  header: number;
}

function dialectOf(bytes: Buffer): Dialect {
  const told = /^(?:\xef\xbb\xbf)?"?sep=([\t -!#-~])"?(?:\r\n|\n|\r)/i.exec(bytes.toString('latin1', 0, 16));
  if (told) return { delimiter: told[1] ?? ',', header: told[0].length };
  const seen = new Set<number | undefined>();
  const isLineEnd = (byte: number | undefined) => byte === lineFeed || byte === carriageReturn;
  let position = 0;
  while (isLineEnd(bytes[position])) position += 1;
  for (let quoted = false; position < bytes.length && (quoted || !isLineEnd(bytes[position])); position += 1) {
    if (bytes[position] === quote) quoted = !quoted;
    else if (!quoted) seen.add(bytes[position]);
  }
  const delimiter = [',', ';', '\t'].find((sign) => seen.has(sign.charCodeAt(0)));
  return { delimiter: delimiter ?? ',', header: 0 };
}

/** Finds the line on which each row begins from the byte offsets at which rows end. */
function createLineCount(bytes: Buffer, header: number) {
  let position = header;
  let line = header > 0 ? 2 : 1;
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
const faultOf = ({ code }: CsvError, rows: number) =>
  `The CSV cannot be read after data row ${rows}: ${quoteFaults[code] ?? 'its rows are malformed'}.`;

const notUtf8 = () => new AppError('invalid_csv', 'The CSV is not in UTF-8. Save it as “CSV UTF-8” and upload it again.');
const noCodeColumn = () => new AppError('invalid_csv', 'The header row has no column named code or license_key.');

/** @throws AppError invalid_csv */
function codeColumnOf(header: readonly string[]): number {
  const [column, ...others] = header.flatMap((name, at) => (codeColumns.includes(name.toLowerCase()) ? [at] : []));
  if (column === undefined) throw noCodeColumn();
  if (others.length > 0) throw new AppError('invalid_csv', 'The header row names more than one code column.');
  return column;
}

/** The pieces from the header on, as long as they are UTF-8 of not too many cells. */
function* checked(pieces: readonly Uint8Array[], { delimiter, header }: Dialect): Generator<Uint8Array> {
  const separator = delimiter.charCodeAt(0);
  let [separators, skipped] = [0, 0];
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const check = (piece?: Uint8Array) => {
    try {
      decoder.decode(piece, { stream: piece !== undefined });
    } catch {
      throw notUtf8();
    }
  };
  // UTF-16 without its mark is UTF-8 as well, with a NUL beside each letter.
  if (pieces[0]?.subarray(0, 2).includes(0)) throw notUtf8();
  for (const piece of pieces) {
    check(piece);
    for (const byte of piece) if (byte === separator) separators += 1;
    if (separators > maxCommas) {
      throw new AppError('invalid_csv', `The CSV has more than ${maxCommas} separators of cells; leave out other columns.`);
    }
    const rest = piece.subarray(header - skipped);
    skipped += piece.length - rest.length;
    yield rest;
  }
  check();
}
