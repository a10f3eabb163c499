import { describe, expect, test } from '@jest/globals';
import {
  type FileReview,
  type FileReviewDecision,
  fileAfterHash,
  fileAfterReview,
  fileAfterScan,
  fileAfterUpload,
  fileAfterWithdrawal,
  fileReviewDecisions,
  fileReviewTable,
} from '../../../shared/product-files/file-states.ts';
import { isLiveEntry, type ProductFileRecord, ProductFileStatus, type ScanResult } from '../../../shared/product-files/product-file.ts';
import { tableOf } from '../../architecture/readme-page.ts';
import { outcomeOf } from '../../support/outcome-of.ts';
import { sampleFile } from '../../support/samples/sample-file.ts';

const [before, at] = ['2026-01-31T09:00:00.000Z', '2026-02-01T09:00:00.000Z'];
const verified = { hashStatus: 'verified', scanStatus: 'clean', scanTrustedClean: true, scanTrustSource: 'scanner' } as const;

/** State; what approve, vouching (manual_clean by either name), reject and disable lead to; what a withdrawal leads to. */
const table = `
  upload_pending no       no       no       no       disabled
  pending_review approved vouched  rejected disabled disabled
  approved       seen     no       rejected disabled disabled
  rejected       no       no       no       no       no
  disabled       approved no       rejected no       no`;
const rows = table
  .trim()
  .split('\n')
  .map((row) => row.trim().split(/ +/) as [ProductFileRecord['status'], string, string, string, string, string]);

const review = (decision: FileReviewDecision, change: Partial<FileReview> = {}) => {
  return (file: ProductFileRecord) => fileAfterReview(file, { decision, at, ...change });
};
const conflict = 'file_state_conflict';

test('the table names every state, and the page has the one of reviews', () => {
  expect(fileReviewTable).toEqual(tableOf('shared/product-files/states.md', 'from \\ decision'));
  expect(rows.map(([status]) => status)).toEqual(ProductFileStatus.options);
});

describe.each(rows)('a file that is %s', (status, approve, vouch, reject, disable, withdraw) => {
  const visibility = status === 'approved' ? 'buyer_visible' : 'private';
  const file = sampleFile({ status, visibility, ...verified });
  const hidden = visibility === 'private' ? {} : { visibility: 'private' };
  const results: Record<string, unknown> = {
    no: conflict,
    approved: { status: 'approved', visibility: 'buyer_visible', approvedAt: at },
    seen: {},
    vouched: { scanTrustSource: 'manual' },
    rejected: { status: 'rejected', rejectedAt: at, rejectedReason: 'No.', ...hidden },
    disabled: { status: 'disabled', ...hidden },
  };

  test.each(fileReviewDecisions)('is moved by %s as the table says', (decision) => {
    const outcome = { approve, manual_clean: vouch, mark_manual_clean: vouch, reject, disable }[decision];
    expect(outcomeOf(file, review(decision, { rejectedReason: 'No.' }))).toEqual(results[outcome]);
  });

  test('is withdrawn as the table says, and for good', () => {
    const outcome = outcomeOf(file, (read) => fileAfterWithdrawal(read, at));
    expect(outcome).toEqual(withdraw === 'no' ? conflict : { ...(results['disabled'] as object), withdrawnAt: at });
    if (withdraw === 'no') return;
    const gone = fileAfterWithdrawal(file, before);
    expect(fileAfterWithdrawal(gone, at)).toBe(gone);
    expect(outcomeOf(gone, review('approve'))).toBe(conflict);
  });
});

test('an approval demands a verified hash first, and then trust', () => {
  for (const status of ['pending_review', 'disabled'] as const) {
    for (const hashStatus of ['unverified', 'mismatch', 'error'] as const) {
      expect(outcomeOf(sampleFile({ ...verified, status, hashStatus }), review('approve'))).toBe('file_not_verified');
    }
    expect(outcomeOf(sampleFile({ ...verified, status, scanTrustedClean: false }), review('approve'))).toBe('file_not_trusted_clean');
  }
});

test('an approval says who sees the file, or leaves that as it is', () => {
  const hidden = sampleFile({ ...verified, status: 'approved' });
  for (const visibility of [undefined, 'private'] as const) expect(review('approve', { visibility })(hidden)).toBe(hidden);
  expect(outcomeOf(hidden, review('approve', { visibility: 'buyer_visible' }))).toEqual({ visibility: 'buyer_visible' });
  const waiting = sampleFile({ ...verified, status: 'pending_review' });
  expect(outcomeOf(waiting, review('approve', { visibility: 'private' }))).toEqual({ status: 'approved', approvedAt: at });
});

