import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
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

describe('the rights that tests use', () => {
  test('are all but those with a reason, and then nothing is wrong', () => {
    expect(faultsOf(rights, completeRun(), reasons)).toEqual([]);
  });

  test.each([
    ['licenses dynamodb:BatchGetItem LICENSE#', { action: 'dynamodb:BatchGetItem', prefixes: ['LICENSE#'] }],
    ['licenses dynamodb:UpdateItem RATE#', { action: 'dynamodb:UpdateItem', prefixes: ['RATE#'] }],
  ])('are short of %s when no record has it', (line, { action, prefixes }) => {
    const others = completeRun().filter(
      (record) => !(record.function === 'licenses' && record.action === action && record.prefixes.join() === prefixes.join()),
    );
    expect(faultsOf(rights, others, reasons)).toEqual([`No test used ${line}.`]);
  });

  test('are short of each queue, index, secret and object prefix by itself', () => {
    const kinds = [
      /^event-projector sqs:SendMessage MailQueue/,
      /^admin dynamodb:Query .*\/index\/list$/,
      /^licenses secretsmanager:.*LEASE_KEYS/,
    ];
    for (const kind of [...kinds, /^file-hasher s3:PutObject .*\/pictures\/\*$/]) {
      const [missed, ...more] = rights.filter((right) => kind.test(lineOf(right)));
      if (!missed) throw new Error(`Nothing is ${kind}.`);
      expect(more).toEqual([]);
      const others = completeRun().filter((record) => JSON.stringify(record) !== JSON.stringify(useOf(missed)));
      expect(faultsOf(rights, others, reasons)).toEqual([`No test used ${lineOf(missed)}.`]);
    }
  });

  test('do not count what another function did, or the same in another partition', () => {
    const [right] = rights.filter((one) => lineOf(one) === 'sellers dynamodb:PutItem ACCOUNT#');
    if (!right) throw new Error('There is no such right.');
    const elsewhere = [
      { ...useOf(right), function: 'products' },
      { ...useOf(right), prefixes: ['SELLER#'] },
    ];
    expect(faultsOf([right], elsewhere, none)).toEqual([`No test used ${lineOf(right)}.`]);
    expect(faultsOf([right], [{ ...useOf(right), prefixes: ['ACCOUNT#', 'SELLER#'] }], none)).toEqual([]);
  });

  test('count an object for its prefix', () => {
    const [right] = rights.filter((one) => /^purchases s3:GetObjectVersion/.test(lineOf(one)));
    if (!right) throw new Error('There is no such right.');
    expect(faultsOf([right], [{ ...useOf(right), resource: right.resource.replace('*', 'prod_1/file_1') }], none)).toEqual([]);
    expect(faultsOf([right], [{ ...useOf(right), resource: right.resource.replace('/files/*', '/pictures/x') }], none)).toHaveLength(1);
  });

  test('make a reason stale, but for a right that is used by chance', () => {
    const [right] = rights.filter((one) => lineOf(one).startsWith('file-scanner guardduty:'));
    if (!right) throw new Error('There is no such right.');
    const reason = { 'file-scanner guardduty:*': 'There is none here.' };
    expect(faultsOf([right], [], { ...none, unused: reason })).toEqual([]);
    expect(faultsOf([right], [useOf(right)], { ...none, unused: reason })).toEqual([
      'The reason for file-scanner guardduty:* is not needed: drop it.',
    ]);
    for (const records of [[], [useOf(right)]]) expect(faultsOf([right], records, { ...none, byChance: reason })).toEqual([]);
    expect(faultsOf([], [], { ...none, byChance: reason })).toHaveLength(1);
  });
});

describe('npm run test:rights', () => {
  const script = join(import.meta.dirname, '..', '..', 'support', 'access', 'check-used-rights.ts');
  const check = (folder: string) =>
    promisify(execFile)(process.execPath, [script], { env: { ...process.env, ACCESS_RECORD: folder, NODE_OPTIONS: '' } }).then(
      () => '',
      (error: { stderr: string }) => error.stderr,
    );
  const folderOf = (files: Record<string, readonly AccessRecord[]>) => {
    const folder = mkdtempSync(join(tmpdir(), 'rights-'));
    for (const [name, records] of Object.entries(files)) {
      writeFileSync(join(folder, name), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    }
    return folder;
  };

  test('reads the records of all stacks, and takes none of what was denied', async () => {
    const [missed, ...others] = completeRun();
    if (!missed) throw new Error('Nothing was used.');
    const half = Math.floor(others.length / 2);
    const both = { 'allowed.jsonl': others.slice(0, half), 'allowed-2.jsonl': others.slice(half) };
    expect(faultsOf(rights, readRecords(folderOf({ ...both, 'more.jsonl': [missed] })), reasons)).toEqual([]);
    expect(await check(folderOf({ ...both, 'denied.jsonl': [missed] }))).toMatch(/^No test used .*\.\n$/);
  });

  test('fails without any record', async () => {
    expect(await check(folderOf({}))).toMatch(/ACCESS_RECORD/);
  });
});
