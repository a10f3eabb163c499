import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { tableIndexes } from '../../infra/constructs/table-indexes.ts';
import { evaluate, type Policy, readPolicy } from '../../infra/local/access/policy-evaluation.ts';
import { account, region } from '../../infra/local/references.ts';
import { partitions } from '../../shared/db/keys.ts';
import { type AccessRecord, faultsOf, lineOf, type Right, readRecords, rightsIn } from '../support/access/rights.ts';
import { type RolePolicy, readRolePolicies } from '../support/access/synthesized-roles.ts';
import { unusedInTests, usedByChance } from '../support/access/unused-in-tests.ts';
import { newFolder } from '../support/new-folder.ts';
import { constructAt, operatorSettings, type Synthesized, synthesizeAt } from '../support/synthesized.ts';

jest.setTimeout(120_000);

interface Request {
  action: string;
  resource: string;
  /** Partition keys of the items. */
  keys?: readonly string[];
}

const decide = (policy: Policy, { action, resource, keys }: Request) =>
  evaluate(
    {
      principal: `arn:aws:iam::${account}:role/tested`,
      action,
      resource,
      context: { 'aws:SecureTransport': 'true', ...(keys && { 'dynamodb:LeadingKeys': keys }) },
    },
    policy,
    tablePolicy,
  );

let service: Synthesized;
let found: ReturnType<typeof readRolePolicies>;
let roles: ReadonlyMap<string, Policy>;
let rights: readonly Right[];
let tablePolicy: Policy;
beforeAll(async () => {
  service = await synthesizeAt('staging');
  found = readRolePolicies(service);
  rights = rightsIn(found.roles);
  roles = new Map([...found.roles].map(([name, policy]) => [name, readPolicy(policy, 'identity')]));
  tablePolicy = readPolicy(found.tablePolicy, 'resource');
});

function roleOf(name: string): Policy {
  const role = roles.get(name);
  if (!role) throw new Error(`No role of ${name}.`);
  return role;
}
const onTable = (name: string, action: string, ...keys: string[]) =>
  decide(roleOf(name), { action: `dynamodb:${action}`, resource: found.tableArn, keys });

