import { type EvaluationResult, runSimulation } from '@cloud-copilot/iam-simulate';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { queueDefinitions } from '../../../infra/constructs/queues.ts';
import { secretSettings } from '../../../shared/config.ts';
import { lineOf, type Right, rightsIn } from '../../support/access/rights.ts';
import { account, type RolePolicy, readRolePolicies, region } from '../../support/access/synthesized-roles.ts';
import { constructAt, operatorSettings, type Synthesized, synthesizeAt } from '../../support/synthesized.ts';
import { actionOf, indexRights, itemRights, objectRights, senders } from './rights-matrix.ts';

jest.setTimeout(120_000);

/** What Lambda does as the function: it takes messages from its queue, and reads the stream. */
const consumption = ['ChangeMessageVisibility', 'DeleteMessage', 'GetQueueAttributes', 'GetQueueUrl', 'ReceiveMessage'];
const streamReading = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];

const everything: RolePolicy = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: ['*'], Resource: ['*'] }] };

interface Request {
  action: string;
  resource: string;
  /** Partition keys of the items. */
  keys?: readonly string[];
}

async function decide(policy: RolePolicy, { action, resource, keys }: Request, resourcePolicy?: unknown): Promise<EvaluationResult> {
  const contextVariables: Record<string, string[]> = keys ? { 'dynamodb:LeadingKeys': [...keys] } : {};
  const result = await runSimulation(
    {
      request: { principal: `arn:aws:iam::${account}:role/tested`, action, resource: { resource, accountId: account }, contextVariables },
      identityPolicies: [{ name: 'tested', policy }],
      serviceControlPolicies: [],
      resourceControlPolicies: [],
      resourcePolicy,
    },
    {},
  );
  if (result.resultType !== 'single') throw new Error(`${action} on ${resource}: ${JSON.stringify(result)}`);
  return result.overallResult;
}

let service: Synthesized;
let found: ReturnType<typeof readRolePolicies>;
beforeAll(async () => {
  service = await synthesizeAt('staging');
  found = readRolePolicies(service);
});

const roleOf = (name: string): RolePolicy => {
  const role = found.roles.get(name);
  if (!role) throw new Error(`No role of ${name}.`);
  return role;
};
const onTable = (name: string, action: string, ...keys: string[]) =>
  decide(roleOf(name), { action: `dynamodb:${action}`, resource: found.tableArn, keys }, found.tablePolicy);
const functionNames = () => [...found.roles.keys()].sort();

/** What is allowed of `candidates`, as lines to compare. */
async function allowed(candidates: readonly { line: string; policy: RolePolicy; request: Request }[], resourcePolicy?: unknown) {
  const lines: string[] = [];
  for (const { line, policy, request } of candidates) if ((await decide(policy, request, resourcePolicy)) === 'Allowed') lines.push(line);
  return lines.sort();
}

