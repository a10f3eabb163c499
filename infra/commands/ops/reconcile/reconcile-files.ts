import { fileKey, jobKey, listPartitions } from '../../../../shared/db/keys.ts';
import type { Table } from '../../../../shared/db/table.ts';
import { isId } from '../../../../shared/ids.ts';
import { jobId } from '../../../../shared/jobs/new-job.ts';
import { createPartStore } from '../../../../shared/product-files/parts/part-store.ts';
import { type FileIds, isDead, isStored, ProductFileRecord } from '../../../../shared/product-files/product-file.ts';
import type { ObjectStore } from '../../../../shared/product-files/storage/object-store.ts';
import {
  bytesOf,
  deleteVersion,
  type FileBucket,
  hideObject,
  listUploads,
  listVersions,
  type OpenUpload,
  type StoredVersion,
  versionsOf,
} from './file-bucket.ts';

/** In the order in which files move through them, so that none is missed on its way. Files that are rejected wait for their deletion. */
const statuses = ['pending_review', 'approved', 'disabled'] as const;
const prefixes = ['files/', 'pictures/'];
const filesAtOnce = 20;

export interface ReconcileOptions {
  table: Table;
  bucket: FileBucket;
  store: Pick<ObjectStore, 'findObject'>;
  /** Takes down a file whose bytes are gone. Left out, nothing is repaired. */
  takeDown?: ((file: ProductFileRecord) => Promise<void>) | undefined;
  /** Hides what no record wants and was stored before then, and ends such uploads in parts. Left out, nothing is hidden. */
  hideBefore?: string | undefined;
  tell: (line: string) => void;
  onProgress?: (counts: Counts) => void;
}

export interface Counts {
  objects: number;
  files: number;
  /** What did not agree, and how much of it agrees now. */
  faults: number;
  mended: number;
}

/** A run, with what it has counted by now. */
interface Run extends ReconcileOptions {
  counts: Counts;
}

/**
 * Compares the bucket with the table, both ways: what no record wants, and what a record names and is not there.
 * An object is younger than its record, and is deleted before its record says so; both are looked at in that order.
 * In memory: a page of objects with their records, or a page of records.
 */
export async function reconcileFiles(options: ReconcileOptions): Promise<Counts> {
  const { table, bucket, onProgress } = options;
  const counts: Counts = { objects: 0, files: 0, faults: 0, mended: 0 };
  const run = { ...options, counts };
  for (const prefix of prefixes) for await (const page of listVersions(bucket, prefix)) await lookAtObjects(run, page);
  for await (const page of listUploads(bucket, '')) for (const upload of page) await lookAtUpload(run, upload);
  for (const status of statuses) {
    for (const partition of listPartitions(`files#${status}`)) {
      for await (const files of pagesOf(table, partition)) {
        for (let at = 0; at < files.length; at += filesAtOnce)
          await Promise.all(files.slice(at, at + filesAtOnce).map((file) => lookAtFile(run, file)));
        onProgress?.(counts);
      }
    }
  }
  return counts;
}

async function report({ counts, tell }: Run, line: string, mend?: { done: string; run: () => Promise<void> }): Promise<void> {
  counts.faults += 1;
  if (mend) {
    await mend.run();
    counts.mended += 1;
  }
  tell(mend ? `${line}: ${mend.done}` : line);
}

async function lookAtObjects(run: Run, page: readonly StoredVersion[]): Promise<void> {
  const { table, counts, onProgress } = run;
  // Versions beneath another, and what is hidden, expire by a rule of the bucket.
  const objects = page.filter(({ isNewest, isMarker }) => isNewest && !isMarker);
  const ids = objects.flatMap(({ key }) => idsInKey(key) ?? []);
  const records = await table.batchGet(ids.map(({ productId, fileId }) => fileKey(productId, fileId)));
  const wanted = new Set(records.flatMap(wantsIn));
  for (const object of objects) if (!wanted.has(object.key)) await lookAtOrphan(run, object);
  counts.objects += objects.length;
  onProgress?.(counts);
}

async function lookAtOrphan(run: Run, { key, versionId, storedAt }: StoredVersion): Promise<void> {
  const { store, bucket, hideBefore } = run;
  // A job may have deleted it since, and then told its record.
  if ((await store.findObject(key))?.versionId !== versionId) return;
  const line = `object: ${key} of ${storedAt} is wanted by no record`;
  if (hideBefore === undefined || storedAt >= hideBefore) return report(run, line);
  await report(run, line, { done: 'hidden', run: () => hideObject(bucket, key) });
}

