import { spawnSync } from 'node:child_process';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { CreateTableCommand, DescribeTableCommand, DescribeTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { beginSale, type KeptStack, licenseOf, sell, startKeptStack } from '../support/scenes/sold-stock.ts';
import { eventually, offerProduct } from '../support/scenes/stack-harness.ts';

jest.setTimeout(240_000);
const root = join(import.meta.dirname, '..', '..');

let stack: KeptStack;
beforeAll(async () => {
  stack = await startKeptStack();
});
afterAll(() => stack.stop());

function ops(...args: string[]) {
  const { AWS_ENDPOINT_URL_DYNAMODB: _, ...inherited } = process.env;
  const env = { ...inherited, NODE_OPTIONS: '', DATA_DIR: stack.folder.path, STAGE: '' };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['infra/commands/ops/ops.ts', ...args], {
    cwd: root,
    env,
    encoding: 'utf8',
  });
  return { status, lines: stdout.trim().split('\n'), stderr };
}

test('a table that is restored to an earlier time goes on with what was sold since, and nothing in it disagrees', async () => {
  const { harness, folder } = stack;
  const { call } = harness;
  const product = await offerProduct(harness);
  const device = (license_key: string) => ({ body: { product_id: product.id, license_key, device_fingerprint: 'desk' } });
  const soldBefore = await sell(harness, product.slug);
  const begunBefore = await beginSale(harness, product.slug);

  const since = new Date().toISOString();
  const [file, copy] = [join(folder.path, 'table.db'), join(folder.path, '..', `${folder.path.split('/').at(-1)}-copy.db`)];
  const engineFile = new DatabaseSync(file, { readOnly: true });
  await backup(engineFile, copy);
  engineFile.close();

  const paidSince = await sell(harness, product.slug, begunBefore);
  const begunSince = await sell(harness, product.slug);
  expect((await call('POST', '/v1/licenses/activate', device(soldBefore.key))).code).toBe('activated');

  await harness.killAndRestart(async () => {
    for (const name of [file, `${file}-wal`, `${file}-shm`]) await rm(name, { force: true });
    await copyFile(copy, file);
    await rm(copy);
  });

  // What the provider was answered it does not send again by itself.
  const resent = ops('resend-events', '--since', since);
  expect(resent).toMatchObject({ status: 0, stderr: '' });
  expect(resent.lines).toEqual(['2 events were new, 0 known, 0 failed']);

  // The order was known: it has a license again, under another key, and its buyer is told.
  const again = await licenseOf(harness, paidSince.orderId);
  expect(again.licenseId).not.toBe(paidSince.licenseId);
  expect((await call('POST', '/v1/licenses/validate', device(paidSince.key))).code).toBe('license_not_found');
  expect((await call('POST', '/v1/licenses/activate', device(again.key))).code).toBe('activated');
  await harness.mailTo(paidSince.email, 2);

  // Of the order that was made since nothing is left but its payment, which an operator is told of.
  const dead = await eventually('the payment without order is told of', 30, async () => {
    const { lines } = ops('dead-letters');
    return lines.at(-1) === '1 dead' ? lines[0] : undefined;
  });
  expect(dead).toMatch(/^project-event:evt_\w+ {2}order_unknown {2}/);
  expect((await call('POST', '/v1/licenses/validate', device(begunSince.key))).code).toBe('license_not_found');

  // A device that was activated since is not any more, and can be again.
  expect(await call('POST', '/v1/licenses/validate', device(soldBefore.key))).toMatchObject({ code: 'valid', device_activated: false });
  expect((await call('POST', '/v1/licenses/activate', device(soldBefore.key))).code).toBe('activated');

  expect(ops('resend-events', '--since', since).lines.at(-1)).toMatch(/^1 events were new, 1 known, 0 failed$/);
  await sell(harness, product.slug);
  const checked = ops('check');
  expect(checked).toMatchObject({ status: 0, stderr: '' });
  expect(checked.lines.at(-1)).toMatch(/^\d+ items, \d+ read units, 0 faults$/);
});

test('a table is given what a restore leaves out, once', async () => {
  const { client } = await stack.openTable();
  const attribute = { AttributeName: 'pk', AttributeType: 'S' } as const;
  await client.send(
    new CreateTableCommand({
      TableName: 'Restored',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [attribute],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    }),
  );
  const first = ops('prepare-table', 'Restored');
  expect(first).toMatchObject({ status: 0, stderr: '' });
  expect(first.lines.at(-1)).toMatch(/^RESTORED_TABLE_STREAM_ARN=arn:aws:dynamodb:\S+:table\/Restored\/stream\/\S+$/);
  const { Table } = await client.send(new DescribeTableCommand({ TableName: 'Restored' }));
  expect(Table).toMatchObject({
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
    DeletionProtectionEnabled: true,
  });
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName: 'Restored' }));
  expect(TimeToLiveDescription).toMatchObject({ TimeToLiveStatus: 'ENABLED', AttributeName: 'ttl' });
  expect(ops('prepare-table', 'Restored').lines).toEqual(first.lines);
});
