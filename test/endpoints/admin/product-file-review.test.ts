import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import type { FileId } from '../../../shared/ids.ts';
import { type FileHarness, startFileHarness } from '../../support/scenes/file-harness.ts';

const bytes = Buffer.from('the bytes of an installer');
const reason = { manual_scan_clean_reason: 'Checked by hand.' };
const error = (status: number, code: string) => ({ status, json: { code } });

describe('the review of product files', () => {
  let harness: FileHarness;
  beforeEach(async () => {
    harness = await startFileHarness();
  });
  afterEach(() => harness.stop());

  const checked = async () => {
    const fileId = await harness.handIn(bytes);
    await harness.drain();
    return fileId;
  };

  test('approves what is verified and vouched for, and names the first thing that is missing', async () => {
    const fileId = await harness.handIn(bytes);
    expect(await harness.review(fileId, { decision: 'approve' })).toMatchObject(error(409, 'file_not_verified'));
    await harness.drain();
    expect(await harness.review(fileId, { decision: 'approve' })).toMatchObject(error(409, 'file_not_trusted_clean'));
    const vouched = await harness.review(fileId, { decision: 'manual_clean', ...reason });
    expect(vouched).toMatchObject({
      status: 200,
      json: { status: 'pending_review', scan_trusted_clean: true, scan_trust_source: 'manual', visibility: 'private' },
    });
    const approved = await harness.review(fileId, { decision: 'approve' });
    expect(approved.json).toEqual({
      file_id: fileId,
      product_id: harness.product.id,
      seller_id: harness.seller.id,
      purpose: 'download',
      filename: 'setup.zip',
      content_type: 'application/zip',
      size_bytes: bytes.length,
      sha256_hex: expect.stringMatching(/^[0-9a-f]{64}$/),
      verified_size_bytes: bytes.length,
      verified_content_type: 'application/zip',
      verified_sha256_hex: expect.stringMatching(/^[0-9a-f]{64}$/),
      hash_status: 'verified',
      scan_status: 'clean',
      scan_engine: 'eicar-only',
      scan_result_summary: expect.any(String),
      scan_trust_source: 'manual',
      scan_trusted_clean: true,
      status: 'approved',
      visibility: 'buyer_visible',
      created_at: expect.any(String),
      uploaded_at: expect.any(String),
      verified_at: expect.any(String),
      scanned_at: expect.any(String),
      approved_at: expect.any(String),
    });
  });

  test.each([
    [{ decision: 'reject' }, 'rejected_reason'],
    [{ decision: 'reject', rejected_reason: ' ' }, 'rejected_reason'],
    [{ decision: 'manual_clean' }, 'manual_scan_clean_reason'],
    [{ decision: 'mark_manual_clean', manual_scan_clean_reason: '' }, 'manual_scan_clean_reason'],
    [{ decision: 'manual_clean', manual_scan_clean_reason: 'x'.repeat(501) }, 'manual_scan_clean_reason'],
    [{ decision: 'approve', visibility: 'public' }, 'visibility'],
    [{ decision: 'publish' }, 'decision'],
    [{}, 'decision'],
  ])('refuses %j', async (body, field) => {
    const reply = await harness.review('fil_01ARZ3NDEKTSV4RRFFQ69G5FAV', body);
    expect(reply).toMatchObject(error(400, 'invalid_request'));
    expect(reply.json.message).toContain(`${field} `);
  });

  test('a reason that holds something secret is refused and not kept', async () => {
    const fileId = await checked();
    const body = { decision: 'manual_clean', manual_scan_clean_reason: 'see https://bucket.example/files/x?X-Amz-Signature=abc' };
    expect(await harness.review(fileId, body)).toMatchObject(error(400, 'reason_contains_sensitive_data'));
    expect((await harness.file(fileId)).scanTrustedClean).toBe(false);
    expect(JSON.stringify(await listAudit(harness.table, { targetId: fileId, limit: 100 }))).not.toContain('X-Amz');
  });

  test('nobody reviews a file of theirs under another account with the same verified e-mail', async () => {
    await harness.stop();
    harness = await startFileHarness({ seller: { ownerEmails: new Set(['ADMIN@example.com']) } });
    expect(await harness.review(await checked(), { decision: 'disable' })).toMatchObject(error(403, 'self_review_forbidden'));
  });

  test('each decision leaves an audit record with its reason', async () => {
    const fileId = await checked();
    await harness.review(fileId, { decision: 'manual_clean', ...reason });
    await harness.review(fileId, { decision: 'reject', rejected_reason: 'Not first-party.' });
    const { items } = await listAudit(harness.table, { targetId: fileId, limit: 100 });
    const byAdmin = items.filter(({ actor }) => actor === 'admin').reverse();
    expect(byAdmin).toMatchObject([
      {
        action: 'product_file.manual_clean',
        before: { scanTrustSource: 'none' },
        after: { scanTrustSource: 'manual', status: 'pending_review' },
        note: 'Checked by hand.',
      },
      { action: 'product_file.reject', before: { status: 'pending_review' }, after: { status: 'rejected' }, note: 'Not first-party.' },
    ]);
  });

  test('of decisions made at once each is judged on the state it meets', async () => {
    const fileId = await checked();
    await harness.review(fileId, { decision: 'manual_clean', ...reason });
    const replies = await Promise.all([
      harness.review(fileId, { decision: 'approve' }),
      harness.review(fileId, { decision: 'reject', rejected_reason: 'no' }),
      harness.withdraw(fileId),
    ]);
    for (const { status, json } of replies) {
      if (status !== 200) expect({ status, json }).toMatchObject(error(409, 'file_state_conflict'));
    }
    const { items } = await listAudit(harness.table, { targetId: fileId, limit: 100 });
    const moves = items.filter(({ action }) => /approve|reject|withdraw/.test(action)).reverse();
    // The records form one history: each begins where the one before it ended.
    for (const [at, move] of moves.entries()) expect(move.before?.['status']).toBe(moves[at - 1]?.after?.['status'] ?? 'pending_review');
    expect(moves.at(-1)?.after?.['status']).toBe((await harness.file(fileId)).status);
  });
});