test('nobody vouches for what is infected, or is not what was declared', () => {
  const waiting = { ...verified, status: 'pending_review', scanTrustedClean: false, scanTrustSource: 'none' } as const;
  const vouched = { scanTrustedClean: true, scanTrustSource: 'manual' };
  for (const hashStatus of ['unverified', 'verified'] as const) {
    expect(outcomeOf(sampleFile({ ...waiting, hashStatus }), review('manual_clean'))).toEqual(vouched);
    const known = sampleFile({ ...waiting, ...vouched, hashStatus } as Partial<ProductFileRecord>);
    expect(review('manual_clean')(known)).toBe(known);
  }
  for (const hashStatus of ['mismatch', 'error'] as const) {
    expect(outcomeOf(sampleFile({ ...waiting, hashStatus }), review('manual_clean'))).toBe(conflict);
  }
  expect(outcomeOf(sampleFile({ ...waiting, scanStatus: 'infected' }), review('manual_clean'))).toBe(conflict);
});

test('a file that was withdrawn and enabled meanwhile is withdrawn anew', () => {
  const open = sampleFile({ ...verified, status: 'approved', withdrawnAt: before });
  expect(fileAfterWithdrawal(open, at)).toMatchObject({ status: 'disabled', withdrawnAt: at });
});

test('an upload waits for review, no older than its file', () => {
  const begun = sampleFile({ visibility: 'buyer_visible' });
  const waiting = { versionId: 'v1', status: 'pending_review', visibility: 'private' };
  expect(outcomeOf(begun, (file) => fileAfterUpload(file, { versionId: 'v1', uploadedAt: at }))).toMatchObject({
    ...waiting,
    uploadedAt: at,
  });
  const early = fileAfterUpload(begun, { versionId: 'v1', uploadedAt: '2026-01-31T08:59:59.000Z' });
  expect(early.uploadedAt).toBe(begun.createdAt);
});

describe('what was read of a file', () => {
  const stored = sampleFile({ status: 'pending_review', versionId: 'v1' });
  const found = { hashStatus: 'verified' as const, sizeBytes: 9, contentType: 'text/plain', sha256Hex: 'b'.repeat(64) };
  const verification = { hashStatus: 'verified', verifiedSizeBytes: 9, verifiedContentType: 'text/plain', verifiedAt: at };

  test('is kept beside what was declared', () => {
    const expected = { ...stored, ...verification, verifiedSha256Hex: found.sha256Hex };
    expect(fileAfterHash(stored, found, at)).toStrictEqual(expected);
    const picture = { contentType: 'image/png' } as ProductFileRecord['picture'];
    expect(fileAfterHash(stored, { ...found, picture }, at)).toStrictEqual({ ...expected, picture });
  });

  test('rejects a file that nobody need look at, unless someone decided on it', () => {
    const wrong = { hashStatus: 'mismatch' as const, hashError: 'not_a_picture' };
    expect(fileAfterHash(stored, wrong, at)).toEqual({ ...stored, ...wrong });
    const rejected = { ...stored, ...wrong, status: 'rejected', rejectedAt: at, rejectedReason: 'no' };
    expect(fileAfterHash(stored, { ...wrong, rejectedReason: 'no' }, at)).toEqual(rejected);
    const disabled = sampleFile({ ...stored, status: 'disabled' });
    expect(fileAfterHash(disabled, { ...wrong, rejectedReason: 'no' }, at)).toEqual({ ...disabled, ...wrong });
  });
});

