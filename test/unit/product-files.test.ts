import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type FileReview,
  type FileReviewDecision,
  fileAfterHash,
  fileAfterRescanRequest,
  fileAfterReview,
  fileAfterScan,
  fileAfterUpload,
  fileAfterWithdrawal,
  fileReviewDecisions,
  fileReviewTable,
} from '../../shared/product-files/file-states.ts';
import {
  isMultipartFile,
  partCountOf,
  partSizeBytes,
  requireAllParts,
  requirePartsOpen,
  SignFilePartsRequest,
  type StoredPart,
  sizeOfPart,
} from '../../shared/product-files/parts/upload-parts.ts';
import { isLiveEntry, type ProductFileRecord, ProductFileStatus, type ScanResult } from '../../shared/product-files/product-file.ts';
import { looksSensitive } from '../../shared/product-files/sensitive-reason.ts';
import { attachmentDisposition, sanitizeFileName } from '../../shared/product-files/storage/file-name.ts';
import { tableOf } from '../architecture/readme-page.ts';
import { codeOf, outcomeOf } from '../support/outcome-of.ts';
import { sampleFile } from '../support/samples/sample-file.ts';

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

describe('another scan', () => {
  const said = { scanEngine: 'clamav', scanSignatureVersion: '7', scanResultSummary: 'PUA.X', scanError: 'broken', scannedAt: before };
  const doubted = (change: Partial<ProductFileRecord> = {}) =>
    sampleFile({ status: 'pending_review', versionId: 'v1', hashStatus: 'verified', scanStatus: 'error', ...said, ...change });
  const ask = (file: ProductFileRecord) => fileAfterRescanRequest(file, at);
  const result = (verdict: ScanResult['verdict'], change: Partial<ScanResult> = {}): ScanResult => {
    return { versionId: 'v1', engine: 'clamav', trusted: true, verdict, at, ...change };
  };

  test.each<[string, Partial<ProductFileRecord>]>([
    ['not scanned', { scanStatus: 'not_scanned' }],
    ['clean', { scanStatus: 'clean' }],
    ['not finalized', { versionId: undefined }],
    ['not hashed', { hashStatus: 'unverified' }],
    ['not what was declared', { hashStatus: 'mismatch' }],
    ['not to be read', { hashStatus: 'error' }],
    ['deleted', { bytesDeletedAt: before }],
  ])('is refused of a file that is %s', (_, change) => {
    for (const scanStatus of ['error', 'infected'] as const) expect(outcomeOf(doubted({ scanStatus, ...change }), ask)).toBe(conflict);
  });

  test('leaves nothing of the scan before but that it found something, and keeps what an admin vouched for', () => {
    const gone = Object.fromEntries(Object.keys(said).map((name) => [name, undefined]));
    const failed = doubted();
    const anew = { ...failed, ...gone, scanStatus: 'not_scanned', scanWaits: 1, rescanAskedAt: at };
    expect(ask(failed)).toEqual(anew);
    const infected = ask({ ...failed, scanStatus: 'infected' });
    expect(infected).toEqual({ ...anew, wasInfected: true });
    expect(ask({ ...infected, scanStatus: 'error' })).toEqual({ ...anew, wasInfected: true });
    const vouched = { status: 'approved', scanTrustedClean: true, scanTrustSource: 'manual' } as const;
    expect(ask(doubted(vouched))).toMatchObject({ ...vouched, scanStatus: 'not_scanned' });
  });

  test('lets a file that was infected be approved once it is called clean, and never by who vouches for it', () => {
    const asked = ask(doubted({ scanStatus: 'infected' }));
    for (const verdict of ['error', 'clean'] as const) {
      const scanned = fileAfterScan(asked, result(verdict, { trusted: false }));
      expect([scanned.scanStatus, outcomeOf(scanned, review('approve'))]).toEqual([verdict, 'file_not_trusted_clean']);
      for (const decision of ['manual_clean', 'mark_manual_clean'] as const) expect(outcomeOf(scanned, review(decision))).toBe(conflict);
    }
    expect(review('approve')(fileAfterScan(asked, result('clean')))).toMatchObject({ status: 'approved', scanTrustSource: 'scanner' });
    expect(outcomeOf(ask(doubted()), review('manual_clean'))).toEqual({ scanTrustedClean: true, scanTrustSource: 'manual' });
  });

  test('is not answered by a result from before it, unless that is of malware', () => {
    const asked = ask(doubted({ scanStatus: 'infected' }));
    for (const verdict of ['clean', 'error'] as const) expect(fileAfterScan(asked, result(verdict, { at: before }))).toBe(asked);
    expect(fileAfterScan(asked, result('infected', { at: before }))).toMatchObject({ scanStatus: 'infected' });
  });
});

