import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type AccessRecord, faultsOf, lineOf, type Right, readRecords, rightsIn } from '../../support/access/rights.ts';
import { readRolePolicies } from '../../support/access/synthesized-roles.ts';
import { unusedInTests, usedByChance } from '../../support/access/unused-in-tests.ts';
import { synthesizeAt } from '../../support/synthesized.ts';

jest.setTimeout(120_000);

const reasons = { unused: unusedInTests, byChance: usedByChance };
const none = { unused: {}, byChance: {} };

let rights: readonly Right[];
beforeAll(async () => {
  rights = rightsIn(readRolePolicies(await synthesizeAt('staging')).roles);
});

/** What the local stack would have written of a call that uses the right. */
const useOf = ({ function: name, action, resource, prefix }: Right): AccessRecord => ({
  function: name,
  action,
  resource,
  prefixes: prefix === undefined ? [] : [prefix],
});
const isReasoned = (right: Right) => faultsOf([right], [], reasons).every((fault) => !fault.startsWith('No test used'));
/** A run that uses every right that no reason says is not used. */
const completeRun = () => rights.filter((right) => !isReasoned(right)).map(useOf);

/** The only right of this form. */
function only(form: RegExp): Right {
  const [right, ...more] = rights.filter((one) => form.test(lineOf(one)));
  if (!right || more.length > 0) throw new Error(`${more.length} rights more are ${form}.`);
  return right;
}
const withoutUseOf = (right: Right) => completeRun().filter((record) => JSON.stringify(record) !== JSON.stringify(useOf(right)));
const unused = (right: Right) => [`No test used ${lineOf(right)}.`];

describe('the rights that tests use', () => {
  test('are all but those with a reason, and then nothing is wrong', () => {
    expect(faultsOf(rights, completeRun(), reasons)).toEqual([]);
  });

  test.each([
    /^licenses dynamodb:BatchGetItem LICENSE#$/,
    /^event-projector sqs:SendMessage MailQueue/,
    /^file-hasher s3:PutObject .*\/pictures\/\*$/,
  ])('are short of %s when no record has it', (form) => {
    const right = only(form);
    expect(faultsOf(rights, withoutUseOf(right), reasons)).toEqual(unused(right));
  });

  test.each<[form: RegExp, how: string, change: (use: AccessRecord) => Partial<AccessRecord>, isUsed: boolean]>([
    [/^sellers dynamodb:PutItem ACCOUNT#$/, 'by another function', () => ({ function: 'products' }), false],
    [/^sellers dynamodb:PutItem ACCOUNT#$/, 'in another partition', () => ({ prefixes: ['SELLER#'] }), false],
    [/^sellers dynamodb:PutItem ACCOUNT#$/, 'in another partition too', () => ({ prefixes: ['ACCOUNT#', 'SELLER#'] }), true],
    [/^purchases s3:GetObjectVersion/, 'for an object', ({ resource }) => ({ resource: resource.replace('*', 'prod_1/file_1') }), true],
    [/^purchases s3:GetObjectVersion/, 'elsewhere', ({ resource }) => ({ resource: resource.replace('/files/*', '/pictures/x') }), false],
  ])('%s used %s counts as it should', (form, _, change, isUsed) => {
    const right = only(form);
    const use = useOf(right);
    expect(faultsOf([right], [{ ...use, ...change(use) }], none)).toEqual(isUsed ? [] : unused(right));
  });

  test('make a reason stale, but for a right that is used by chance', () => {
    const right = only(/^file-scanner guardduty:/);
    const reason = { 'file-scanner guardduty:*': 'There is none here.' };
    const stale = ['The reason for file-scanner guardduty:* is not needed: drop it.'];
    expect(faultsOf([right], [], { ...none, unused: reason })).toEqual([]);
    expect(faultsOf([right], [useOf(right)], { ...none, unused: reason })).toEqual(stale);
    for (const records of [[], [useOf(right)]]) expect(faultsOf([right], records, { ...none, byChance: reason })).toEqual([]);
    expect(faultsOf([], [], { ...none, byChance: reason })).toHaveLength(1);
  });

  test('are read from the records of all stacks, of which none counts that was denied', () => {
    const right = only(/^licenses dynamodb:UpdateItem RATE#$/);
    const [first, ...others] = withoutUseOf(right);
    const folder = folderOf({ 'allowed.jsonl': others, 'allowed-2.jsonl': [first!], 'denied.jsonl': [useOf(right)] });
    expect(faultsOf(rights, readRecords(folder), reasons)).toEqual(unused(right));
  });
});

function folderOf(files: Record<string, readonly AccessRecord[]>): string {
  const folder = mkdtempSync(join(tmpdir(), 'rights-'));
  for (const [name, records] of Object.entries(files)) {
    writeFileSync(join(folder, name), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  }
  return folder;
}
