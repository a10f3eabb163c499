import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const plain = (text: string) => text.replace(/[`*]|\]\([^)]*\)|\[/g, '').trim();

/** The text of a file of the project. */
export const readPage = (path: string) => readFileSync(join(root, path), 'utf8');

/** The tables of a README, each as rows of cells without their Markdown; the head row first. */
export function tablesIn(page: string): string[][][] {
  const blocks = readPage(page).match(/(^\|.*\|[ \t]*\n)+/gm) ?? [];
  return blocks.map((block) =>
    block
      .trim()
      .split('\n')
      .filter((line) => !/^\|[\s|:-]+\|$/.test(line))
      .map((line) =>
        line
          .replace(/^\||\|\s*$/g, '')
          .split('|')
          .map(plain),
      ),
  );
}

/** The rows below the head of the table whose first head cell is `corner`. */
export function rowsOf(page: string, corner: string): string[][] {
  return headAndRowsOf(page, corner).rows;
}

/** The first cell of each of those rows. */
export const firstCells = (page: string, corner: string): string[] => rowsOf(page, corner).map(([cell = '']) => cell);

/** The same table as row name → column name → cell. */
export function tableOf(page: string, corner: string): Record<string, Record<string, string>> {
  const { head, rows } = headAndRowsOf(page, corner);
  return Object.fromEntries(
    rows.map(([name = '', ...cells]) => [name, Object.fromEntries(cells.map((cell, index) => [head[index + 1] ?? '', cell]))]),
  );
}

function headAndRowsOf(page: string, corner: string) {
  const found = tablesIn(page).find(([head]) => head?.[0] === corner);
  if (!found) throw new Error(`${page} has no table that begins with "${corner}".`);
  const [head = [], ...rows] = found;
  return { head, rows };
}

/** A time in milliseconds as READMEs write it. */
export const inHours = (milliseconds: number) => `${milliseconds / 3600_000} hour${milliseconds === 3600_000 ? '' : 's'}`;
export const inMinutes = (milliseconds: number) => `${milliseconds / 60_000} minutes`;
