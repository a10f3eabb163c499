import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { EngineReport } from '../../functions/file-scanner/engine.ts';
import { recordScan } from '../../functions/file-scanner/record-scan.ts';
import { AppError } from '../../shared/errors.ts';
import { type FileId, newId } from '../../shared/ids.ts';
import { createFileDownload } from '../../shared/product-files/file-downloads.ts';
import {
  type FileReview,
  fileAfterHash,
  fileAfterRescanRequest,
  fileAfterReview,
  fileAfterScan,
  fileAfterUpload,
  fileAfterWithdrawal,
  fileReviewDecisions,
  type HashOutcome,
} from '../../shared/product-files/file-states.ts';
import { isDownloadable, type ProductFileRecord, type ScanResult } from '../../shared/product-files/product-file.ts';
import { tries } from '../support/depth.ts';
import { sampleFile } from '../support/samples/sample-file.ts';
import { type FileHarness, startFileHarness } from '../support/scenes/file-harness.ts';

const at = '2026-01-31T09:00:00.000Z';
const sha256Hex = 'a'.repeat(64);

const newFile = sampleFile();

/** What happened to a file, told without the code under test: enough to say who may vouch for what. */
class History {
  finalVersion: string | undefined;
  verified = false;
  cleared = new Set<string>();
  infected = new Set<string>();
  /** Nobody may vouch for it any more. */
  wasInfected = false;
  manual = false;
  /** The last of the decisions that open or close a file. */
  open = false;
  visible = false;
  withdrawn = false;

  get mayBeDownloaded(): boolean {
    const version = this.finalVersion;
    if (version === undefined || this.infected.has(version)) return false;
    return this.verified && (this.manual || this.cleared.has(version)) && this.open && this.visible && !this.withdrawn;
  }
}

// Weighted so that many files get as far as buyers.
const versions = fc.constantFrom('v1', 'v1', 'v1', 'v2');
const scan: fc.Arbitrary<ScanResult> = fc.record({
  versionId: versions,
  engine: fc.constantFrom('clamav', 'guardduty', 'eicar-only'),
  trusted: fc.boolean(),
  verdict: fc.constantFrom<ScanResult['verdict'][]>('clean', 'clean', 'clean', 'clean', 'error', 'infected'),
  at: fc.constant(at),
});
const review: fc.Arbitrary<FileReview> = fc.record({
  decision: fc.constantFrom(...fileReviewDecisions, 'approve' as const, 'approve' as const, 'manual_clean' as const),
  visibility: fc.option(fc.constantFrom('private' as const, 'buyer_visible' as const), { nil: undefined }),
  at: fc.constant(at),
});
const hash: fc.Arbitrary<HashOutcome> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ hashStatus: 'verified' as const, sizeBytes: 10, contentType: 'application/zip', sha256Hex }) },
  { weight: 1, arbitrary: fc.constant({ hashStatus: 'mismatch' as const, hashError: 'sha256_mismatch' }) },
  { weight: 1, arbitrary: fc.constant({ hashStatus: 'error' as const, hashError: 'object_missing' }) },
);
type Step =
  | { kind: 'finalize'; versionId: string }
  | { kind: 'hash'; outcome: HashOutcome }
  | { kind: 'scan'; result: ScanResult }
  | { kind: 'review'; review: FileReview }
  | { kind: 'rescan' }
  | { kind: 'withdraw' };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('finalize' as const), versionId: versions }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('hash' as const), outcome: hash }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('scan' as const), result: scan }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('review' as const), review }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rescan' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('withdraw' as const) }) },
);

