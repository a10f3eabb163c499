import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { fileReviewTable } from '../../shared/product-files/file-states.ts';
import { productReviewTable, sellerMoves } from '../../shared/products/product-states.ts';
import { reviewTable } from '../../shared/sellers/seller.ts';
import { readSources } from './source-files.ts';

const root = join(import.meta.dirname, '..', '..');

/** The tables of a README, each as rows of cells without their Markdown; the head row first. */
function tablesIn(page: string): string[][][] {
  const blocks = readFileSync(join(root, page), 'utf8').match(/(^\|.*\|[ \t]*\n)+/gm) ?? [];
  return blocks.map((block) =>
    block
      .trim()
      .split('\n')
      .filter((line) => !/^\|[\s|:-]+\|$/.test(line))
      .map((line) =>
        line
          .replace(/^\||\|\s*$/g, '')
          .split('|')
          .map((cell) => cell.replace(/[`*]|\]\([^)]*\)|\[/g, '').trim()),
      ),
  );
}

/** The table whose first head cell is `corner`, as row name → column name → cell. */
function tableOf(page: string, corner: string): Record<string, Record<string, string>> {
  const found = tablesIn(page).find(([head]) => head?.[0] === corner);
  if (!found) throw new Error(`${page} has no table that begins with "${corner}".`);
  const [head = [], ...rows] = found;
  return Object.fromEntries(
    rows.map(([name = '', ...cells]) => [name, Object.fromEntries(cells.map((cell, index) => [head[index + 1] ?? '', cell]))]),
  );
}

describe('state tables in READMEs are those of the code', () => {
  test.each([
    ['shared/sellers/README.md', 'from \\ decision', reviewTable],
    ['shared/products/README.md', 'from \\ decision', productReviewTable],
    ['shared/product-files/README.md', 'from \\ decision', fileReviewTable],
  ])('%s: %s', (page, corner, table) => {
    expect(tableOf(page, corner)).toEqual(table);
  });

  test("what a seller's own moves make of a product", () => {
    const byState = Object.fromEntries(
      Object.keys(sellerMoves.submit).map((state) => [
        state,
        Object.fromEntries(Object.entries(sellerMoves).map(([move, outcomes]) => [move, outcomes[state as keyof typeof outcomes]])),
      ]),
    );
    expect(tableOf('shared/products/README.md', 'from \\ move')).toEqual(byState);
  });
});

describe('the lists of rooms', () => {
  const foldersOf = (folder: string) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();

  test('functions/README.md names every function', () => {
    const named = Object.keys(tableOf('functions/README.md', 'function')).sort();
    expect(named).toEqual(foldersOf('functions').filter((name) => existsSync(join(root, 'functions', name, 'handler.ts'))));
  });

  test('shared/README.md names every room and what it imports', () => {
    const roomOf = (path: string) => /^shared\/([^/]+)\//.exec(path)?.[1];
    const imported = new Map(foldersOf('shared').map((room) => [room, new Set<string>()]));
    for (const { path, imports } of readSources('shared')) {
      const room = roomOf(path);
      const others = imports.map(roomOf).filter((name) => name !== undefined && name !== room);
      for (const other of others) if (room !== undefined && other !== undefined) imported.get(room)?.add(other);
    }
    const stated = Object.entries(tableOf('shared/README.md', 'room')).map(([room, cells]) => [room, cells['imports of other rooms']]);
    expect(Object.fromEntries(stated)).toEqual(
      Object.fromEntries([...imported].map(([room, names]) => [room, [...names].sort().join(', ')])),
    );
  });
});
