import { beforeAll, expect, jest, test } from '@jest/globals';
import { ownSettings, type Synthesized, synthesizeAt } from '../../support/synthesized.ts';

jest.setTimeout(120_000);
const { RESTORED_TABLE_STREAM_ARN, ...others } = ownSettings;
let own: Synthesized;
let cut: Synthesized;

beforeAll(async () => {
  own = await synthesizeAt('staging', others);
  cut = await synthesizeAt('staging', ownSettings);
});

test('functions, permissions, the stream and what is watched are of the restored table alone', () => {
  const { api, workers, operations, data } = cut.templates;
  for (const template of [api, workers]) {
    const tables = Object.values(template.findResources('AWS::Lambda::Function')).map(
      ({ Properties }) => Properties.Environment?.Variables.TABLE_NAME,
    );
    expect(new Set(tables.filter((name) => name !== undefined))).toEqual(new Set(['restored-0131']));
  }
  const sources = Object.values(workers.findResources('AWS::Lambda::EventSourceMapping')).map(
    ({ Properties }) => Properties.EventSourceArn,
  );
  expect(sources).toContain(RESTORED_TABLE_STREAM_ARN);
  const importedOfOwn = /ExportsOutput\w*Table[0-9A-F]/;
  for (const template of [api, workers, operations]) expect(JSON.stringify(template.toJSON())).not.toMatch(importedOfOwn);
  expect(JSON.stringify([api, workers, operations].map((template) => template.toJSON()))).toContain('restored-0131');
  expect(data.findOutputs('TableName')['TableName']?.['Value']).toBe('restored-0131');
});

test('the own table stays as it is, with all that the other stacks import of it until they are deployed', () => {
  const [before, after] = [own.templates.data.toJSON(), cut.templates.data.toJSON()];
  expect(after.Resources).toEqual(before.Resources);
  const { TableName: _, ...exports } = before.Outputs;
  expect(after.Outputs).toMatchObject(exports);
});
