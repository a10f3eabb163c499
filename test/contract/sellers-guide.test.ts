import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { guidePage } from '../../infra/documents/site/page.ts';

const document = JSON.parse(readFileSync(process.env['OPENAPI_DOCUMENT'] ?? '', 'utf8'));
const assets = { guideScript: 'guide.js', script: 'reference.js', style: 'docs.css', viewerStyle: 'viewer.css' };
const pages = { en: String(guidePage(assets, 'en', 'sellers')), ja: String(guidePage(assets, 'ja', 'sellers')) };

describe('The guide for sellers', () => {
  test.each(['en', 'ja'] as const)('names requests that there are, in %s', (locale) => {
    const named = [...pages[locale].matchAll(/<code>(GET|POST|PATCH) (\/v1\/[^<]+)<\/code>/g)];
    expect(named.length).toBeGreaterThan(8);
    const unknown = named.filter(([, method = '', path = '']) => document.paths[path]?.[method.toLowerCase()] === undefined);
    expect(unknown.map(([, ...request]) => request.join(' '))).toEqual([]);
  });
});

describe.each([
  ['sellers', 10],
  ['updates', 4],
] as const)('The guide %s', (name, parts) => {
  const pages = { en: String(guidePage(assets, 'en', name)), ja: String(guidePage(assets, 'ja', name)) };

  test('has the same parts, and names the same fields and words, in both languages', () => {
    const ids = (page: string) => [...page.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id);
    const codes = (page: string) => [...new Set([...page.matchAll(/<code>([^<]+)<\/code>/g)].map(([, code]) => code))].toSorted();
    expect(ids(pages.en)).toHaveLength(parts);
    expect(ids(pages.ja)).toEqual(ids(pages.en));
    expect(codes(pages.ja)).toEqual(codes(pages.en));
  });
});
