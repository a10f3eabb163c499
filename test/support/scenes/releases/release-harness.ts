import { randomBytes } from 'node:crypto';
import type { FileId } from '../../../../shared/ids.ts';
import { addJob } from '../../../../shared/jobs/job-repository.ts';
import { maxUnusedSeconds } from '../../../../shared/product-files/file-states.ts';
import { createFile } from '../../../../shared/product-files/product-file-repository.ts';
import { ok, type RequestOptions, type TestReply } from '../../http/http-event.ts';
import { sampleFile } from '../../samples/sample-file.ts';
import { type FileHarness, startFileHarness } from '../file-harness.ts';

type Body = Record<string, unknown>;

export type ReleaseHarness = Awaited<ReturnType<typeof startReleaseHarness>>;

/** Releases over the engines of the file harness. */
export async function startReleaseHarness(options: Parameters<typeof startFileHarness>[0] = {}) {
  const files: FileHarness = await startFileHarness(options);
  const { table, product, now } = files;
  const base = `/v1/products/${product.id}/releases`;

  const harness = {
    files,
    table,
    product,
    base,

    stop: () => files.stop(),

    /** As the product's seller. */
    call: files.call,
    save: (body: Body, given: RequestOptions = {}) => harness.call('POST', base, { ...given, body }),
    move: (id: string, move: string, body?: Body) => harness.call('POST', `${base}/${id}/${move}`, body ? { body } : {}),
    show: (id: string) => harness.call('GET', `${base}/${id}`),
    admin: files.admin,
    review: (id: string, body: Body) => harness.admin('PATCH', `/v1/admin/products/${product.id}/releases/${id}/review`, { body }),

    /** A finalized file for releases that no worker has seen. */
    async file(filename: string, bytes: Uint8Array = randomBytes(40)): Promise<FileId> {
      const declared = { ...files.declare(bytes, { filename }), purpose: 'release' };
      const fileId = await files.upload(bytes, declared);
      ok(await files.finalize(fileId, bytes));
      return fileId;
    },

    /** One that is verified and vouched for. */
    async cleanFile(filename: string, bytes?: Uint8Array): Promise<FileId> {
      const fileId = await harness.file(filename, bytes);
      await files.drain();
      ok(await files.review(fileId, { decision: 'manual_clean', manual_scan_clean_reason: 'Checked by hand.' }));
      return fileId;
    },

    /** The same where nobody reads its bytes: only the table knows of it. */
    async plantFile(fileName: string): Promise<FileId> {
      const { id: productId, sellerId } = product;
      const owner = { productId, sellerId, fileName, purpose: 'release' } as const;
      const upload = { versionId: 'v1', uploadedAt: now().toISOString(), status: 'pending_review' } as const;
      const verdict = { hashStatus: 'verified', scanStatus: 'clean', scanTrustedClean: true, scanTrustSource: 'manual' } as const;
      const file = sampleFile({ ...owner, ...upload, ...verdict, sizeBytes: 0 });
      const job = addJob(files.c, { kind: 'withdraw-unused-file', productId, fileId: file.id }, maxUnusedSeconds);
      await table.transact([...createFile(file, undefined, now()), job]);
      return file.id;
    },

    /** A draft that can be handed in: one full for pages, unless `body` has other artifacts. */
    async draft(version: string, body: Body = {}): Promise<TestReply['json']> {
      const artifacts = body['artifacts'] ?? [{ ...fullFor('linux', 'x64'), file_id: await harness.cleanFile(`app-${version}.zip`) }];
      return ok(await harness.save({ ...sampleRelease(version), ...body, artifacts })).json;
    },

    async submitted(version: string, body: Body = {}): Promise<TestReply['json']> {
      const { id } = await harness.draft(version, body);
      return ok(await harness.move(id, 'submit')).json;
    },

    async approved(version: string, body: Body = {}): Promise<TestReply['json']> {
      const { id } = await harness.submitted(version, body);
      return ok(await harness.review(id, { decision: 'approve' })).json;
    },

    async published(version: string, body: Body = {}): Promise<TestReply['json']> {
      const { id } = await harness.approved(version, body);
      return ok(await harness.move(id, 'publish')).json;
    },
  };
  return harness;
}

/** What every release must say. */
export const sampleRelease = (version: string): Body => ({
  version,
  channel: version.includes('-') ? 'beta' : 'stable',
  notes: `What changed in ${version}`,
});

export const fullFor = (platform: string, arch: string): Body => ({ platform, arch, kind: 'full' });

/** Base64 of 64 bytes, as an Ed25519 signature has them. */
export const sampleSignature = Buffer.alloc(64, 7).toString('base64');
