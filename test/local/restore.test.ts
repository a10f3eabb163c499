import { execFile } from 'node:child_process';
import { copyFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { freePort } from '../../infra/local/engines/engine.ts';
import { newFolder } from '../support/new-folder.ts';
import { beginSale, type KeptStack, licenseOf, sell, startKeptStack } from '../support/scenes/sold-stock.ts';
import { eventually, offerProduct, publishFile } from '../support/scenes/stack-harness.ts';

jest.setTimeout(480_000);
const root = join(import.meta.dirname, '..', '..');

let stack: KeptStack;
beforeAll(async () => {
  stack = await startKeptStack();
});
afterAll(() => stack.stop());

const ops = (...args: string[]) => stack.ops(args);

test('a table that is restored to an earlier time goes on with what was sold since, and nothing in it disagrees', async () => {
  const { harness, folder } = stack;
  const { call } = harness;
  const product = await offerProduct(harness);
  const device = (license_key: string) => ({ body: { product_id: product.id, license_key, device_fingerprint: 'desk' } });
  const soldBefore = await sell(harness, product.slug);
  const begunBefore = await beginSale(harness, product.slug);
  const refundedSince = await sell(harness, product.slug);
  const disputedSince = await sell(harness, product.slug);
  const replacedSince = await sell(harness, product.slug);

  const since = new Date().toISOString();
  const file = join(folder.path, 'table.db');
  const copy = `${folder.path}-copy.db`;
  expect(await ops('export', copy)).toMatchObject({ status: 0, lines: [expect.stringMatching(/^the table as of \S+Z is in /)] });
  expect(await ops('export', copy)).toMatchObject({ status: 1, stderr: `${copy} is there already.\n` });

  const paidSince = await sell(harness, product.slug, begunBefore);
  const begunSince = await sell(harness, product.slug);
  expect((await call('POST', '/v1/licenses/activate', device(soldBefore.key))).code).toBe('activated');
  await harness.provider(`/test/payments/${refundedSince.session}/refund`);
  await harness.provider(`/test/payments/${disputedSince.session}/dispute`);
  const { license: replacement } = await call('POST', '/v1/purchases/replace-key', { body: { token: replacedSince.token } });
  const uploadedSince = await publishFile(harness, product.id, 'setup.zip', Buffer.from('an installer'));
  const become = (orderId: string, wanted: string) =>
    eventually(`the order is ${wanted}`, 30, async () => {
      const { status } = await call('GET', `/v1/admin/orders/${orderId}`, { as: 'admin' });
      return status === wanted || undefined;
    });
  await become(refundedSince.orderId, 'refunded');
  await become(disputedSince.orderId, 'disputed');

  await harness.killAndRestart(async () => {
    for (const name of [file, `${file}-wal`, `${file}-shm`]) await rm(name, { force: true });
    await copyFile(copy, file);
    await rm(copy);
  });

  // What the provider was answered it does not send again by itself.
  const resent = await ops('resend-events', '--since', since);
  expect(resent).toMatchObject({ status: 0, stderr: '' });
  expect(resent.lines).toEqual([expect.stringMatching(/^[4-9] events were new, \d known, 0 failed$/)]);
  await become(refundedSince.orderId, 'refunded');
  await become(disputedSince.orderId, 'disputed');

  // A key that was replaced since holds again, and what replaced it does not.
  expect((await call('POST', '/v1/licenses/validate', device(replacedSince.key))).code).toBe('valid');
  expect((await call('POST', '/v1/licenses/validate', device(replacement.license_key))).code).toBe('license_not_found');

  // The bytes of a file that was uploaded since are there, and its record is not.
  const reconciled = await ops('reconcile');
  expect(reconciled).toMatchObject({ status: 1, stderr: '' });
  expect(reconciled.lines[0]).toMatch(new RegExp(`^object: files/${product.id}/${uploadedSince} of \\S+ is wanted by no record$`));
  expect(reconciled.lines.at(-1)).toBe('1 objects, 0 files, 1 faults, 0 mended');

  // The order was known: it has a license again, under another key, and its buyer is told.
  const again = await licenseOf(harness, paidSince.orderId);
  expect(again.licenseId).not.toBe(paidSince.licenseId);
  expect((await call('POST', '/v1/licenses/validate', device(paidSince.key))).code).toBe('license_not_found');
  expect((await call('POST', '/v1/licenses/activate', device(again.key))).code).toBe('activated');
  await harness.mailTo(paidSince.email, 2);

  // Of the order that was made since nothing is left but its payment, which an operator is told of.
  const dead = await eventually('the payment without order is told of', 30, async () => {
    const { lines } = await ops('dead-letters');
    return lines.at(-1) === '1 dead' ? lines[0] : undefined;
  });
  expect(dead).toMatch(/^project-event:evt_\w+ {2}order_unknown {2}/);
  expect((await call('POST', '/v1/licenses/validate', device(begunSince.key))).code).toBe('license_not_found');

  // A device that was activated since is not any more, and can be again.
  expect(await call('POST', '/v1/licenses/validate', device(soldBefore.key))).toMatchObject({ code: 'valid', device_activated: false });
  expect((await call('POST', '/v1/licenses/activate', device(soldBefore.key))).code).toBe('activated');

  expect((await ops('resend-events', '--since', since)).lines.at(-1)).toMatch(/^1 events were new, \d+ known, 0 failed$/);
  await sell(harness, product.slug);
  const checked = await ops('check');
  expect(checked).toMatchObject({ status: 0, stderr: '' });
  expect(checked.lines.at(-1)).toMatch(/^\d+ items, \d+ read units, 0 faults$/);
});

test('the practice that the page on restoring describes goes as it says', async () => {
  const page = await readFile(join(root, 'infra/commands/ops/restore.md'), 'utf8');
  const [, commands = ''] = /### Practise it\n.*?```sh\n(.*?)```/s.exec(page) ?? [];
  const [, printed = ''] = /### Practise it\n.*?```\n…\n(.*?)```/s.exec(page) ?? [];
  const directory = newFolder();
  const { AWS_ENDPOINT_URL_DYNAMODB: _, STAGE: __, ...inherited } = process.env;
  const script = `trap 'kill $stack' EXIT\n${commands}`
    .replaceAll('/tmp/practice', join(directory, 'practice'))
    .replace(/PORT=\d+/, `PORT=${await freePort()}`);
  const options = { cwd: root, env: { ...inherited, NODE_OPTIONS: '' }, timeout: 400_000 };
  // It ends with the stack that it kills, so its code says nothing.
  const { stdout }: { stdout: string } = await promisify(execFile)('bash', ['-c', script], options).catch((error) => error);
  const shape = (text: string) =>
    text
      .replace(/(\w{3}_)\w{20,}/g, '$1…')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-…')
      .replace(/\d+ items, \d+ read units/g, '… items, … read units')
      .trim()
      .split('\n');
  const expected = shape(printed).filter((line) => line !== '…');
  expect(expected.length).toBeGreaterThan(5);
  expect(shape(stdout)).toEqual(expect.arrayContaining(expected));
  expect(stdout.match(/0 faults$/gm)).toHaveLength(2);
});
