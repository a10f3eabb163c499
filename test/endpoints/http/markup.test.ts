import { expect, test } from '@jest/globals';
import { HtmlValidate } from 'html-validate';
import { everyMarkup } from '../../support/scenes/pages/every-markup.ts';

test('every page and mail is HTML as its standard has it, before scripts run', async () => {
  const checker = new HtmlValidate({ root: true, extends: ['html-validate:standard'] });
  const faults: string[] = [];
  for (const [name, markup] of await everyMarkup()) {
    const { results } = await checker.validateString(markup);
    // Screen readers would read a hidden description out.
    for (const [, ids = ''] of markup.matchAll(/aria-describedby="([^"]+)"/g)) {
      for (const id of ids.split(' ')) {
        if (new RegExp(`<[^>]* id="${id}"[^>]* hidden`).test(markup)) faults.push(`${name} ${id} describes a field while it is hidden`);
      }
    }
    for (const { line, message } of results.flatMap(({ messages }) => messages)) faults.push(`${name}:${line} ${message}`);
  }
  expect(faults).toEqual([]);
});
