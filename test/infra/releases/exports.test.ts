import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { operatorSettings, ownSettings, synthesizeAt } from '../../support/synthesized.ts';

jest.setTimeout(120_000);

/** What the data stack exported in the last version, for the stacks of that version to import. */
const lastVersion = readFileSync(join(import.meta.dirname, 'exports.txt'), 'utf8')
  .trim()
  .split('\n');

test.each([
  ['production', operatorSettings],
  ['staging', ownSettings],
])('the data stack exports what it did, and all of it with every setting: at %s with %j', async (stage, settings) => {
  const { data } = (await synthesizeAt(stage, settings)).templates;
  const outputs = Object.entries(data.findOutputs('*')).filter(([, { Export }]) => Export);
  const prefix = new RegExp(`^license-service-${stage}-data[:-]`);
  expect(outputs.map(([, { Export }]) => Export.Name.replace(prefix, '')).sort()).toEqual(lastVersion);
});