/** The file after a step, as the services make it; the same when the step is refused. */
function take(file: ProductFileRecord, next: Step): ProductFileRecord {
  try {
    switch (next.kind) {
      case 'finalize':
        return file.status === 'upload_pending' ? fileAfterUpload(file, { versionId: next.versionId, uploadedAt: at }) : file;
      case 'hash':
        return file.versionId !== undefined && file.hashStatus === 'unverified' ? fileAfterHash(file, next.outcome, at) : file;
      case 'scan':
        return fileAfterScan(file, next.result);
      case 'review':
        return fileAfterReview(file, next.review);
      case 'rescan':
        return fileAfterRescanRequest(file, at);
      case 'withdraw':
        return fileAfterWithdrawal(file, at);
    }
  } catch (error) {
    if (error instanceof AppError) return file;
    throw error;
  }
}

function remember(history: History, before: ProductFileRecord, next: Step, after: ProductFileRecord): void {
  if (next.kind === 'finalize' && before.versionId === undefined && after.versionId !== undefined) history.finalVersion = next.versionId;
  if (next.kind === 'hash' && before.hashStatus === 'unverified' && history.finalVersion)
    history.verified ||= next.outcome.hashStatus === 'verified';
  if (next.kind === 'scan' && next.result.verdict === 'infected') history.infected.add(next.result.versionId);
  if (next.kind === 'scan' && next.result.verdict === 'clean' && next.result.trusted) history.cleared.add(next.result.versionId);
  if (next.kind === 'withdraw' && after !== before) history.withdrawn = true;
  if (next.kind === 'rescan' && after !== before && history.infected.delete(history.finalVersion ?? '')) {
    // What was said of it before is said no more.
    Object.assign(history, { wasInfected: true, manual: false, cleared: new Set(), open: false });
  }
  if (next.kind !== 'review' || after === before) return;
  const { decision, visibility } = next.review;
  if (decision === 'manual_clean' || decision === 'mark_manual_clean') history.manual = !history.wasInfected;
  if (decision === 'reject' || decision === 'disable') history.open = false;
  if (decision === 'approve') {
    history.visible =
      (visibility ?? (history.open ? (history.visible ? 'buyer_visible' : 'private') : 'buyer_visible')) === 'buyer_visible';
    history.open = true;
  }
}

function brokenRules(file: ProductFileRecord, history: History): string[] {
  const rules = {
    'a download needs approval, visibility, a verified hash and trust': !isDownloadable(file) || history.mayBeDownloaded,
    'an approved file is verified and vouched for': file.status !== 'approved' || (file.hashStatus === 'verified' && file.scanTrustedClean),
    'trust has a source': file.scanTrustedClean === (file.scanTrustSource !== 'none'),
    'nobody trusts an infected file': file.scanStatus !== 'infected' || !file.scanTrustedClean,
    'only approved files are visible': file.status === 'approved' || file.visibility === 'private',
    'no infected file is approved': !history.infected.has(file.versionId ?? '') || file.status !== 'approved',
  };
  return Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [rule]));
}

describe('the states of a product file', () => {
  test('no sequence of calls and results makes a file downloadable that is not approved, visible, verified and vouched for', () => {
    let downloadable = 0;
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
        const history = new History();
        let file = newFile;
        for (const next of steps) {
          const after = take(file, next);
          remember(history, file, next, after);
          file = after;
          if (isDownloadable(file)) downloadable += 1;
          // One comparison, for there are very many steps.
          const broken = brokenRules(file, history);
          if (broken.length > 0) expect(broken).toEqual([]);
        }
      }),
      { numRuns: tries(5000) },
    );
    expect(downloadable).toBeGreaterThan(tries(200));
  });

  test('scan results commute: their order never changes what is trusted', () => {
    const upload = { versionId: 'v1', uploadedAt: at };
    const outcome = { hashStatus: 'verified', sizeBytes: 10, contentType: 'application/zip', sha256Hex } as const;
    const verified = fileAfterHash(fileAfterUpload(newFile, upload), outcome, at);
    const trustOf = ({ scanStatus, scanTrustedClean, scanTrustSource, status }: ProductFileRecord) => ({
      scanStatus,
      scanTrustedClean,
      scanTrustSource,
      status,
    });
    const results = fc
      .array(scan, { maxLength: 6 })
      .chain((list) => fc.record({ list: fc.constant(list), shuffled: fc.shuffledSubarray(list, { minLength: list.length }) }));
    fc.assert(
      fc.property(results, fc.nat({ max: 3 }), ({ list, shuffled }, early) => {
        const inOrder = [...list, ...list.slice(0, 2)].reduce(fileAfterScan, verified);
        // Some come before the hash is known, some even before the upload is finalized.
        const begun = shuffled.slice(0, early).reduce(fileAfterScan, newFile);
        const handedIn = shuffled.slice(early, early * 2).reduce(fileAfterScan, fileAfterUpload(begun, upload));
        const outOfOrder = shuffled.slice(early * 2).reduce(fileAfterScan, fileAfterHash(handedIn, outcome, at));
        expect(trustOf(outOfOrder)).toEqual(trustOf(inOrder));
      }),
      { numRuns: tries(5000) },
    );
  });
});

