import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { findEndpoints } from '../../infra/documents/openapi/find-endpoints.ts';
import { errorCodes } from '../../shared/errors.ts';
import { readSources } from './source-files.ts';

const root = join(import.meta.dirname, '..', '..');
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
/** The guides are pages of the site, which has tests of its own. */
const pages = tracked.filter((path) => path.endsWith('.md') && !path.startsWith('infra/documents/docs/'));
const headings = (page: string) => [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading);

/** The part of an address that leads to a heading. */
const anchorOf = (heading = '') =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

/** `path: what` for all of `files` in which `find` finds something. */
const findings = (files: readonly string[], find: (path: string) => readonly string[]) =>
  files.flatMap((path) => find(path).map((what) => `${path}: ${what}`));

describe('what the code cites', () => {
  const citing = [...readSources('functions', 'shared', 'infra', 'test')].filter(
    ({ path }) => path !== 'test/architecture/readmes.test.ts',
  );
  const citation = /See "([^"]+)" in ((?:[\w./-]+\/)?[\w-]+\.md)/g;

  test('is a heading of a page that is there', () => {
    const unresolved = citing.flatMap(({ path, text }) =>
      // A citation may run over the lines of a comment.
      [...text.replace(/\n\s*(\*|\/\/)\s*/g, ' ').matchAll(citation)]
        .filter(([, heading = '', page = '']) => {
          const target = page.includes('/') ? page : join(dirname(path), page);
          return !existsSync(join(root, target)) || !headings(target).includes(heading);
        })
        .map(([whole]) => `${path}: ${whole}`),
    );
    expect(unresolved).toEqual([]);
  });

  test('is never a page that is not in the repository', () => {
    const elsewhere = /\b(decisions|interface|provider|traps|architecture|peers)\.md\b|\bSource: |\b(part|§) ?\d+ of the (spec|decisions)/g;
    const texts = tracked.filter((path) => /\.(ts|js|mjs|md|css|json|yml)$/.test(path) && path !== 'package-lock.json');
    const own = 'test/architecture/readmes.test.ts';
    expect(
      findings(
        texts.filter((path) => path !== own),
        (path) => read(path).match(elsewhere) ?? [],
      ),
    ).toEqual([]);
  });
});

describe('READMEs', () => {
  test('link to what is there', () => {
    const broken = findings(pages, (page) =>
      [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)#]*)(?:#([^)]*))?\)/g)]
        .filter(([, path = '', anchor]) => {
          const target = path === '' ? page : join(dirname(page), path);
          return !existsSync(join(root, target)) || (anchor !== undefined && !headings(target).map(anchorOf).includes(anchor));
        })
        .map(([link]) => link),
    );
    expect(broken).toEqual([]);
  });

  test('name only files that are there, by their path or by their name alone', () => {
    const missing = findings(pages, (page) => [
      ...[...read(page).matchAll(/`((?:functions|shared|infra|test|events|\.github|\.ci)\/[\w./-]+)`/g)]
        .map(([, path = '']) => normalize(path))
        .filter((path) => !existsSync(join(root, path))),
      ...[...read(page).matchAll(/`([a-z][\w-]*\.ts)`/g)]
        .map(([, file = '']) => file)
        .filter((file) => !tracked.some((path) => path.endsWith(`/${file}`))),
    ]);
    expect(missing).toEqual([]);
  });

  test('stay short, as do the pages beside them', () => {
    const lines = (page: string) => read(page).split('\n').length;
    expect(pages.filter((page) => lines(page) > 91).map((page) => `${page}: ${lines(page)}`)).toEqual([]);
  });

  test('have at most 600 words', () => {
    const words = (page: string) => read(page).split(/\s+/).filter(Boolean).length;
    // The first page of the project is bound by its lines.
    const rooms = pages.filter((page) => page.endsWith('/README.md'));
    expect(rooms.length).toBeGreaterThan(50);
    expect(rooms.filter((page) => words(page) > 600).map((page) => `${page}: ${words(page)}`)).toEqual([]);
  });

  test('link to every page beside them, near their beginning', () => {
    const lost = pages.filter((page) => {
      const readme = join(dirname(page), 'README.md');
      if (page.endsWith('README.md') || page.startsWith('.') || !tracked.includes(readme)) return false;
      return !read(readme)
        .split('\n')
        .slice(0, 40)
        .join('\n')
        .includes(`](${basename(page)}`);
    });
    expect(lost).toEqual([]);
  });
});

describe('codes and names in READMEs are those of the code', () => {
  /** Of another program's configuration. */
  const foreign = ['HeuristicScanPrecedence', 'MaxFileSize'];

  test('each error code has a status that some endpoint sends it with', async () => {
    const declared = (await findEndpoints()).flatMap(({ endpoint: { errors } }) => errors.filter((error) => typeof error === 'object'));
    const isSent = (code: string, status: number) =>
      Object.entries(errorCodes).some(([known, { status: usual }]) => known === code && usual === status) ||
      declared.some((error) => error.code === code && error.status === status);
    const wrong = pages.flatMap((page) =>
      [...read(page).matchAll(/\b([45]\d\d)((?:(?:,| or)? `[a-z_]+`)+)/g)].flatMap(([, status, codes = '']) =>
        [...codes.matchAll(/`(\w+)`/g)]
          .filter(([, code = '']) => !isSent(code, Number(status)))
          .map(([, code]) => `${page}: ${status} ${code}`),
      ),
    );
    expect(wrong).toEqual([]);
  });

  test('each name is one that the code has', () => {
    const words = new Set(
      readSources('functions', 'shared', 'infra', 'test').flatMap(({ path, text }) =>
        path.startsWith('test/architecture/') ? [] : (text.match(/[A-Za-z_]\w+/g) ?? []),
      ),
    );
    const unknown = pages.flatMap((page) =>
      [...read(page).matchAll(/`([A-Za-z]+(?:_[a-z0-9]+|[A-Z][a-z]+|_[A-Z]+)\w*)`/g)]
        .filter(([, name = '']) => !words.has(name) && !foreign.includes(name))
        .map(([, name]) => `${page}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });
});