test('an upload is live until its URL ends, and not at that very moment; a file that waits or is approved without end', () => {
  expect([
    ...['2026-01-31T09:00:00.001Z', before].map((until) => isLiveEntry({ until }, new Date(before))),
    isLiveEntry({}, new Date(at)),
  ]).toEqual([true, false, true]);
});

const now = new Date('2026-01-31T09:00:00.000Z');
const parts = { uploadId: 'u', partSizeBytes: 10, expiresAt: '2026-01-31T09:00:00.001Z' };

/** A file of so many bytes in parts of ten. */
function fileOf(sizeBytes: number) {
  const file = sampleFile({ sizeBytes, parts });
  if (!isMultipartFile(file)) throw new Error('It has no parts.');
  return file;
}
const stored = (...sizes: number[]) =>
  sizes.map((sizeBytes, index): StoredPart => ({ partNumber: index + 1, sizeBytes, etag: '', sha256Hex: '' }));

describe('the parts of a file', () => {
  test.each([
    [1, [1]],
    [10, [10]],
    [11, [10, 1]],
    [20, [10, 10]],
    [39, [10, 10, 10, 9]],
  ])('of %d bytes are of one size, but the last', (sizeBytes, sizes) => {
    expect(partCountOf(sizeBytes, 10)).toBe(sizes.length);
    expect(sizes.map((_, index) => sizeOfPart(fileOf(sizeBytes), index + 1))).toEqual(sizes);
    expect(codeOf(() => sizeOfPart(fileOf(sizeBytes), sizes.length + 1))).toBe('invalid_request');
  });

  test('are the whole file only if each is there, in its size', () => {
    const check = (found: StoredPart[]) => codeOf(() => requireAllParts(fileOf(25), found));
    expect(check(stored(10, 10, 5))).toBeUndefined();
    expect(check([])).toBe('upload_not_found');
    expect(check(stored(10, 10))).toBe('upload_not_found');
    expect(check(stored(10, 10, 5, 1))).toBe('upload_not_found');
    expect(check(stored(10, 10, 5).map((part) => ({ ...part, partNumber: part.partNumber + 1 })))).toBe('upload_not_found');
    expect(check(stored(10, 10, 4))).toBe('file_mismatch');
    expect(check(stored(9, 10, 5))).toBe('file_mismatch');
  });

  test('can be stored while their file waits for its upload, and until its time is over', () => {
    const check = (change: object) => codeOf(() => requirePartsOpen(sampleFile({ parts, ...change }), now));
    expect(check({})).toBeUndefined();
    expect(check({ parts: { ...parts, expiresAt: now.toISOString() } })).toBe('file_state_conflict');
    expect(check({ parts: undefined })).toBe('file_state_conflict');
    expect(check({ storageKey: undefined })).toBe('file_state_conflict');
    for (const status of ['pending_review', 'approved', 'rejected', 'disabled']) expect(check({ status })).toBe('file_state_conflict');
  });

  test.each([
    [8 * 1024 ** 2 - 1, false],
    [8 * 1024 ** 2, true],
    [64 * 1024 ** 2, true],
    [64 * 1024 ** 2 + 1, false],
    [9e6 + 0.5, false],
    ['8388608', false],
    [null, false],
  ])('may be of %p bytes: %p', (size, isTaken) => {
    expect(partSizeBytes.safeParse(size).success).toBe(isTaken);
  });

  const hash = 'a'.repeat(64);
  const asked = (...numbers: number[]) => numbers.map((partNumber) => ({ partNumber, sha256Hex: hash }));
  const inARow = (count: number) => asked(...Array.from({ length: count }, (_, index) => index + 1));
  test.each<[unknown, string | undefined]>([
    [inARow(16), undefined],
    [undefined, 'parts is missing'],
    [[], 'parts must be a list of at least 1'],
    [inARow(17), 'parts must be a list of at most 16'],
    [asked(2, 2), 'parts must hold each part_number once'],
    [asked(0), 'parts,0,partNumber must be at least 1'],
    [asked(1.5), 'parts,0,partNumber must be a whole number'],
    [[{ partNumber: 1, sha256Hex: 'abc' }], 'parts,0,sha256Hex must be 64 hexadecimal digits'],
  ])('are signed as %j, or refused: %s', (parts, fault) => {
    const { error } = SignFilePartsRequest.safeParse({ parts });
    expect(error?.issues.map(({ path, message }) => `${path} ${message}`)).toEqual(fault && [fault]);
  });
});

