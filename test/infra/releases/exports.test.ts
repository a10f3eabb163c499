import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { operatorSettings, synthesizeAt } from '../../support/synthesized.ts';

jest.setTimeout(120_000);

/** What the data stack exported in the last version, for the stacks of that version to import. */
const lastVersion = readFileSync(join(import.meta.dirname, 'exports.txt'), 'utf8')
  .trim()
  .split('\n');

test.each([
  ['staging', {}],
  ['production', { CLAMD_URL: 'tcp://clamd.internal:3310', MAIL_IDENTITY: 'existing', ROLLOUT: 'at-once' }],
  ['staging', { RESTORED_TABLE_STREAM_ARN: 'arn:aws:dynamodb:eu-west-1:111122223333:table/restored/stream/2026-01-31T09:00:00.000' }],
])('the data stack exports what it did, and all of it with every setting: %s %j', async (stage, settings) => {
  const { data } = (await synthesizeAt(stage, { ...operatorSettings, ...settings })).templates;
  const outputs = Object.entries(data.findOutputs('*')).filter(([, { Export }]) => Export);
  const prefix = new RegExp(`^license-service-${stage}-data[:-]`);
  expect(outputs.map(([, { Export }]) => Export.Name.replace(prefix, '')).sort()).toEqual(lastVersion);
});
