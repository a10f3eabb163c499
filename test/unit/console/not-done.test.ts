import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { type NotDone, notDone } from '../../../functions/console/browser/words/not-done.ts';
import { inLanguage } from '../../support/in-language.ts';

const browser = 'functions/console/browser';
/** The texts of each room that has some, with the names of those that say what did not happen. */
const rooms = globSync(`${browser}/**/*-texts.ts`)
  .map((file) => ({
    file,
    names: [...readFileSync(file, 'utf8').matchAll(/(\w+): (?:\([^)]*\) => )?notDone\(/g)].map(([, name = '']) => name),
  }))
  .filter(({ names }) => names.length > 0);
const exported = rooms.map(({ file }, at) => `export { texts as texts${at} } from '.${file.slice(browser.length)}';`).join('\n');

const textsIn = async (language: 'en' | 'ja'): Promise<[string, unknown][]> => {
  const { exports } = await inLanguage(language, exported);
  return rooms.flatMap(({ file, names }, at) =>
    names.map((name): [string, unknown] => {
      const text = exports[`texts${at}`][name];
      return [`${file}: ${name}`, typeof text === 'function' ? text('it') : text];
    }),
  );
};

describe('what did not happen', () => {
  test('is said in English, and in Japanese, by every screen that does something', async () => {
    const [en, ja] = [await textsIn('en'), await textsIn('ja')];
    expect(en.length).toBeGreaterThan(40);
    for (const [place, text] of en)
      expect([place, text]).toEqual([place, expect.stringMatching(/^[A-Z\w].* (?:was|were|could) not .*\.$/)]);
    for (const [place, text] of ja) expect([place, text]).toEqual([place, expect.stringMatching(/^.*[\u3040-\u30ff].*ませんでした。$/)]);
  });

  test('is never what a button says', () => {
    const said: NotDone[] = [notDone('The release was not handed in.'), notDone('リリースは提出されませんでした。')];
    // @ts-expect-error The label of a button.
    said.push('Hand in');
    // @ts-expect-error The same in Japanese.
    said.push('審査に提出');
    // @ts-expect-error Any text.
    said.push(String(said[0]));
    // @ts-expect-error No sentence.
    said.push('was not handed in');
    expect(said).toHaveLength(6);
  });
});