describe('a scan result', () => {
  const stored = sampleFile({ status: 'pending_review', versionId: 'v1' });
  const result = (said: Partial<ScanResult> = {}): ScanResult => {
    return { versionId: 'v1', engine: 'clamav', trusted: true, verdict: 'clean', at, ...said };
  };
  const infected = result({ verdict: 'infected' });
  const verifiedFile = sampleFile({ ...stored, hashStatus: 'verified' });

  test('counts when it says more than is known: least a failure, then clean, trusted clean and infected', () => {
    const byWeight = [result({ verdict: 'error' }), result({ trusted: false }), result(), infected];
    for (const [weight, standing] of byWeight.entries()) {
      const known = fileAfterScan(verifiedFile, standing);
      expect(known.scanStatus).toBe(standing.verdict);
      for (const next of byWeight.slice(0, weight + 1)) expect(fileAfterScan(known, next)).toBe(known);
      for (const next of byWeight.slice(weight + 1)) {
        const scanTrustedClean = next.verdict === 'clean' && next.trusted;
        expect(fileAfterScan(known, next)).toMatchObject({ scanStatus: next.verdict, scanTrustedClean });
      }
    }
  });

  test('counts for its version alone, and a clean one for bytes that are as declared', () => {
    const upload = { versionId: 'v1', uploadedAt: at };
    expect(fileAfterScan(verifiedFile, result({ versionId: 'v2' }))).toBe(verifiedFile);
    expect(fileAfterUpload(fileAfterScan(sampleFile(), result({ versionId: 'v2' })), upload).waitingScans).toEqual([]);
    const early = fileAfterUpload(fileAfterScan(sampleFile(), result()), upload);
    const differs = fileAfterHash(early, { hashStatus: 'mismatch', hashError: 'sha256_mismatch' }, at);
    expect(differs).toMatchObject({ hashStatus: 'mismatch', scanStatus: 'not_scanned', scanTrustedClean: false });
  });

  test('is told in full', () => {
    const said = { signatureVersion: '7', summary: 'OK', error: 'none' };
    expect(outcomeOf(verifiedFile, (file) => fileAfterScan(file, result(said)))).toEqual({
      scanStatus: 'clean',
      scanTrustedClean: true,
      scanTrustSource: 'scanner',
      scanEngine: 'clamav',
      scanSignatureVersion: '7',
      scanResultSummary: 'OK',
      scanError: 'none',
      scannedAt: at,
    });
  });

  test('infected takes a file down, whoever vouched for it and before its hash is known', () => {
    const distrusted = { scanStatus: 'infected', scanTrustedClean: false, scanTrustSource: 'none' };
    const offered = sampleFile({ ...stored, ...verified, status: 'approved', visibility: 'buyer_visible', scanTrustSource: 'manual' });
    expect(fileAfterScan(offered, infected)).toMatchObject({ ...distrusted, status: 'disabled', visibility: 'private' });
    expect(fileAfterScan(stored, infected)).toMatchObject({ ...distrusted, status: 'pending_review' });
  });

  test('before it counts waits once, unless it is of another version', () => {
    const waiting = fileAfterScan(stored, result());
    expect(waiting).toEqual({ ...stored, waitingScans: [result()] });
    expect(fileAfterScan(waiting, result({ at: before }))).toBe(waiting);
    for (const other of [{ engine: 'guardduty' }, { trusted: false }, { verdict: 'error' as const }]) {
      expect(fileAfterScan(waiting, result(other)).waitingScans).toEqual([result(), result(other)]);
    }
    expect(fileAfterScan(stored, result({ versionId: 'v2' }))).toBe(stored);
    expect(fileAfterScan(fileAfterScan(sampleFile(), result()), result({ versionId: 'v2' })).waitingScans).toHaveLength(2);
    expect(fileAfterScan(sampleFile({ hashStatus: 'verified' }), infected).waitingScans).toEqual([infected]);
  });

  test('before it counts is kept among at most twenty, infected ones beyond', () => {
    const many = Array.from({ length: 19 }, (_, index) => result({ engine: `e${index}` }));
    const full = fileAfterScan(sampleFile({ waitingScans: many }), result());
    expect(full.waitingScans).toHaveLength(20);
    expect(fileAfterScan(full, result({ engine: 'last' }))).toBe(full);
    expect(fileAfterScan(full, infected).waitingScans).toHaveLength(21);
  });

  test('before it counts does so once the hash is verified, of its version alone', () => {
    const others = [result({ versionId: 'v2', verdict: 'infected' }), result({ verdict: 'error', trusted: false })];
    const file = fileAfterUpload(sampleFile({ waitingScans: [...others, result()] }), { versionId: 'v1', uploadedAt: at });
    expect(file).toMatchObject({ scanStatus: 'not_scanned', waitingScans: [others[1], result()] });
    const found = { hashStatus: 'verified' as const, sizeBytes: 10, contentType: 'application/zip', sha256Hex: 'a'.repeat(64) };
    expect(fileAfterHash(file, found, at)).toMatchObject({ scanStatus: 'clean', scanTrustedClean: true, waitingScans: [] });
  });
});

test('an upload is live until its URL ends, and not at that very moment; a file that waits or is approved without end', () => {
  expect([
    ...['2026-01-31T09:00:00.001Z', before].map((until) => isLiveEntry({ until }, new Date(before))),
    isLiveEntry({}, new Date(at)),
  ]).toEqual([true, false, true]);
});