describe('a stored file name', () => {
  test.each([
    ['setup.exe', 'setup.exe'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\app.msi', 'app.msi'],
    ['folder/', 'file'],
    ['..', 'file'],
    ['   ', 'file'],
    ['.bashrc', '.bashrc'],
    ['インストーラー 第2版.dmg', 'インストーラー 第2版.dmg'],
    ['cafe\u0301.zip', 'caf\u00e9.zip'],
    ['a<b>c:d"e|f?g*.zip', 'a_b_c_d_e_f_g_.zip'],
    ['line\r\nSet-Cookie: x.zip', 'line__Set-Cookie_ x.zip'],
    ['invoice\u202efdp.exe', 'invoice_fdp.exe'],
    ['zero\u200bwidth\ufeff.zip', 'zero_width_.zip'],
    [' trailing. . .', 'trailing'],
    ['NUL.txt', '_NUL.txt'],
    ['con', '_con'],
    ['con .txt', '_con .txt'],
    ['COM1.txt', '_COM1.txt'],
    ['lpt²', '_lpt²'],
    ['CONIN$', '_CONIN$'],
    ['console.txt', 'console.txt'],
    ['beacon.txt', 'beacon.txt'],
  ])('of %j is %j', (given, stored) => {
    expect(sanitizeFileName(given)).toBe(stored);
  });

  test('is at most 150 characters, its extension kept', () => {
    const name = sanitizeFileName(`${'長'.repeat(400)}.tar.gz`);
    expect([...name]).toHaveLength(150);
    expect(name).toMatch(/^長+\.gz$/);
    expect([...sanitizeFileName('x'.repeat(300))]).toHaveLength(150);
    expect([...sanitizeFileName(`a.${'x'.repeat(300)}`)]).toHaveLength(150);
    expect(sanitizeFileName(`${'x'.repeat(300)}.${'y'.repeat(19)}`)).toMatch(/\.y+$/);
    expect(sanitizeFileName(`${'x'.repeat(145)} .zip`)).toBe(`${'x'.repeat(145)} .zip`);
  });

  test('is safe whatever is given, and sanitizing it again changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (given) => {
        const name = sanitizeFileName(given);
        expect(name).not.toMatch(/[\p{Cc}/\\<>:"|?*\u202a-\u202e\u2066-\u2069]/u);
        expect([...name].length).toBeLessThanOrEqual(150);
        expect(name.trim()).not.toBe('');
        expect(sanitizeFileName(name)).toBe(name);
      }),
    );
  });
});

describe('the disposition of a download', () => {
  test('has the name in UTF-8 and a fallback in ASCII', () => {
    expect(attachmentDisposition('アプリ "1".zip')).toBe(
      `attachment; filename="___ _1_.zip"; filename*=UTF-8''%E3%82%A2%E3%83%97%E3%83%AA%20%221%22.zip`,
    );
    expect(attachmentDisposition("it's 100% (ok)*.zip")).toBe(
      `attachment; filename="it's 100_ (ok)*.zip"; filename*=UTF-8''it%27s%20100%25%20%28ok%29%2A.zip`,
    );
  });

  test('is a header value that can be parsed back, for every stored name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (given) => {
        const name = sanitizeFileName(given);
        const value = attachmentDisposition(name);
        expect(value).toMatch(/^attachment; filename="[\x20-\x21\x23-\x5b\x5d-\x7e]+"; filename\*=UTF-8''[\w!#$&+.^`|~%-]+$/);
        expect(decodeURIComponent(value.split("UTF-8''")[1] ?? '')).toBe(name);
      }),
    );
  });
});

test.each([
  'Checked by hand with two engines on 2026-01-31.',
  'ClamAV 1.4.6 says clean; the archive is password-protected by its vendor.',
  'Larger than the scanner takes. Vendor confirmed by phone (ticket 4711).',
  '手動で確認しました。問題ありません。',
  'setup.exe and readme.txt are clean, signed by the vendor and/or its reseller.',
])('a plain reason may be kept: %s', (reason) => {
  expect(looksSensitive(reason)).toBe(false);
});

test.each([
  'Key LIC1-7K3QD-9M2XW-4R8TB-H5JNC-V6PGA was tried',
  'key lic1 7k3qd 9m2xw 4r8tb h5jnc v6pga was tried',
  'LIC1‐7K3QD‐9M2XW‐4R8TB‐H5JNC‐V6PGA',
  'asked buyer@example.com',
  'asked ｂｕｙｅｒ＠ｅｘａｍｐｌｅ．ｃｏｍ',
  'see https://bucket.s3.amazonaws.com/files/x?X-Amz-Signature=abc',
  'see s3://bucket/files/x',
  'see www.example.com',
  'see bucket.s3.example.com/files/x',
  'token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJvcmRfMSJ9.c2lnbmF0dXJl',
  'secret 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b',
  'Bearer abcdef',
  'sk_test_123456',
])('a reason with something that must not be kept is refused: %s', (reason) => {
  expect(looksSensitive(reason)).toBe(true);
});
