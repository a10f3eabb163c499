import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import type { FileId } from '../../../shared/ids.ts';
import { type FileHarness, startFileHarness } from '../../support/scenes/file-harness.ts';

const bytes = Buffer.from('the bytes of an installer');
const vouch = { decision: 'manual_clean', manual_scan_clean_reason: 'Checked by hand.' };
const reject = { decision: 'reject', rejected_reason: 'Not first-party.' };
const error = (status: number, code: string) => ({ status, json: { code } });

let harness: FileHarness;
beforeAll(async () => {
  harness = await startFileHarness();
});
afterAll(() => harness.stop());

const checked = async () => {
  const fileId = await harness.handIn(bytes);
  await harness.drain();
  return fileId;
};
const auditOf = async (targetId: string) => (await listAudit(harness.table, { targetId, limit: 100 })).items.reverse();
const list = (query = '') => harness.admin('GET', `/v1/admin/product-files${query}`);
const ids = async (query = '') => (await list(query)).json.items.map(({ file_id }: { file_id: string }) => file_id);

test('the queue of files shows what waits for review, oldest first, filters, and comes in pages', async () => {
  const [first, second, pending] = [await harness.handIn(bytes), await harness.handIn(bytes), await harness.upload(bytes)];
  const { id: productId, sellerId } = harness.product;
  await harness.drain();
  expect(await ids()).toEqual([first, second]);
  await harness.review(first, reject);
  for (const [query, found] of [
    ['', [second]],
    ['?status=upload_pending', [pending]],
    ['?status=rejected', [first]],
    ['?hash_status=verified&scan_status=clean', [second]],
    ['?scan_status=infected', []],
    [`?product_id=${productId}&seller_id=${sellerId}`, [second]],
    [`?product_id=${productId}&status=rejected`, [first]],
    ['?seller_id=sel_01ARZ3NDEKTSV4RRFFQ69G5FAV', []],
    ['?product_id=nonsense', []],
    ['?status=any', [first, second, pending]],
    [`?status=any&product_id=${productId}`, [first, second, pending]],
    ['?status=any&hash_status=verified', [first, second]],
  ] as const)
    expect([query, await ids(query)]).toEqual([query, found]);
  expect(await list('?status=gone')).toMatchObject(error(400, 'invalid_request'));

  const waiting: FileId[] = [second];
  for (let at = 0; at < 4; at += 1) waiting.push(await harness.handIn(bytes));
  for (const filter of ['', `&product_id=${productId}`, '&status=any']) {
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const { json } = await list(`?limit=3${filter}${cursor}`);
      expect(json.items.length).toBeLessThanOrEqual(3);
      seen.push(...json.items.map(({ file_id }: { file_id: string }) => file_id));
      if (!json.next_cursor) break;
      // A file that is decided on between two pages is on one of them.
      if (filter === '&status=any' && cursor === '') for (const at of [0, 3]) await harness.review(waiting[at]!, reject);
      cursor = `&cursor=${json.next_cursor}`;
    }
    expect(seen).toEqual(filter === '&status=any' ? [first, second, pending, ...waiting.slice(1)] : waiting);
  }
});

describe('the review of a file', () => {
  test('approves what is verified and vouched for, and names the first thing that is missing', async () => {
    const fileId = await harness.handIn(bytes);
    expect(await harness.review(fileId, { decision: 'approve' })).toMatchObject(error(409, 'file_not_verified'));
    await harness.drain();
    expect(await harness.review(fileId, { decision: 'approve' })).toMatchObject(error(409, 'file_not_trusted_clean'));
    const trusted = { scan_trusted_clean: true, scan_trust_source: 'manual' };
    const vouched = await harness.review(fileId, vouch);
    expect(vouched.json).toMatchObject({ status: 'pending_review', visibility: 'private', ...trusted });
    const { review_due_at: _, ...waiting } = vouched.json;
    const approved = await harness.review(fileId, { decision: 'approve' });
    expect(approved.json).toEqual({ ...waiting, status: 'approved', visibility: 'buyer_visible', approved_at: expect.any(String) });
    expect(approved.json).toMatchObject({
      verified_size_bytes: bytes.length,
      verified_content_type: 'application/zip',
      verified_sha256_hex: waiting.sha256_hex,
      scan_engine: 'eicar-only',
      scan_result_summary: expect.any(String),
      verified_at: expect.any(String),
      scanned_at: expect.any(String),
    });
  });

  test.each([
    [{ decision: 'reject' }, 'rejected_reason'],
    [{ decision: 'reject', rejected_reason: ' ' }, 'rejected_reason'],
    [{ decision: 'manual_clean' }, 'manual_scan_clean_reason'],
    [{ decision: 'mark_manual_clean', manual_scan_clean_reason: '' }, 'manual_scan_clean_reason'],
    [{ decision: 'approve', visibility: 'public' }, 'visibility'],
  ])('refuses %j', async (body, field) => {
    const { status, json } = await harness.review('fil_01ARZ3NDEKTSV4RRFFQ69G5FAV', body);
    expect([status, json.message]).toEqual([400, expect.stringContaining(`${field} `)]);
  });

  test('refuses a reason that holds something secret, and does not keep it', async () => {
    const fileId = await checked();
    const body = { ...vouch, manual_scan_clean_reason: 'see https://bucket.example/files/x?X-Amz-Signature=abc' };
    expect(await harness.review(fileId, body)).toMatchObject(error(400, 'reason_contains_sensitive_data'));
    expect((await harness.file(fileId)).scanTrustedClean).toBe(false);
    expect(JSON.stringify(await auditOf(fileId))).not.toContain('X-Amz');
  });

  test('is by nobody of a file of theirs under another account with the same verified e-mail', async () => {
    const own = await startFileHarness({ withoutStore: true, seller: { ownerEmails: new Set(['ADMIN@example.com']) } });
    const { product_file_id } = (await own.intend(own.declare(bytes))).json;
    expect(await own.review(product_file_id, { decision: 'disable' })).toMatchObject(error(403, 'self_review_forbidden'));
    await own.stop();
  });

  test('leaves an audit record with its reason', async () => {
    const fileId = await checked();
    await harness.review(fileId, vouch);
    await harness.review(fileId, reject);
    const states = { before: { scanTrustSource: 'none' }, after: { scanTrustSource: 'manual', status: 'pending_review' } };
    const moved = { before: { status: 'pending_review' }, after: { status: 'rejected' } };
    expect((await auditOf(fileId)).filter(({ actor }) => actor === 'admin')).toMatchObject([
      { action: 'product_file.manual_clean', ...states, note: 'Checked by hand.' },
      { action: 'product_file.reject', ...moved, note: 'Not first-party.' },
    ]);
  });

  test('made at once with others is judged on the state it meets', async () => {
    const fileId = await checked();
    await harness.review(fileId, vouch);
    const replies = await Promise.all([
      harness.review(fileId, { decision: 'approve' }),
      harness.review(fileId, reject),
      harness.withdraw(fileId),
    ]);
    for (const { status, json } of replies)
      expect(status === 200 ? undefined : json.code).toEqual(status === 200 ? undefined : 'file_state_conflict');
    const moves = (await auditOf(fileId)).filter(({ action }) => /approve|reject|withdraw/.test(action));
    // The records form one history: each begins where the one before it ended.
    for (const [at, move] of moves.entries()) expect(move.before?.['status']).toBe(moves[at - 1]?.after?.['status'] ?? 'pending_review');
    expect(moves.at(-1)?.after?.['status']).toBe((await harness.file(fileId)).status);
  });
});