const declarable = ['BatchGetItem', 'ConditionCheckItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'];
const itemActions = [...declarable, 'BatchWriteItem', 'Scan', 'PartiQLUpdate'];
/** What is kept where no partition of ours is, too. */
const keys = Object.entries({ ...partitions, nothing: 'NOTHING#' }).map(([name, key]) => ({ name, key: key.replace(/#$/, '#x') }));

describe('a role allows what its function declares, and denies everything else', () => {
  test('with items, by action and partition', () => {
    const allowed = [...roles.keys()].flatMap((name) =>
      itemActions.flatMap((action) =>
        keys.filter(({ key }) => onTable(name, action, key) === 'Allowed').map((partition) => `${name} ${action} ${partition.name}`),
      ),
    );
    const declared = service.functions.flatMap(({ name, permissions }) =>
      Object.entries(permissions?.table ?? {}).flatMap(([action, names]) => names.map((partition) => `${name} ${action} ${partition}`)),
    );
    expect(declared.length).toBeGreaterThan(100);
    expect(allowed.sort()).toEqual(declared.sort());
  });

  test('with objects, by action and prefix', () => {
    const [bucket = ''] = (found.roles.get('health')?.Statement ?? [])
      .flatMap(({ Resource }) => Resource)
      .filter((arn) => arn.startsWith('arn:aws:s3:::'));
    const writes = ['PutObject', 'DeleteObject', 'DeleteObjectVersion', 'PutObjectTagging', 'AbortMultipartUpload'];
    const actions = ['GetObject', 'GetObjectVersion', 'ListMultipartUploadParts', ...writes];
    const allowed = [...roles].flatMap(([name, role]) =>
      ['files/', 'pictures/', 'other/', ''].flatMap((prefix) =>
        actions
          .filter((action) => decide(role, { action: `s3:${action}`, resource: `${bucket}/${prefix}x` }) === 'Allowed')
          .map((action) => `${name} s3:${action} ${prefix}`),
      ),
    );
    const declared = service.functions.flatMap(({ name, permissions }) =>
      Object.entries(permissions?.objects ?? {}).flatMap(([prefix, names]) => names.map((action) => `${name} ${action} ${prefix}`)),
    );
    expect(allowed.sort()).toEqual(declared.sort());
  });

  test('with indexes: their queries, and no scan', () => {
    const allowed = [...roles].flatMap(([name, role]) =>
      tableIndexes.flatMap(({ indexName }) =>
        ['Query', 'Scan']
          .filter((action) => {
            const request = { action: `dynamodb:${action}`, resource: `${found.tableArn}/index/${indexName}`, keys: ['x'] };
            return decide(role, request) === 'Allowed';
          })
          .map((action) => `${name} ${action} ${indexName}`),
      ),
    );
    const declared = service.functions.flatMap(({ name, permissions }) =>
      (permissions?.indexes ?? []).map((index) => `${name} Query ${index}`),
    );
    expect(allowed.sort()).toEqual(declared.sort());
  });
});

describe('a request for several items', () => {
  test('is denied when one of them is in another partition', () => {
    expect(onTable('licenses', 'BatchGetItem', 'LICENSE#1', 'LICENSE#2')).toBe('Allowed');
    expect(onTable('licenses', 'BatchGetItem', 'LICENSE#1', 'SELLER#2')).toBe('ImplicitlyDenied');
  });

  test('is denied when it names no partition', () => {
    for (const [name, role] of roles) {
      for (const action of itemActions) {
        const request = { action: `dynamodb:${action}`, resource: found.tableArn };
        expect([name, action, decide(role, request)]).toEqual([name, action, 'ImplicitlyDenied']);
      }
    }
  });
});

test('production has the same roles, but for the recipients of the sandbox', async () => {
  const production = readRolePolicies(await synthesizeAt('production', operatorSettings));
  const ofSandbox = ({ Action, Resource }: RolePolicy['Statement'][number]) =>
    `${Action} ${Resource}` === `ses:SendEmail arn:aws:ses:${region}:${account}:identity/*`;
  const asInProduction = [...found.roles].map(([name, policy]): [string, RolePolicy] => [
    name,
    name === 'mail-sender' ? { ...policy, Statement: policy.Statement.filter((statement) => !ofSandbox(statement)) } : policy,
  ]);
  expect(found.roles.get('mail-sender')?.Statement.filter(ofSandbox)).toEqual([
    expect.objectContaining({ Condition: { StringEquals: { 'ses:FromAddress': operatorSettings.MAIL_FROM } } }),
  ]);
  expect(Object.fromEntries(production.roles)).toEqual(Object.fromEntries(asInProduction));
  expect(production.tablePolicy).toEqual(found.tablePolicy);
});

describe('a function that does not say what it does', () => {
  const withPermissions = (name: string, permissions: object | undefined) =>
    constructAt('staging', operatorSettings, {
      change: (functions) => functions.map((definition) => (definition.name === name ? { ...definition, permissions } : definition)),
    });

  test.each([
    ['licenses', undefined],
    ['pictures', { table: { GetItem: ['product'] } }],
    ['products', { table: { GetItem: ['product'] }, bucket: ['s3:ListBucket'] }],
    ['docs', { table: { GetItem: ['product'] } }],
  ])('with what %s has is an error that names its file', async (name, permissions) => {
    await expect(withPermissions(name, permissions)).rejects.toThrow(`functions/${name}/declaration.ts`);
  });
});

const reasons = { unused: unusedInTests, byChance: usedByChance };
const none = { unused: {}, byChance: {} };

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
    const folder = newFolder();
    const files = { 'allowed.jsonl': others, 'allowed-2.jsonl': [first], 'denied.jsonl': [useOf(right)] };
    for (const [name, records] of Object.entries(files))
      writeFileSync(join(folder, name), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    expect(faultsOf(rights, readRecords(folder), reasons)).toEqual(unused(right));
  });
});
