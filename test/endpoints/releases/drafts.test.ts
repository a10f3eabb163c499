import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { FileId } from '../../../shared/ids.ts';
import { findLiveFiles } from '../../../shared/product-files/product-file-repository.ts';
import { findVersion } from '../../../shared/releases/release-repository.ts';
import { putPublished } from '../../support/scenes/releases/published-releases.ts';
import { fullFor, type ReleaseHarness, sampleRelease, startReleaseHarness } from '../../support/scenes/releases/release-harness.ts';

const error = (status: number, code: string, message: unknown = expect.any(String)) => ({ status, json: { code, message } });

let harness: ReleaseHarness;
beforeAll(async () => {
  harness = await startReleaseHarness();
});
afterAll(() => harness.stop());

describe('drafts of releases', () => {
  test('are made with everything that a release says, and shown with their files', async () => {
    const bytes = Buffer.from('what an installer holds');
    const fileId = await harness.file('App-1.0.0.dmg', bytes);
    const artifact = {
      file_id: fileId,
      ...fullFor('macos', 'arm64'),
      feeds: ['appcast', 'tauri'],
      build: '100.2',
      minimum_os: '13.0',
      bundle: 'app',
      ed25519_signature: 'not looked at in a draft',
      minisign_signature: 'c2lnbmF0dXJl',
    };
    const said = {
      ...sampleRelease('1.0.0-rc.1'),
      channel: 'rc',
      critical: true,
      publish_on_approval: true,
      rollout_percent: 25,
      requires_features: ['pro'],
      covered_at: '2025-03-01T00:00:00.000Z',
    };
    const made = await harness.save({ ...said, artifacts: [artifact] });
    expect(made).toMatchObject({ status: 201 });
    expect(made.json).toEqual({
      ...said,
      id: expect.stringMatching(/^rel_/),
      product_id: harness.product.id,
      status: 'draft',
      created_at: expect.stringMatching(/Z$/),
      revision: 1,
      artifacts: [
        {
          ...artifact,
          file_name: 'App-1.0.0.dmg',
          size_bytes: bytes.length,
          sha256_hex: expect.stringMatching(/^[0-9a-f]{64}$/),
          available: false,
        },
      ],
    });
    expect(await harness.show(made.json.id)).toEqual(expect.objectContaining({ status: 200, json: made.json }));
  });

  test('are edited by sending the version again: what is given replaces, the rest stays', async () => {
    const file = await harness.file('edited.zip');
    const made = await harness.save({
      ...sampleRelease('2.0.0'),
      critical: true,
      artifacts: [{ file_id: file, ...fullFor('any', 'any') }],
    });
    const edited = await harness.save({ version: '2.0.0', notes: 'Better words' });
    expect(edited).toMatchObject({ status: 200, json: { ...made.json, notes: 'Better words', revision: 2 } });
    expect((await harness.save({ version: '2.0.0', notes: 'Better words' })).json).toEqual(edited.json);
    expect((await harness.save({ version: '2.0.0', artifacts: [] })).json).toMatchObject({ artifacts: [], revision: 3, critical: true });
  });

  test.each([
    ['all but the version is missing', { version: '3.0.0' }, 'channel is missing; notes is missing'],
    ['the version has build metadata', { ...sampleRelease('3.0.0'), version: '3.0.0+1' }, /^version /],
    ['a prerelease is called stable', { ...sampleRelease('3.0.0-rc.1'), channel: 'stable' }, /^channel /],
    ['that time is in no year of four digits', { ...sampleRelease('3.0.0'), covered_at: '9999-12-31T23:59:59-01:00' }, /^covered_at /],
    ['that time is before all years', { ...sampleRelease('3.0.0'), covered_at: '0000-01-01T00:00:00+01:00' }, /^covered_at /],
    [
      'faults of one field and between others come together',
      { version: '3.0.0', channel: 'rc', notes: 5, covered_at: '2999-01-01T00:00:00Z' },
      'channel must be stable for a version without prerelease, and another for one with; notes must be text; covered_at must be a past time',
    ],
    ['the share is over 100', { ...sampleRelease('3.0.0'), rollout_percent: 101 }, /^rollout_percent /],
    ['a feature has no letters', { ...sampleRelease('3.0.0'), requires_features: [''] }, /^requires_features\.0 /],
    ['the notes are too long', { ...sampleRelease('3.0.0'), notes: '版'.repeat(20_001) }, /^notes /],
    [
      'a build is no number',
      { ...sampleRelease('3.0.0'), artifacts: [{ file_id: 'x', ...fullFor('linux', 'x64'), build: '1.b' }] },
      /^artifacts\.0\.build /,
    ],
  ])('are refused where %s', async (_, body, message) => {
    expect(await harness.save(body)).toMatchObject(
      error(400, 'invalid_request', typeof message === 'string' ? message : expect.stringMatching(message)),
    );
  });

  test('take files of the product alone that were uploaded for releases, each for one release', async () => {
    const artifacts = (fileId: string) => [{ file_id: fileId, ...fullFor('linux', 'x64') }];
    const download = await harness.files.handIn(Buffer.from('a manual'));
    const file = await harness.file('once.zip');
    const save = (version: string, fileId: string) => harness.save({ ...sampleRelease(version), artifacts: artifacts(fileId) });
    for (const none of [download, 'fil_0']) expect(await save('4.0.0', none)).toMatchObject(error(404, 'file_not_found'));
    const first = await save('4.0.0', file);
    expect(first.status).toBe(201);
    expect(await save('4.1.0', file)).toMatchObject(error(409, 'file_in_use'));
    // A draft that is edited gives back what it names no more.
    await harness.save({ version: '4.0.0', artifacts: [] });
    expect((await save('4.1.0', file)).status).toBe(201);
    await harness.save({ version: '4.1.0', artifacts: [] });
    await harness.save({ version: '4.0.0', artifacts: artifacts(file) });
    // Deleted, the draft gives back its version and its file.
    expect(await harness.move(first.json.id, 'delete')).toMatchObject({ status: 200, json: {} });
    expect(await harness.show(first.json.id)).toMatchObject(error(404, 'release_not_found'));
    const again = await save('4.0.0', file);
    expect(again).toMatchObject({ status: 201 });
    expect(again.json.id).not.toBe(first.json.id);
    expect(await harness.move(first.json.id, 'submit')).toMatchObject(error(404, 'release_not_found'));
  });

  test('take the artifacts of any number of jobs at once', async () => {
    const { id } = (await harness.save(sampleRelease('4.3.0'))).json;
    const jobs = await Promise.all(
      Array.from({ length: 20 }, async (_, job) => [{ file_id: await harness.plantFile(`App-${job}.zip`), ...fullFor('linux', 'x64') }]),
    );
    const changes = jobs.flatMap((artifacts, job) => [
      harness.move(id, 'artifacts', { artifacts }),
      harness.save({ version: '4.3.0', notes: `Built by ${job}` }),
    ]);
    const replies = await Promise.all(changes);
    expect(replies.map(({ status, json }) => json.code ?? status)).toEqual(Array(40).fill(200));
    const { artifacts, revision } = (await harness.show(id)).json;
    expect(artifacts.map(({ file_id }: { file_id: string }) => file_id).sort()).toEqual(jobs.map(([artifact]) => artifact?.file_id).sort());
    expect(revision).toBe(41);
  });

  test('take an artifact in the place of the one with its platform, arch, kind and file name', async () => {
    const of = async (name: string, target = fullFor('macos', 'x64')) => ({ file_id: await harness.plantFile(name), ...target });
    const [app, image] = [await of('App.zip'), await of('App.dmg')];
    const others = [
      await of('App.zip', fullFor('linux', 'x64')),
      await of('App.zip', fullFor('macos', 'arm64')),
      await of('App.zip', { ...fullFor('macos', 'x64'), kind: 'delta' }),
    ];
    const { id } = (await harness.save({ ...sampleRelease('4.4.0'), artifacts: [app, image] })).json;
    const add = (...artifacts: object[]) => harness.move(id, 'artifacts', { artifacts });
    const filesOf = async () => (await harness.show(id)).json.artifacts.map(({ file_id }: { file_id: string }) => file_id);

    const next = await of('APP.zip');
    const replaced = await add({ ...next, feeds: ['electron', 'electron'] }, ...others);
    expect(replaced).toMatchObject({ status: 200, json: { revision: 2, artifacts: [{ feeds: ['electron'] }, {}, {}, {}, {}] } });
    expect(await filesOf()).toEqual([next, image, ...others].map(({ file_id }) => file_id));
    expect((await add(...others)).json).toEqual(replaced.json);
    // What it took the place of is free for another.
    expect((await harness.save({ ...sampleRelease('4.4.1'), artifacts: [app] })).status).toBe(201);

    const twice = [await of('Twice.zip'), await of('twice.zip')];
    const alike = 'artifacts.1.file_id must not be of a file with the same name, platform and arch as artifacts.0';
    expect(await add(...twice)).toMatchObject(error(400, 'invalid_request', alike));
    const many = await Promise.all(Array.from({ length: 36 }, (_, index) => of(`App-${index}.zip`)));
    const tooMany = error(400, 'invalid_request', 'artifacts must be a list of at most 40');
    expect(await add(...many)).toMatchObject(tooMany);
    expect(await add(...many, ...many)).toMatchObject(tooMany);
    expect(await add()).toMatchObject(error(400, 'invalid_request', 'artifacts must be a list of at least 1'));
    expect(await add(app)).toMatchObject(error(409, 'file_in_use'));
    for (const file_id of ['fil_0', await harness.files.handIn(Buffer.from('a manual'))])
      expect(await add({ ...app, file_id })).toMatchObject(error(404, 'file_not_found'));
    expect((await add(...many.slice(1))).json.artifacts).toHaveLength(40);
  });

  test('are listed newest first, by status and channel', async () => {
    const [older, newer] = [await harness.save(sampleRelease('5.0.0-beta.1')), await harness.save(sampleRelease('5.0.0-beta.2'))];
    const list = await harness.call('GET', `${harness.base}?channel=beta&status=draft`);
    expect(list.json.items).toEqual([newer.json, older.json]);
    const first = await harness.call('GET', `${harness.base}?limit=1`);
    expect(first.json.items).toEqual([newer.json]);
    const next = await harness.call('GET', `${harness.base}?limit=1&cursor=${first.json.next_cursor}`);
    expect(next.json.items).toEqual([older.json]);
    expect((await harness.call('GET', `${harness.base}?channel=dev`)).json.items).toEqual([]);
  });

  test('with the longest notes fill pages that can be sent, and none is lost between them', async () => {
    const { id: productId } = await harness.files.addProduct();
    const versions = Array.from({ length: 60 }, (_, minor) => `1.${minor}.0`);
    const notes = '\u0001'.repeat(20_000);
    const published = versions.map((version) => ({ version, channel: 'stable', notes }));
    await putPublished(harness.table, productId, published);
    const listed: string[] = [];
    for (let cursor = ''; ; ) {
      const { status, json, text } = await harness.call('GET', `/v1/products/${productId}/releases?limit=100${cursor}`);
      expect([status, text.length < 6_000_000]).toEqual([200, true]);
      listed.push(...json.items.map(({ version }: { version: string }) => version));
      if (json.next_cursor === undefined) break;
      cursor = `&cursor=${json.next_cursor}`;
    }
    expect(listed).toEqual(versions.toReversed());
  });

  test('are twenty of a product, however many are made at once, and one of a version', async () => {
    const base = `/v1/products/${(await harness.files.addProduct()).id}/releases`;
    const save = (version: string) => harness.call('POST', base, { body: sampleRelease(version) });
    const made = await Promise.all(Array.from({ length: 30 }, (_, patch) => save(`1.0.${patch}`)));
    const outcomes = made.map(({ status, json }) => json.code ?? status).sort();
    expect(outcomes).toEqual([...Array(20).fill(201), ...Array(10).fill('too_many_releases')]);
    const [one, other] = made.filter(({ status }) => status === 201);
    await harness.call('POST', `${base}/${one?.json.id}/delete`);
    expect((await save('2.0.0')).status).toBe(201);
    await harness.call('POST', `${base}/${other?.json.id}/delete`);
    const twins = await Promise.all([1, 2, 3].map(() => save('9.9.9')));
    expect(new Set(twins.map(({ json }) => json.id)).size).toBe(1);
    expect(twins.map(({ status }) => status).toSorted()).toEqual([200, 200, 201]);
  });
});

const day = 24 * 3600;

describe('files of releases', () => {
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
    const live = await findLiveFiles(harness.table, harness.product.id);
    expect(new Set(live.map(({ purpose }) => purpose))).toEqual(new Set(['download']));
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
