import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import type { FileId } from '../../../shared/ids.ts';
import { createInterleaver, inEveryOrder } from '../../support/interleave.ts';
import { createEventLog, told } from '../../support/scenes/events/event-log.ts';
import { type FileHarness, startFileHarness } from '../../support/scenes/file-harness.ts';

const bytes = Buffer.from('the bytes of an installer');
const vouch = { decision: 'manual_clean', manual_scan_clean_reason: 'Checked by hand.' };
const reject = { decision: 'reject', rejected_reason: 'Not first-party.' };
const error = (status: number, code: string) => ({ status, json: { code } });

const interleaver = createInterleaver();
let harness: FileHarness;
beforeAll(async () => {
  harness = await startFileHarness({ faults: interleaver });
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
    [`?product_id=${productId}&seller_id=sel_01ARZ3NDEKTSV4RRFFQ69G5FAV`, []],
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
    const { review_due_at, ...waiting } = vouched.json;
    const { uploadedAt = '' } = await harness.file(fileId);
    expect(review_due_at).toBe(new Date(Date.parse(uploadedAt) + 72 * 3_600_000).toISOString());
    const own = (await harness.call('GET', `/v1/products/${harness.product.id}/files?limit=1`)).json.items;
    expect(own).toMatchObject([{ id: fileId, review_due_at }]);
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

  test('leaves an audit record with its reason, and is told to the seller where it changed the file', async () => {
    const fileId = await checked();
    for (const decision of [vouch, vouch, reject]) expect((await harness.review(fileId, decision)).status).toBe(200);
    const event = { type: 'product_file.reviewed', productId: harness.product.id, fileId };
    expect((await createEventLog(harness).recordedOf(fileId)).map(told)).toEqual([
      { ...event, decision: 'manual_clean', status: 'pending_review' },
      { ...event, decision: 'reject', status: 'rejected' },
    ]);
    const states = { before: { scanTrustSource: 'none' }, after: { scanTrustSource: 'manual', status: 'pending_review' } };
    const moved = { before: { status: 'pending_review' }, after: { status: 'rejected' } };
    expect((await auditOf(fileId)).filter(({ actor }) => actor === 'admin')).toMatchObject([
      { action: 'product_file.manual_clean', ...states, note: 'Checked by hand.' },
      { action: 'product_file.manual_clean' },
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

const eicar = Buffer.from('X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*');

describe('another scan of a file', () => {
  test('is of one that failed or found something, is recorded, and is done once for each time that it was asked for', async () => {
    const fileId = await harness.handIn(eicar);
    expect(await harness.rescan(fileId)).toMatchObject(error(409, 'file_state_conflict'));
    await harness.drain();
    expect(await harness.file(fileId)).toMatchObject({ scanStatus: 'infected' });
    const replies = await Promise.all([harness.rescan(fileId), harness.rescan(fileId)]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([202, 409]);
    const { json } = replies.find(({ status }) => status === 202) ?? {};
    expect(json).toMatchObject({ file_id: fileId, status: 'pending_review', scan_status: 'not_scanned', was_infected: true });
    expect(Object.keys(json)).not.toContain('scan_result_summary');
    const facts = { before: { scanStatus: 'infected' }, after: { scanStatus: 'not_scanned' } };
    expect((await auditOf(fileId)).filter(({ actor }) => actor === 'admin')).toMatchObject([{ action: 'product_file.rescan', ...facts }]);
    expect(harness.queue.sent).toEqual([`scan-file:${harness.product.id}/${fileId}`]);
    await harness.drain();
    expect(await harness.file(fileId)).toMatchObject({ scanStatus: 'infected' });
    expect(await harness.rescan(fileId)).toMatchObject({ status: 202 });
    expect(await harness.review(fileId, vouch)).toMatchObject(error(409, 'file_state_conflict'));
    await harness.drain();
  });

  test('is of nothing that is not there, and asked for by nobody of a file of theirs', async () => {
    expect(await harness.rescan('fil_01ARZ3NDEKTSV4RRFFQ69G5FAV')).toMatchObject(error(404, 'file_not_found'));
    const elsewhere = await harness.admin('POST', `/v1/admin/products/prd_01ARZ3NDEKTSV4RRFFQ69G5FAV/files/${await checked()}/rescan`);
    expect(elsewhere).toMatchObject(error(404, 'product_not_found'));
    const own = await startFileHarness({ withoutStore: true, seller: { ownerEmails: new Set(['admin@example.com']) } });
    const { product_file_id } = (await own.intend(own.declare(bytes))).json;
    expect(await own.rescan(product_file_id)).toMatchObject(error(403, 'self_review_forbidden'));
    expect(await own.rescan('fil_01ARZ3NDEKTSV4RRFFQ69G5FAV')).toMatchObject(error(404, 'file_not_found'));
    await own.stop();
  });
});

const intend = (fileId: string, { admin, product } = harness) =>
  admin('POST', `/v1/admin/products/${product.id}/files/${fileId}/download-intent`);
const downloadsOf = async (fileId: string) => {
  const { items } = await listAudit(harness.table, { targetId: fileId, limit: 100 });
  return items.filter(({ action }) => action === 'product_file.download');
};

describe('a reviewer’s download', () => {
  test('gives a URL to the very bytes, as an attachment under their name, for five minutes, and is recorded', async () => {
    const fileId = await harness.handIn(bytes, { filename: 'アプリ "α" 1.0.zip' });
    const before = harness.now().getTime();
    const reply = await intend(fileId);
    expect(Object.keys(reply.json)).toEqual(['download_url', 'expires_at']);
    expect(reply.headers['cache-control']).toBe('no-store');
    const made = Date.parse(reply.json.expires_at) - 300_000;
    expect([before - 1000 < made, made <= harness.now().getTime()]).toEqual([true, true]);
    const download = await fetch(reply.json.download_url);
    expect(Buffer.from(await download.arrayBuffer())).toEqual(bytes);
    expect(download.headers.get('content-disposition')).toMatch(/^attachment; filename="___ ___ 1.0.zip"/);
    expect(download.headers.get('content-type')).toBe('application/zip');
    const { versionId } = await harness.file(fileId);
    expect(await downloadsOf(fileId)).toMatchObject([{ actor: 'admin', after: { versionId } }]);
    const signature = new URL(reply.json.download_url).searchParams.get('X-Amz-Signature');
    expect(JSON.stringify([await downloadsOf(fileId), harness.logged])).not.toContain(signature);
    harness.pass(301);
    expect((await fetch(reply.json.download_url)).status).toBe(403);
  });

  test('is of a file in whatever state its review left it', async () => {
    const [approved, rejected, withdrawn] = [await harness.offerFile(bytes), await harness.handIn(bytes), await harness.offerFile(bytes)];
    await harness.review(rejected, { decision: 'reject', rejected_reason: 'No.' });
    await harness.withdraw(withdrawn);
    await harness.change({ seller: { internalReviewStatus: 'suspended' } });
    for (const fileId of [approved, rejected, withdrawn]) {
      const { json } = await intend(fileId);
      expect(await (await fetch(json.download_url)).text()).toBe(bytes.toString());
    }
    await harness.change({ seller: { internalReviewStatus: 'approved' } });
  });

  test('is refused of an upload that is not finalized, of malware, and of bytes that are deleted', async () => {
    const infected = await harness.handIn(eicar);
    const deleted = await harness.handIn(bytes);
    await harness.drain();
    await harness.review(deleted, { decision: 'reject', rejected_reason: 'No.' });
    harness.pass(25 * 3600);
    await harness.sweep();
    expect((await harness.file(deleted)).bytesDeletedAt).toBeDefined();
    for (const fileId of [await harness.upload(bytes), infected, deleted]) {
      expect(await intend(fileId)).toMatchObject(error(409, 'file_state_conflict'));
      expect(await downloadsOf(fileId)).toEqual([]);
    }
  });

  test('is refused where no store is configured', async () => {
    const bare = await startFileHarness({ withoutStore: true });
    const { json } = await bare.intend(bare.declare(bytes));
    expect(await intend(json.product_file_id, bare)).toMatchObject(error(409, 'storage_not_configured'));
    await bare.stop();
  });

  test('in every order with a scan that finds malware gives none of it out afterwards', async () => {
    const seen = new Set<number>();
    await inEveryOrder(async (picks) => {
      const fileId = await harness.handIn(eicar);
      const [reply] = await interleaver.run<any>(picks, [() => intend(fileId), () => harness.drain()]);
      const written = (task: number) => interleaver.made.findLastIndex((made) => made.task === task && made.name === 'TransactWriteItems');
      seen.add(reply.status);
      if (reply.status === 200) expect(written(0)).toBeLessThan(written(1));
      else expect(reply).toMatchObject(error(409, 'file_state_conflict'));
      await harness.withdraw(fileId);
    });
    expect(seen).toEqual(new Set([200, 409]));
  });
});