describe('a role allows what its function does, and denies everything else', () => {
  test('with items, by partition', async () => {
    const prefixes = [...Object.keys(itemRights), 'NOTHING#'];
    const candidates = functionNames().flatMap((name) =>
      Object.values(actionOf).flatMap((action) =>
        prefixes.map((prefix) => ({
          line: `${name} ${action} ${prefix}`,
          policy: roleOf(name),
          request: { action: `dynamodb:${action}`, resource: found.tableArn, keys: [prefix.endsWith('#') ? `${prefix}x` : prefix] },
        })),
      ),
    );
    const expected = Object.entries(itemRights).flatMap(([prefix, rights]) =>
      Object.entries(rights).flatMap(([name, letters]) => [...letters].map((letter) => `${name} ${actionOf[letter]} ${prefix}`)),
    );
    expect(await allowed(candidates, found.tablePolicy)).toEqual(expected.sort());
  });

  test('with indexes', async () => {
    const candidates = functionNames().flatMap((name) =>
      Object.keys(indexRights).flatMap((index) =>
        ['Query', 'Scan'].map((action) => ({
          line: `${name} ${action} ${index}`,
          policy: roleOf(name),
          request: { action: `dynamodb:${action}`, resource: `${found.tableArn}/index/${index}`, keys: [`${index.toUpperCase()}#x`] },
        })),
      ),
    );
    const expected = Object.entries(indexRights).flatMap(([index, names]) => names.map((name) => `${name} Query ${index}`));
    expect(await allowed(candidates, found.tablePolicy)).toEqual(expected.sort());
  });

  test('with queues', async () => {
    const queues = Object.values(service.templates.data.findResources('AWS::SQS::Queue')).length / 2;
    expect(Object.keys(senders)).toHaveLength(queues);
    const arns = [...new Set([...found.roles.values()].flatMap(({ Statement }) => Statement.flatMap(({ Resource }) => Resource)))];
    const queueOf = (id: string) => arns.find((arn) => arn.startsWith('arn:aws:sqs:') && arn.includes(`-data-${id}Queue`)) ?? '';
    const candidates = functionNames().flatMap((name) =>
      Object.keys(senders).map((id) => ({
        line: `${name} ${id}`,
        policy: roleOf(name),
        request: { action: 'sqs:SendMessage', resource: queueOf(id) },
      })),
    );
    const expected = Object.entries(senders).flatMap(([id, names]) => names.map((name) => `${name} ${id}`));
    expect(await allowed(candidates)).toEqual(expected.sort());
  });

  test('with objects and the bucket', async () => {
    const [bucket = ''] = roleOf('health')
      .Statement.flatMap(({ Resource }) => Resource)
      .filter((arn) => arn.startsWith('arn:aws:s3:::'));
    const actions = {
      objects: ['GetObject', 'GetObjectVersion', 'PutObject', 'DeleteObject', 'DeleteObjectVersion', 'PutObjectTagging'],
      bucket: ['ListBucket', 'ListBucketVersions', 'PutBucketPolicy', 'DeleteBucket'],
    };
    const candidates = functionNames().flatMap((name) =>
      [...Object.keys(objectRights), 'other/'].flatMap((prefix) =>
        (prefix === '' ? actions.bucket : actions.objects).map((action) => ({
          line: `${name} ${action} ${prefix}`,
          policy: roleOf(name),
          request: { action: `s3:${action}`, resource: prefix === '' ? bucket : `${bucket}/${prefix}x` },
        })),
      ),
    );
    const expected = Object.entries(objectRights).flatMap(([prefix, rights]) =>
      Object.entries(rights).flatMap(([name, names]) => names.map((action) => `${name} ${action} ${prefix}`)),
    );
    expect(await allowed(candidates)).toEqual(expected.sort());
  });

  test('of the services themselves', () => {
    const known = /^(dynamodb|logs|s3|secretsmanager|sqs):/;
    const others = rightsIn(found.roles).filter(({ action }) => !known.test(action));
    expect([...new Set(others.map(({ function: name, action }) => `${name} ${action}`))].sort()).toEqual([
      'file-scanner guardduty:SendObjectMalwareScan',
      'mail-sender ses:GetAccount',
      'mail-sender ses:SendEmail',
    ]);
  });

  test('with its own log, secrets and queue, and the stream of the table', () => {
    const queueOf = (name: string) => Object.values(queueDefinitions).find(({ worker }) => worker === name)?.id;
    const own = functionNames().flatMap((name) => {
      const { settingNames = [] } = service.functions.find((definition) => definition.name === name) ?? {};
      const queue = queueOf(name);
      return [
        ...['logs:CreateLogStream', 'logs:PutLogEvents'].map((action) => `${name} ${action} log-group:${name.replaceAll('-', '')}Log:*`),
        ...settingNames
          .filter((setting) => secretSettings.has(setting))
          .map((setting) => `${name} secretsmanager:GetSecretValue ${setting}`),
        ...(queue === undefined ? [] : consumption.map((action) => `${name} sqs:${action} ${queue}Queue`)),
        ...(name === 'event-publisher' ? streamReading.map((action) => `${name} dynamodb:${action} table/Table/stream/local`) : []),
      ];
    });
    const withoutHash = (line: string) =>
      line.replace(/(Log|Queue|Table)[0-9A-F]{8}(?=$|[:/])/, '$1').replace(/secret:.*\/(\w+)-local0$/, '$1');
    const isOwn = ({ action, prefix, resource }: Right) =>
      prefix === undefined && !/^(ses|s3|guardduty):|^sqs:SendMessage$/.test(action) && !/\/index\//.test(resource);
    const probes = [
      ...Object.keys(senders).map((id) => `health sqs:GetQueueAttributes ${id}Queue`),
      // Those for which the random text that they are made with does not do.
      ...[...secretSettings]
        .filter((setting) => !['CALLER_HASH_KEY', 'ORIGIN_SECRET'].includes(setting))
        .map((setting) => `health secretsmanager:DescribeSecret ${setting}`),
    ];
    const lines = rightsIn(found.roles)
      .filter(isOwn)
      .map((right) => withoutHash(lineOf(right)));
    expect(lines.sort()).toEqual([...own, ...probes].sort());
  });
});

