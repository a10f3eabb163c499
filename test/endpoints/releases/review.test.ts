import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import { getProduct } from '../../../shared/products/product-repository.ts';
import { readIndex } from '../../../shared/releases/release-index-repository.ts';
import type { SellerEvent } from '../../../shared/seller-events/seller-event.ts';
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import {
  fullFor,
  type ReleaseHarness,
  sampleRelease,
  sampleSignature,
  startReleaseHarness,
} from '../../support/scenes/releases/release-harness.ts';

const error = (status: number, code: string, message: unknown = expect.any(String)) => ({ status, json: { code, message } });
const conflict = error(409, 'release_state_conflict');

describe('a release on its way', () => {
  let harness: ReleaseHarness;
  let engine: TestTable;
  beforeAll(async () => {
    engine = await createTestTable();
    harness = await startReleaseHarness({ table: engine.table });
  });
  afterAll(() => harness.stop());

  /** What its seller’s systems are told of the release. */
  const toldOf = async (releaseId: string) =>
    Object.values(await engine.readAll())
      .flatMap(({ payload }) => (payload ? [payload as Partial<SellerEvent>] : []))
      .flatMap(({ type, data }) => (data?.['releaseId'] === releaseId ? [type] : []))
      .sort();
  const appcast = (fileId: string, build: string) => ({
    file_id: fileId,
    ...fullFor('macos', 'any'),
    feeds: ['appcast'],
    build,
    ed25519_signature: sampleSignature,
  });
  const velopack = (fileId: string) => ({ file_id: fileId, ...fullFor('windows', 'x64'), feeds: ['velopack'], package_id: 'App' });

  test('is handed in, approved with its files, published and taken back; each once', async () => {
    const fileId = await harness.cleanFile('way.zip');
    const made = await harness.save({ ...sampleRelease('1.0.0'), artifacts: [{ file_id: fileId, ...fullFor('any', 'any') }] });
    const { id } = made.json;
    const product = await getProduct(harness.files.table, harness.product.id);

    const submitted = await harness.move(id, 'submit');
    const { submitted_at } = submitted.json;
    const review_due_at = new Date(Date.parse(submitted_at) + 72 * 3_600_000).toISOString();
    expect(submitted.json).toMatchObject({ status: 'pending_review', revision: 2, review_due_at });
    expect((await harness.move(id, 'submit', {})).json).toEqual(submitted.json);
    expect(await harness.save({ version: '1.0.0', notes: 'Too late' })).toMatchObject(error(409, 'version_taken'));
    for (const [move, body] of [
      ['publish'],
      ['delete'],
      ['artifacts', { artifacts: [{ file_id: fileId, ...fullFor('any', 'any') }] }],
    ] as const)
      expect(await harness.move(id, move, body)).toMatchObject(conflict);
    expect(await harness.files.withdraw(fileId)).toMatchObject(error(409, 'file_in_use'));
    const { items } = (await harness.admin('GET', '/v1/admin/releases')).json;
    expect(items).toEqual([{ ...submitted.json, seller_id: harness.product.sellerId }]);

    const approved = await harness.review(id, { decision: 'approve', note: 'Fine.' });
    expect(approved.json).toMatchObject({ status: 'approved', revision: 3, artifacts: [{ available: true }] });
    expect(approved.json).not.toHaveProperty('review_due_at');
    const shown = { status: 'approved', visibility: 'buyer_visible', approvedAt: expect.any(String) };
    expect(await harness.files.file(fileId)).toMatchObject(shown);
    expect((await harness.review(id, { decision: 'approve' })).json).toEqual(approved.json);

    const published = await harness.move(id, 'publish', { rollout_percent: 10 });
    expect(published.json).toMatchObject({ status: 'published', revision: 4, rollout_percent: 10, published_at: expect.any(String) });
    expect((await harness.move(id, 'publish', { rollout_percent: 10 })).json).toEqual(published.json);
    expect((await harness.move(id, 'publish')).json).toEqual(published.json);
    const all = await harness.move(id, 'publish', { rollout_percent: 100 });
    expect(all.json).toEqual({ ...published.json, rollout_percent: 100, revision: 5 });
    expect(await harness.move(id, 'withdraw')).toMatchObject(conflict);
    expect(await harness.review(id, { decision: 'reject', rejection_reason: 'Late' })).toMatchObject(conflict);
    expect((await readIndex(harness.table, harness.product.id)).index.published['1.0.0']).toMatchObject({ channel: 'stable', revision: 5 });

    expect(await harness.move(id, 'yank', { reason: 'It \u202eloses.' })).toMatchObject(error(400, 'invalid_request'));
    const yanked = await harness.move(id, 'yank', { reason: 'It loses settings.' });
    const gone = { status: 'yanked', revision: 6, yank_reason: 'It loses settings.', yanked_at: expect.any(String) };
    expect(yanked.json).toMatchObject({ ...gone, artifacts: [{ available: false }] });
    expect((await harness.review(id, { decision: 'yank', yank_reason: 'Other words' })).json).toEqual(yanked.json);
    expect(await harness.files.file(fileId)).toMatchObject({ status: 'disabled', visibility: 'private', withdrawnAt: expect.any(String) });
    expect(await harness.files.review(fileId, { decision: 'approve' })).toMatchObject(error(409, 'file_state_conflict'));
    expect(await harness.move(id, 'publish')).toMatchObject(conflict);
    expect(await harness.save({ ...sampleRelease('1.0.0') })).toMatchObject(error(409, 'version_taken'));

    expect(await getProduct(harness.files.table, harness.product.id)).toEqual(product);
    const audited = await listAudit(harness.files.table, { limit: 50, targetId: id });
    const actions = audited.items.map(({ action, actor }) => `${action} ${actor}`).toReversed();
    expect(audited.items[1]?.after).toMatchObject({ status: 'yanked', reason: 'It loses settings.' });
    const owner = harness.files.asOwner['X-User-ID'];
    expect(actions).toEqual([
      `release.create ${owner}`,
      `release.submit ${owner}`,
      'release.approve admin',
      'release.approve admin',
      `release.publish ${owner}`,
      `release.publish ${owner}`,
      `release.yank ${owner}`,
      'release.yank admin',
    ]);
    const byFile = await listAudit(harness.files.table, { limit: 50, targetId: fileId });
    expect(byFile.items.map(({ action }) => action)).not.toContain('product_file.approve');
  });

  test('comes back as a draft when it is withdrawn or rejected, and keeps the reason until it is handed in again', async () => {
    const { id } = await harness.submitted('2.0.0');
    const withdrawn = await harness.move(id, 'withdraw');
    expect(withdrawn.json.status).toBe('draft');
    expect((await harness.move(id, 'withdraw')).json).toEqual(withdrawn.json);
    await harness.move(id, 'submit');
    expect(await harness.review(id, { decision: 'reject', rejection_reason: ' ' })).toMatchObject(error(400, 'invalid_request'));
    expect(await harness.review(id, { decision: 'yank' })).toMatchObject(error(400, 'invalid_request'));
    expect(await harness.review(id, { decision: 'yank', yank_reason: 'x' })).toMatchObject(conflict);
    expect(await harness.move(id, 'yank', { reason: 'x' })).toMatchObject(conflict);
    const rejected = await harness.review(id, { decision: 'reject', rejection_reason: 'It does not start.' });
    expect(rejected.json).toMatchObject({ status: 'draft', rejection_reason: 'It does not start.' });
    const [audited] = (await listAudit(harness.files.table, { limit: 1, targetId: id })).items;
    expect(audited).toMatchObject({ action: 'release.reject', after: { reason: 'It does not start.' } });
    // One of its files may be approved by then.
    await harness.files.review(rejected.json.artifacts[0].file_id, { decision: 'approve' });
    const again = await harness.move(id, 'submit');
    expect(again.json.status).toBe('pending_review');
    expect(again.json).not.toHaveProperty('rejection_reason');
  });

  test('is published to the share that its draft names', async () => {
    const { id } = await harness.approved('2.0.1', { rollout_percent: 30 });
    for (const [sent, rollout_percent] of [
      [undefined, 30],
      [{ rollout_percent: 0 }, 0],
      [{}, 0],
    ] as const)
      expect((await harness.move(id, 'publish', sent)).json).toMatchObject({ rollout_percent });
  });

  test('is changed as it was looked at, whatever its state, also where nothing would change', async () => {
    const version = '2.1.0';
    const { id, revision, artifacts } = await harness.draft(version);
    const added = { artifacts: [{ file_id: artifacts[0].file_id, ...fullFor('linux', 'x64') }] };
    const changes: [string, object][] = [
      ['artifacts', { artifacts: [{ ...added.artifacts[0], file_id: 'fil_0' }] }],
      ['submit', {}],
      ['withdraw', {}],
      ['publish', {}],
    ];
    const stale = error(409, 'stale_revision');
    const expectStale = async (expected_revision: number) => {
      expect(await harness.save({ version, expected_revision })).toMatchObject(stale);
      for (const [change, body] of changes) expect(await harness.move(id, change, { ...body, expected_revision })).toMatchObject(stale);
    };
    await expectStale(revision + 1);
    for (const { status } of [
      await harness.save({ version, expected_revision: revision }),
      await harness.move(id, 'artifacts', { ...added, expected_revision: revision }),
      await harness.move(id, 'withdraw', { expected_revision: revision }),
      await harness.move(id, 'submit', { expected_revision: revision }),
    ])
      expect(status).toBe(200);
    await expectStale(revision);
    expect(await harness.review(id, { decision: 'approve', expected_revision: revision })).toMatchObject(error(400, 'stale_review'));
    await harness.review(id, { decision: 'approve', expected_revision: revision + 1 });
    expect((await harness.move(id, 'publish', { expected_revision: revision + 2 })).status).toBe(200);
    await expectStale(revision + 2);
    // Where there is none, none is made.
    expect(await harness.save({ version: '2.1.1', expected_revision: 0 })).toMatchObject(stale);
  });

  test('names everything that it lacks', async () => {
    const fileId = await harness.files.upload(Buffer.from('never finalized'), { filename: 'x.zip', purpose: 'release' });
    const { json } = await harness.save({
      ...sampleRelease('2.2.0'),
      notes: '"'.repeat(20_000),
      artifacts: [{ ...appcast(fileId, '1'), build: undefined, ed25519_signature: undefined }],
    });
    const lacking =
      /^notes must become at most 60 KB of HTML; artifacts\.0\.file_id .*; artifacts\.0\.build .*; artifacts\.0\.ed25519_signature /;
    expect(await harness.move(json.id, 'submit')).toMatchObject(error(400, 'release_incomplete', expect.stringMatching(lacking)));
    expect((await harness.show(json.id)).json).toEqual(json);
  });

  test('is approved only if every file can be, and then not at all', async () => {
    const [clean, untrusted] = [await harness.cleanFile('clean.zip'), await harness.file('untrusted.zip')];
    const made = await harness.save({
      ...sampleRelease('2.3.0'),
      artifacts: [
        { file_id: clean, ...fullFor('linux', 'x64') },
        { file_id: untrusted, ...fullFor('linux', 'arm64') },
      ],
    });
    await harness.move(made.json.id, 'submit');
    expect(await harness.review(made.json.id, { decision: 'approve' })).toMatchObject(error(409, 'file_not_verified'));
    await harness.files.drain();
    expect(await harness.review(made.json.id, { decision: 'approve' })).toMatchObject(error(409, 'file_not_trusted_clean'));
    await harness.files.review(untrusted, { decision: 'disable' });
    expect(await harness.review(made.json.id, { decision: 'approve' })).toMatchObject(error(409, 'file_state_conflict'));
    expect(await harness.files.file(clean)).toMatchObject({ status: 'pending_review' });
    expect((await harness.show(made.json.id)).json).toMatchObject({ status: 'pending_review', revision: 2 });
  });

  test('is published by its approval where it asked for that, and then not approved where it cannot be', async () => {
    const first = await harness.cleanFile('b1.zip');
    const one = await harness.save({
      ...sampleRelease('3.0.0'),
      publish_on_approval: true,
      rollout_percent: 5,
      artifacts: [appcast(first, '30')],
    });
    await harness.move(one.json.id, 'submit');
    expect((await harness.review(one.json.id, { decision: 'approve' })).json).toMatchObject({ status: 'published', rollout_percent: 5 });

    const [low, lower] = [await harness.cleanFile('b2.zip'), await harness.cleanFile('b3.zip')];
    const late = await harness.save({ ...sampleRelease('3.2.0'), publish_on_approval: true, artifacts: [appcast(low, '32')] });
    const early = await harness.save({ ...sampleRelease('3.1.0'), publish_on_approval: true, artifacts: [appcast(lower, '32.0')] });
    for (const { json } of [late, early]) expect((await harness.move(json.id, 'submit')).status).toBe(200);
    const replies = await Promise.all([late, early].map(({ json }) => harness.review(json.id, { decision: 'approve' })));
    const refused = replies.findIndex(({ status }) => status === 400);
    expect(replies[refused]).toMatchObject(error(400, 'build_out_of_order'));
    expect(replies[1 - refused]).toMatchObject({ status: 200, json: { status: 'published', rollout_percent: 100 } });
    const loser = await harness.show([late, early][refused]?.json.id);
    expect(loser.json).toMatchObject({ status: 'pending_review', artifacts: [{ available: false }] });
    expect(await harness.files.file(loser.json.artifacts[0].file_id)).toMatchObject({ status: 'pending_review' });

    const fresh = await harness.save({ ...sampleRelease('3.0.1'), artifacts: [appcast(await harness.cleanFile('b4.zip'), '29')] });
    expect(await harness.move(fresh.json.id, 'submit')).toMatchObject(error(400, 'build_out_of_order'));
  });

  test('is published with what an admin decided on a file after its approval', async () => {
    const { id, artifacts } = await harness.approved('3.5.0');
    await harness.files.review(artifacts[0].file_id, { decision: 'approve', visibility: 'private' });
    expect((await harness.move(id, 'publish')).json).toMatchObject({ status: 'published', artifacts: [{ available: false }] });
    expect(await harness.files.file(artifacts[0].file_id)).toMatchObject({ status: 'approved', visibility: 'private' });
    // Of a decision the audit record has its own reason.
    await harness.review(id, { decision: 'yank', yank_reason: 'Broken', rejection_reason: 'Of another form' });
    const [audited] = (await listAudit(harness.files.table, { limit: 1, targetId: id })).items;
    expect(audited).toMatchObject({ action: 'release.yank', after: { reason: 'Broken' } });
    expect(await toldOf(id)).toEqual(['release.published', 'release.reviewed', 'release.yanked']);

    const disabled = await harness.approved('3.6.0');
    await harness.files.review(disabled.artifacts[0].file_id, { decision: 'disable' });
    expect(await harness.move(disabled.id, 'publish')).toMatchObject(error(409, 'file_state_conflict'));
  });

  test('takes the names of its velopack files once it is handed in, for good once it is published', async () => {
    const submit = async (version: string, name: string) => {
      const made = await harness.save({ ...sampleRelease(version), artifacts: [velopack(await harness.cleanFile(name))] });
      return { id: made.json.id, reply: await harness.move(made.json.id, 'submit') };
    };
    const first = await submit('4.0.0', 'App-full.nupkg');
    const second = await submit('4.1.0', 'APP-full.nupkg');
    expect(second.reply).toMatchObject(error(409, 'file_name_taken'));
    await harness.move(first.id, 'withdraw');
    expect((await harness.move(second.id, 'submit')).status).toBe(200);
    await harness.review(second.id, { decision: 'reject', rejection_reason: 'Other words' });
    expect((await harness.move(first.id, 'submit')).status).toBe(200);
    await harness.move(first.id, 'withdraw');
    expect((await harness.move(second.id, 'submit')).status).toBe(200);
    expect(await harness.move(first.id, 'submit')).toMatchObject(error(409, 'file_name_taken'));
    await harness.review(second.id, { decision: 'approve' });
    await harness.move(second.id, 'publish');
    await harness.move(second.id, 'yank', { reason: 'Broken' });
    expect(await harness.move(first.id, 'submit')).toMatchObject(error(409, 'file_name_taken'));
    const alike = [
      velopack(await harness.cleanFile('Twice.nupkg')),
      { ...velopack(await harness.cleanFile('twice.nupkg')), arch: 'arm64' },
    ];
    const twice = await harness.save({ ...sampleRelease('4.2.0'), artifacts: alike });
    expect(await harness.move(twice.json.id, 'submit')).toMatchObject(error(409, 'file_name_taken'));
  });

  test('is not reviewed by its own seller', async () => {
    const { id } = await harness.submitted('5.0.0');
    const headers = { 'X-User-ID': harness.files.asOwner['X-User-ID'] ?? '', 'X-User-Email': 'admin@example.com' };
    const target = `/v1/admin/products/${harness.product.id}/releases/${id}/review`;
    const reply = await harness.admin('PATCH', target, { headers, body: { decision: 'approve' } });
    expect(reply).toMatchObject(error(403, 'self_review_forbidden'));
  });

  test('of a suspended product is read, withdrawn, rejected and taken back, and nothing else', async () => {
    const [draft, out] = [await harness.draft('6.0.0'), await harness.published('6.3.0')];
    const [pending, other] = [await harness.submitted('6.1.0'), await harness.submitted('6.2.0')];
    await harness.files.change({ product: { status: 'suspended' } });
    for (const refused of [
      await harness.save(sampleRelease('9.0.0')),
      await harness.move(draft.id, 'artifacts', { artifacts: [{ ...fullFor('linux', 'arm64'), file_id: 'fil_0' }] }),
      await harness.move(draft.id, 'submit'),
      await harness.move(draft.id, 'delete'),
      await harness.move(out.id, 'publish'),
      await harness.review(pending.id, { decision: 'approve' }),
    ])
      expect(refused).toMatchObject(error(403, 'product_suspended'));
    for (const done of [
      await harness.show(draft.id),
      await harness.move(pending.id, 'withdraw'),
      await harness.review(other.id, { decision: 'reject', rejection_reason: 'No' }),
      await harness.move(out.id, 'yank', { reason: 'Bad' }),
    ])
      expect(done.status).toBe(200);
  });
});