/** One without parts takes nothing; and one that its record names is ended by a job. */
async function lookAtUpload(run: Run, upload: OpenUpload): Promise<void> {
  const { table, bucket, hideBefore } = run;
  const { key, uploadId, begunAt } = upload;
  const ids = idsInKey(key);
  const record = ids && (await table.get(fileKey(ids.productId, ids.fileId)));
  const job = ids && (await table.get(jobKey(jobId({ kind: 'abort-parts', ...ids }))));
  const isNamed = record !== undefined && ProductFileRecord.safeParse(record).data?.parts?.uploadId === uploadId;
  if (isNamed && job?.['state'] === 'waiting') return;
  const bytes = await bytesOf(bucket, upload);
  if (bytes === 0) return;
  const line = `upload: ${key} of ${begunAt} has parts of ${bytes} bytes, which no job ends`;
  if (hideBefore === undefined || begunAt >= hideBefore) return report(run, line);
  await report(run, line, { done: 'ended', run: () => createPartStore(bucket).abortUpload(upload) });
}

async function lookAtFile(run: Run, seen: ProductFileRecord): Promise<void> {
  const { takeDown } = run;
  run.counts.files += 1;
  const amiss = await findAmiss(run, seen);
  if (amiss.length === 0) return;
  // The index may be a moment behind.
  const file = await readAgain(run, seen);
  if (!file || isDead(file)) return;
  const { id, productId, status } = file;
  const lost = amiss.find(({ above }) => above === undefined);
  if (lost) {
    const line = `file: ${id} of ${productId} is ${status}, and ${lost.key} has lost the version that it names`;
    return report(run, line, takeDown && { done: 'rejected', run: () => takeDown(file) });
  }
  for (const { key, above = [] } of amiss) {
    const line = `file: ${id} of ${productId} is ${status}, and something lies over the version of ${key} that it names`;
    await report(run, line, takeDown && { done: 'uncovered', run: () => deleteAll(run, above) });
  }
}

/** The objects of the file whose newest version is not the one that its record names; without `above`, that is gone. */
async function findAmiss({ store, bucket }: Run, file: ProductFileRecord): Promise<{ key: string; above?: StoredVersion[] }[]> {
  const amiss: { key: string; above?: StoredVersion[] }[] = [];
  for (const { key, versionId } of versionsNamedBy(file)) {
    if ((await store.findObject(key))?.versionId === versionId) continue;
    const versions = await versionsOf(bucket, key);
    const at = versions.findIndex((version) => version.versionId === versionId && !version.isMarker);
    // What lies over it was stored after it; the order of markers and versions of one page is not told.
    const named = versions[at];
    amiss.push(named ? { key, above: versions.filter((other) => other !== named && other.storedAt >= named.storedAt) } : { key });
  }
  return amiss;
}

async function readAgain({ table }: Run, { productId, id }: ProductFileRecord): Promise<ProductFileRecord | undefined> {
  const item = await table.get(fileKey(productId, id));
  return item && ProductFileRecord.parse(item);
}

async function deleteAll({ bucket }: Run, versions: readonly StoredVersion[]): Promise<void> {
  for (const version of versions) await deleteVersion(bucket, version);
}

async function* pagesOf(table: Table, partition: string): AsyncGenerator<ProductFileRecord[]> {
  let after: string | undefined;
  for (let more = true; more; ) {
    const page = await table.query({ index: 'list', partition, after, limit: 100 });
    yield page.items.map((item) => ProductFileRecord.parse(item));
    after = String(page.items.at(-1)?.['listSk'] ?? after);
    more = page.more && page.items.length > 0;
  }
}

/** The ids in the key of a file's upload, or of the picture that was made of it. */
function idsInKey(key: string): FileIds | undefined {
  const [, productId = '', fileId = ''] = /^(?:files|pictures)\/([^/]+)\/([^/]+)$/.exec(key) ?? [];
  return isId('product', productId) && isId('file', fileId) ? { productId, fileId } : undefined;
}

/** The keys under which a record may have bytes: a record that cannot be read wants them too. */
function wantsIn(item: Record<string, unknown>): string[] {
  if (item['bytesDeletedAt'] !== undefined) return [];
  return prefixes.map((prefix) => `${prefix}${item['productId']}/${item['id']}`);
}

function versionsNamedBy(file: ProductFileRecord): { key: string; versionId: string }[] {
  const upload = isStored(file) && !isDead(file) ? [{ key: file.storageKey, versionId: file.versionId }] : [];
  const picture = file.picture ? [{ key: file.picture.storageKey, versionId: file.picture.versionId }] : [];
  return upload.length > 0 ? [...upload, ...picture] : [];
}