describe('the doors to a product file', () => {
  let harness: FileHarness;
  let report: EngineReport;
  beforeAll(async () => {
    harness = await startFileHarness({
      engine: {
        name: 'clamav',
        async scan(_size, open) {
          for await (const _ of await open());
          return report;
        },
      },
    });
  });
  afterAll(() => harness.stop());

  const bytes = Buffer.from('some bytes');
  const reason = 'Checked by hand.';
  const clean: EngineReport = { verdict: 'clean', summary: 'OK' };
  const infected: EngineReport = { verdict: 'infected', summary: 'EICAR' };
  const failed: EngineReport = { verdict: 'error', error: 'too_large' };

  const moves = {
    finalize: (id: FileId) => harness.finalize(id, bytes),
    work: () => harness.drain(),
    approve: (id: FileId) => harness.review(id, { decision: 'approve' }),
    approvePrivately: (id: FileId) => harness.review(id, { decision: 'approve', visibility: 'private' }),
    vouch: (id: FileId) => harness.review(id, { decision: 'manual_clean', manual_scan_clean_reason: reason }),
    reject: (id: FileId) => harness.review(id, { decision: 'reject', rejected_reason: 'no' }),
    disable: (id: FileId) => harness.review(id, { decision: 'disable' }),
    rescan: (id: FileId) => harness.rescan(id),
    withdraw: (id: FileId) => harness.withdraw(id),
    infect: async (id: FileId) => {
      const { versionId = 'v0' } = await harness.file(id);
      await recordScan(
        harness.c,
        { productId: harness.product.id, fileId: id },
        { versionId, engine: 'guardduty', trusted: true, verdict: 'infected', at },
      );
    },
  };

  test('give a download exactly when the file is approved, visible, verified and trusted clean, in any interleaving', async () => {
    const names = fc.constantFrom(...(Object.keys(moves) as (keyof typeof moves)[]));
    const calls = fc.array(fc.array(names, { minLength: 1, maxLength: 3 }), { minLength: 3, maxLength: 7 });
    await fc.assert(
      fc.asyncProperty(calls, fc.constantFrom(clean, infected, failed), async (rounds, said) => {
        report = said;
        const id = await harness.upload(bytes);
        for (const round of rounds) {
          await Promise.all(round.map((name) => moves[name](id)));
          const file = await harness.file(id);
          const given = await createFileDownload(harness.c, file, { orderId: newId('order'), licenseId: newId('license') }).then(
            () => true,
            (error: AppError) => {
              expect(error.code).toBe('file_not_available');
              return false;
            },
          );
          const { status, visibility, hashStatus, scanTrustedClean, scanStatus } = file;
          expect(given).toBe(status === 'approved' && visibility === 'buyer_visible' && hashStatus === 'verified' && scanTrustedClean);
          if (given) expect(scanStatus).not.toBe('infected');
        }
        await harness.withdraw(id);
      }),
      { numRuns: tries(24) },
    );
  }, 120_000);
});
