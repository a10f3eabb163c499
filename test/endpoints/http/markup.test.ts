import { expect, test } from '@jest/globals';
import { HtmlValidate } from 'html-validate';
import { everyMarkup } from '../../support/scenes/pages/every-markup.ts';

test('every page and mail is HTML as its standard has it, before scripts run', async () => {
  const checker = new HtmlValidate({ root: true, extends: ['html-validate:standard'] });
  const faults: string[] = [];
  for (const [name, markup] of await everyMarkup()) {
    const { results } = await checker.validateString(markup);
    for (const { line, message } of results.flatMap(({ messages }) => messages)) faults.push(`${name}:${line} ${message}`);
  }
  expect(faults).toEqual([]);
});
