import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { FileId } from '../../../shared/ids.ts';
import { findLiveFiles } from '../../../shared/product-files/product-file-repository.ts';
import { findVersion } from '../../../shared/releases/release-repository.ts';
import { fullFor, type ReleaseHarness, sampleRelease, startReleaseHarness } from '../../support/scenes/releases/release-harness.ts';

const error = (status: number, code: string) => ({ status, json: { code } });
const day = 24 * 3600;

describe('files of releases', () => {
  let harness: ReleaseHarness;
  beforeAll(async () => {
    harness = await startReleaseHarness();
  });
  afterAll(() => harness.stop());

  const release = (version: string, fileId: string) =>
    harness.save({ ...sampleRelease(version), artifacts: [{ file_id: fileId, ...fullFor('any', 'any') }] });
  const intend = (filename: string) =>
    harness.files.intend({ ...harness.files.declare(Buffer.from(filename), { filename }), purpose: 'release' });
  const statusOf = async (fileId: FileId) => (await harness.files.file(fileId)).status;
  const passTo = async (seconds: number) => {
    harness.files.pass(seconds);
    await harness.files.sweep();
  };

  test.each([['.hidden'], ['ä.zip'], ['a/b.zip'], ['a'.repeat(129)]])('are not called %s', async (filename) => {
    expect(await intend(filename)).toMatchObject(error(400, 'invalid_request'));
  });

  test('keep their name, take no place of the product’s files, and are not among those of buyers', async () => {
    for (let index = 0; index < 21; index += 1) expect((await intend(`con${'.x'.repeat(62)}`)).status).toBe(201);
    expect((await harness.files.intend(harness.files.declare(Buffer.from('a download')))).status).toBe(201);
    const fileId = await harness.file('seen.zip');
    const listed = await harness.call('GET', `/v1/products/${harness.product.id}/files?limit=2`);
    expect(listed.json.items[0]).toMatchObject({ id: fileId, purpose: 'release', file_name: 'seen.zip' });
    expect((await findLiveFiles(harness.table, harness.product.id)).map(({ purpose }) => purpose)).toEqual(['download']);
  });

  test('are hashed for every updater in one reading', async () => {
    const bytes = Buffer.from('bytes that updaters compare');
    const fileId = await harness.cleanFile('hashed.zip', bytes);
    const digest = (algorithm: string, encoding: 'hex' | 'base64') => createHash(algorithm).update(bytes).digest(encoding);
    const digests = { sha512Base64: digest('sha512', 'base64'), sha1Hex: digest('sha1', 'hex') };
    expect(await harness.files.file(fileId)).toMatchObject({
      hashStatus: 'verified',
      verifiedSha512Base64: digests.sha512Base64,
      verifiedSha1Hex: digests.sha1Hex,
    });
    const { id } = (await release('1.0.0', fileId)).json;
    await harness.move(id, 'submit');
    await harness.review(id, { decision: 'approve' });
    const kept = (await findVersion(harness.table, harness.product.id, '1.0.0'))?.files[fileId];
    expect(kept).toMatchObject({ ...digests, available: true });
  });

  test('can be withdrawn from a draft, which cannot be handed in then', async () => {
    const fileId = await harness.cleanFile('gone.zip');
    await harness.files.review(fileId, { decision: 'approve' });
    const made = await release('1.1.0', fileId);
    expect(made.json.artifacts[0]).toMatchObject({ available: true });
    expect(await harness.files.withdraw(fileId)).toMatchObject({ status: 200, json: { status: 'disabled' } });
    expect((await harness.show(made.json.id)).json).toMatchObject({ revision: 2, artifacts: [{ available: false }] });
    expect(await harness.move(made.json.id, 'submit')).toMatchObject(error(400, 'release_incomplete'));
  });

  test('that no release uses are withdrawn too once an admin who disabled them approves them again', async () => {
    const fileId = await harness.cleanFile('held.zip');
    await harness.files.review(fileId, { decision: 'disable' });
    await passTo(8 * day);
    expect((await harness.files.review(fileId, { decision: 'approve' })).status).toBe(200);
    await passTo(2 * day);
    expect(await harness.files.file(fileId)).toMatchObject({ status: 'disabled', withdrawnAt: expect.any(String) });
  });

  test('that no release uses are withdrawn after seven days', async () => {
    const [never, left, used] = [await harness.file('never.zip'), await harness.file('left.zip'), await harness.cleanFile('used.zip')];
    const [first, second] = [(await release('2.0.0', left)).json, (await release('2.1.0', used)).json];
    await harness.files.drain();
    await harness.move(second.id, 'submit');
    await harness.review(second.id, { decision: 'approve' });
    await harness.move(second.id, 'publish');
    await passTo(7 * day - 60);
    expect(await statusOf(never)).toBe('pending_review');
    await passTo(120);
    expect([await statusOf(never), await statusOf(left), await statusOf(used)]).toEqual(['disabled', 'pending_review', 'approved']);

    // It left its draft on the eighth day, and is looked at every day.
    harness.files.pass(day / 2);
    await harness.move(first.id, 'delete');
    for (const hours of [13, 6 * 24, 10]) await passTo(hours * 3600);
    expect(await statusOf(left)).toBe('pending_review');
    await passTo(3600 * 2);
    expect([await statusOf(left), await statusOf(used)]).toEqual(['disabled', 'approved']);
    expect((await release('2.2.0', left)).status).toBe(201);
  });
});
