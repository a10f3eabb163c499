import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { findLiveFiles } from '../../../shared/product-files/product-file-repository.ts';
import { findVersion } from '../../../shared/releases/release-repository.ts';
import { fullFor, type ReleaseHarness, sampleRelease, startReleaseHarness } from '../../support/scenes/releases/release-harness.ts';

const error = (status: number, code: string) => ({ status, json: { code } });
const day = 24 * 3600;

describe('files of releases', () => {
  let harness: ReleaseHarness;
  beforeEach(async () => {
    harness = await startReleaseHarness();
  });
  afterEach(() => harness.stop());

  const only = (fileId: string) => [{ file_id: fileId, ...fullFor('any', 'any') }];
  const status = async (fileId: Awaited<ReturnType<typeof harness.file>>) => (await harness.files.file(fileId)).status;

  test.each([['.hidden'], ['ä.zip'], ['a b.zip'], ['a/b.zip'], ['a'.repeat(129)]])('are not called %s', async (filename) => {
    const declared = { ...harness.files.declare(Buffer.from('x'), { filename }), purpose: 'release' };
    expect(await harness.files.intend(declared)).toMatchObject(error(400, 'invalid_request'));
  });

  test('keep their name, take no place of the product’s files, and are not among those of buyers', async () => {
    const name = `con${'.x'.repeat(62)}`;
    for (const bytes of Array.from({ length: 21 }, (_, index) => Buffer.from(`file ${index}`))) {
      const intent = await harness.files.intend({ ...harness.files.declare(bytes, { filename: name }), purpose: 'release' });
      expect(intent.status).toBe(201);
    }
    expect((await harness.files.intend(harness.files.declare(Buffer.from('a download')))).status).toBe(201);
    const fileId = await harness.file('seen.zip');
    const listed = await harness.files.call('GET', `/v1/products/${harness.product.id}/files?limit=2`);
    expect(listed.json.items[0]).toMatchObject({ id: fileId, purpose: 'release', file_name: 'seen.zip' });
    expect((await findLiveFiles(harness.files.table, harness.product.id)).map(({ purpose }) => purpose)).toEqual(['download']);
  });

  test('are hashed for every updater in one reading', async () => {
    const bytes = Buffer.from('bytes that updaters compare');
    const fileId = await harness.cleanFile('hashed.zip', bytes);
    const digest = (algorithm: string, encoding: 'hex' | 'base64') => createHash(algorithm).update(bytes).digest(encoding);
    expect(await harness.files.file(fileId)).toMatchObject({
      hashStatus: 'verified',
      verifiedSha512Base64: digest('sha512', 'base64'),
      verifiedSha1Hex: digest('sha1', 'hex'),
    });
    const made = await harness.save({ ...sampleRelease('1.0.0'), artifacts: only(fileId) });
    await harness.move(made.json.id, 'submit');
    await harness.review(made.json.id, { decision: 'approve' });
    const kept = (await findVersion(harness.table, harness.product.id, '1.0.0'))?.files[fileId];
    expect(kept).toMatchObject({ sha512Base64: digest('sha512', 'base64'), sha1Hex: digest('sha1', 'hex'), available: true });
  });

  test('can be withdrawn from a draft, which cannot be handed in then', async () => {
    const fileId = await harness.cleanFile('gone.zip');
    await harness.files.review(fileId, { decision: 'approve' });
    const made = await harness.save({ ...sampleRelease('1.0.0'), artifacts: only(fileId) });
    expect(made.json.artifacts[0]).toMatchObject({ available: true });
    expect(await harness.files.withdraw(fileId)).toMatchObject({ status: 200, json: { status: 'disabled' } });
    expect((await harness.show(made.json.id)).json).toMatchObject({ revision: 2, artifacts: [{ available: false }] });
    expect(await harness.move(made.json.id, 'submit')).toMatchObject(error(400, 'release_incomplete'));
  });

  test('that no release uses are withdrawn too once an admin who disabled them approves them again', async () => {
    const fileId = await harness.cleanFile('held.zip');
    await harness.files.review(fileId, { decision: 'disable' });
    harness.files.pass(8 * day);
    await harness.files.sweep();
    expect((await harness.files.review(fileId, { decision: 'approve' })).status).toBe(200);
    harness.files.pass(2 * day);
    await harness.files.sweep();
    expect(await harness.files.file(fileId)).toMatchObject({ status: 'disabled', withdrawnAt: expect.any(String) });
  });

  test('that no release uses are withdrawn after seven days', async () => {
    const [never, left, used] = [await harness.file('never.zip'), await harness.file('left.zip'), await harness.cleanFile('used.zip')];
    const [first, second] = [
      await harness.save({ ...sampleRelease('1.0.0'), artifacts: only(left) }),
      await harness.save({ ...sampleRelease('1.1.0'), artifacts: only(used) }),
    ];
    await harness.files.drain();
    await harness.move(second.json.id, 'submit');
    await harness.review(second.json.id, { decision: 'approve' });
    await harness.move(second.json.id, 'publish');

    harness.files.pass(7 * day - 60);
    await harness.files.sweep();
    expect(await status(never)).toBe('pending_review');
    harness.files.pass(120);
    await harness.files.sweep();
    expect([await status(never), await status(left), await status(used)]).toEqual(['disabled', 'pending_review', 'approved']);

    // It left its draft on the eighth day, and is looked at every day.
    harness.files.pass(day / 2);
    await harness.move(first.json.id, 'delete');
    for (const hours of [13, 6 * 24, 10]) {
      harness.files.pass(hours * 3600);
      await harness.files.sweep();
    }
    expect(await status(left)).toBe('pending_review');
    harness.files.pass(3600 * 2);
    await harness.files.sweep();
    expect([await status(left), await status(used)]).toEqual(['disabled', 'approved']);
    expect(await harness.save({ ...sampleRelease('1.2.0'), artifacts: only(left) })).toMatchObject({ status: 201 });
  });
});