describe('a request for several items', () => {
  test('is denied when one of them is in another partition', async () => {
    expect(await onTable('licenses', 'BatchGetItem', 'LICENSE#1', 'LICENSE#2')).toBe('Allowed');
    expect(await onTable('licenses', 'BatchGetItem', 'LICENSE#1', 'SELLER#2')).toBe('ImplicitlyDenied');
  });

  test.each(['licenses', 'admin', 'sweeper'])('of %s is denied when it names no partition', async (name) => {
    const policy = roleOf(name);
    for (const { Action, Resource } of policy.Statement) {
      for (const action of Action.filter((one) => one.startsWith('dynamodb:'))) {
        if (!Resource.includes(found.tableArn)) continue;
        expect([action, await decide(policy, { action, resource: found.tableArn })]).toEqual([action, 'ImplicitlyDenied']);
      }
    }
  });
});

describe('least privilege', () => {
  const may = async (action: string, key: string) => {
    const names = functionNames();
    const decisions = await Promise.all(names.map((name) => onTable(name, action, key)));
    return names.filter((_, index) => decisions[index] === 'Allowed');
  };

  test('licenses neither reads nor writes a seller', async () => {
    for (const action of Object.values(actionOf)) expect(await onTable('licenses', action, 'SELLER#1')).toBe('ImplicitlyDenied');
  });

  test('no function deletes a license, and only the projector and a buyer who replaces a key write one', async () => {
    expect(await may('DeleteItem', 'LICENSE#1')).toEqual([]);
    expect(await may('PutItem', 'LICENSE#1')).toEqual(['event-projector', 'purchases']);
  });

  test('only who opens a checkout that is refused deletes an order', async () => {
    expect(await may('DeleteItem', 'ORDER#1')).toEqual(['pages', 'storefront']);
  });

  test('only the projector writes what is known of payments', async () => {
    for (const action of ['PutItem', 'UpdateItem'])
      expect(await may(action, 'PAYMENT#1')).toEqual(action === 'PutItem' ? ['event-projector'] : []);
  });

  test('only admins and the counter of codes that were set aside read audit records', async () => {
    expect(await may('Query', 'AUDIT#1')).toEqual(['admin', 'code-batches']);
    for (const action of ['GetItem', 'BatchGetItem']) expect(await may(action, 'AUDIT#1')).toEqual([]);
  });

  test('only the sweeper queries the index of pending jobs, and only admins that of lists', async () => {
    for (const [index, names] of Object.entries({ list: ['admin'], pending: ['sweeper'] })) {
      const readers = functionNames().filter((name) =>
        roleOf(name).Statement.some(({ Resource }) => Resource.some((arn) => arn.endsWith(`/index/${index}`))),
      );
      expect(readers).toEqual(names);
    }
  });
});

describe('an audit record', () => {
  const changes = ['BatchWriteItem', 'DeleteItem', 'PartiQLDelete', 'PartiQLUpdate', 'UpdateItem'];

  test.each(changes)('is not changed by %s, whatever an identity policy allows', async (action) => {
    const request = { action: `dynamodb:${action}`, resource: found.tableArn };
    expect(await decide(everything, { ...request, keys: ['AUDIT#1'] }, found.tablePolicy)).toBe('ExplicitlyDenied');
    expect(await decide(everything, { ...request, keys: ['JOB#1', 'AUDIT#1'] }, found.tablePolicy)).toBe('ExplicitlyDenied');
    expect(await decide(everything, { ...request, keys: ['JOB#1'] }, found.tablePolicy)).toBe('Allowed');
  });

  test('can be written and read', async () => {
    for (const action of ['PutItem', 'Query', 'GetItem']) {
      const request = { action: `dynamodb:${action}`, resource: found.tableArn, keys: ['AUDIT#1'] };
      expect(await decide(everything, request, found.tablePolicy)).toBe('Allowed');
    }
  });

  test('is protected without locking anybody out of the table', async () => {
    for (const action of ['UpdateTable', 'DeleteResourcePolicy', 'PutResourcePolicy', 'DescribeTable', 'UpdateTimeToLive', 'Scan']) {
      expect(await decide(everything, { action: `dynamodb:${action}`, resource: found.tableArn }, found.tablePolicy)).toBe('Allowed');
    }
  });
});

test('the policy of every role stays far below what one may hold', () => {
  for (const [name, policy] of found.roles) expect([name, JSON.stringify(policy).length < 10_240 / 2]).toEqual([name, true]);
});

test('production has the same roles, but for the recipients of the sandbox', async () => {
  const production = readRolePolicies(await synthesizeAt('production', operatorSettings));
  const ofSandbox = ({ Action, Resource }: RolePolicy['Statement'][number]) =>
    `${Action} ${Resource}` === `ses:SendEmail arn:aws:ses:${region}:${account}:identity/*`;
  const asInProduction = [...found.roles].map(([name, policy]): [string, RolePolicy] => [
    name,
    name === 'mail-sender' ? { ...policy, Statement: policy.Statement.filter((statement) => !ofSandbox(statement)) } : policy,
  ]);
  expect(roleOf('mail-sender').Statement.filter(ofSandbox)).toEqual([
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