describe('the queue of files', () => {
  let harness: FileHarness;
  beforeEach(async () => {
    harness = await startFileHarness();
  });
  afterEach(() => harness.stop());
  const list = (query = '') => harness.admin('GET', `/v1/admin/product-files${query}`);
  const ids = async (query = '') => (await list(query)).json.items.map(({ file_id }: { file_id: string }) => file_id);

  test('shows what waits for review, oldest first, and filters', async () => {
    const first = await harness.handIn(bytes);
    const second = await harness.handIn(bytes, { filename: 'second.zip' });
    const pending = await harness.upload(bytes);
    expect(await ids()).toEqual([first, second]);
    expect(await ids('?status=upload_pending')).toEqual([pending]);
    expect(await ids('?hash_status=verified')).toEqual([]);
    await harness.drain();
    await harness.review(first, { decision: 'reject', rejected_reason: 'no' });
    expect(await ids()).toEqual([second]);
    expect(await ids('?status=rejected')).toEqual([first]);
    expect(await ids('?hash_status=verified&scan_status=clean')).toEqual([second]);
    expect(await ids('?scan_status=infected')).toEqual([]);
    expect(await ids(`?product_id=${harness.product.id}&seller_id=${harness.seller.id}`)).toEqual([second]);
    expect(await ids(`?product_id=${harness.product.id}&status=rejected`)).toEqual([first]);
    expect(await ids('?seller_id=sel_01ARZ3NDEKTSV4RRFFQ69G5FAV')).toEqual([]);
    expect(await ids('?product_id=nonsense')).toEqual([]);
    for (const scope of ['', `&product_id=${harness.product.id}`])
      expect(await ids(`?status=any${scope}`)).toEqual([first, second, pending]);
    expect(await ids('?status=any&hash_status=verified')).toEqual([first, second]);
  });

  test('comes in pages', async () => {
    const handedIn: FileId[] = [];
    for (let at = 0; at < 7; at += 1) handedIn.push(await harness.handIn(bytes));
    for (const filter of ['', `&product_id=${harness.product.id}`, '&status=any']) {
      const seen: string[] = [];
      for (let cursor = ''; ; ) {
        const { json } = await list(`?limit=3${filter}${cursor}`);
        expect(json.items.length).toBeLessThanOrEqual(3);
        seen.push(...json.items.map(({ file_id }: { file_id: string }) => file_id));
        if (!json.next_cursor) break;
        // A file that is decided on between two pages is on one of them.
        if (filter === '&status=any' && cursor === '') {
          for (const at of [1, 4]) await harness.review(handedIn[at]!, { decision: 'reject', rejected_reason: 'no' });
        }
        cursor = `&cursor=${json.next_cursor}`;
      }
      expect(seen).toEqual(handedIn);
    }
  });

  test.each(['?status=gone', '?scan_status=pending', '?cursor=x'])('refuses %s', async (query) => {
    expect(await list(query)).toMatchObject(error(400, 'invalid_request'));
  });
});
