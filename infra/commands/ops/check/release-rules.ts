import * as z from 'zod/mini';
import { fileKey, productKey, releaseIdKey, releaseIndexKey, releaseKey, releasesOfProduct } from '../../../../shared/db/keys.ts';
import type { ProductId } from '../../../../shared/ids.ts';
import { artifactFileOf, isDead, ProductFileRecord } from '../../../../shared/product-files/product-file.ts';
import { VelopackName, velopackName } from '../../../../shared/releases/artifacts/artifact.ts';
import { isInFeed } from '../../../../shared/releases/artifacts/artifact-form.ts';
import { BuildSpan, buildPlatforms, buildsOn } from '../../../../shared/releases/builds.ts';
import { artifactsWithFiles, ReleaseRecord } from '../../../../shared/releases/release.ts';
import { ReleaseIndex } from '../../../../shared/releases/release-listing.ts';
import { releaseQueueKey } from '../../../../shared/releases/release-repository.ts';
import { createRule, hasJob, idFromKey } from './rule.ts';
import type { Read } from './table-reader.ts';

const Builds = z.object({ spans: z.array(BuildSpan) });
const nameOf = ({ id, productId, version }: ReleaseRecord) => `${id} (${version} of ${productId})`;

export const releaseRules = {
  releaseKey: createRule({
    schema: ReleaseRecord,
    id: nameOf,
    key: ({ productId, version }) => releaseKey(productId, version),
    list: async ({ id, status, submittedAt, createdAt }) => ({ name: `releases#${status}`, at: submittedAt ?? createdAt, id }),
    queue: releaseQueueKey,
    faults: releaseFaults,
  }),
  releaseIdKey: createRule({
    schema: z.object({ version: z.string() }),
    id: (_, { own }) => own,
    async *faults({ version }, read, { owner, own }) {
      if ((await read.get(releaseKey(idFromKey('product', owner), version)))?.['id'] !== own) yield `leads to ${version}, which is not it`;
    },
  }),
  releaseIndexKey: createRule({
    schema: ReleaseIndex,
    id: (_, { owner }) => `the release index of ${owner}`,
    async *faults({ published, total, unpublished }, read, { owner }) {
      const productId = idFromKey('product', owner);
      const pointers = await read.query(releasesOfProduct(productId));
      if (pointers.length !== total) yield `counts ${total} releases, and there are ${pointers.length}`;
      const listed = Object.keys(published).length;
      if (total - unpublished !== listed) yield `counts ${total - unpublished} published releases, and lists ${listed}`;
      for (const [version, { revision }] of Object.entries(published)) {
        const release = ReleaseRecord.safeParse(await read.get(releaseKey(productId, version)));
        if (!release.success || release.data.publishedAt === undefined) yield `lists ${version}, which was never published`;
        else if (release.data.revision !== revision) yield `lists ${version} at another revision than it has`;
      }
    },
  }),
  releaseRevisionKey: createRule({
    schema: z.object({ revision: z.int() }),
    id: (_, { owner }) => `the revision of the releases of ${owner}`,
    async *faults({ revision }, read, { owner }) {
      if ((await read.get(releaseIndexKey(idFromKey('product', owner))))?.['revision'] !== revision)
        yield 'is another than that of their index';
    },
  }),
  releaseBuildsKey: createRule({
    schema: Builds,
    id: (_, { owner, own }) => `the builds on ${own} of ${owner}`,
    async *faults({ spans }, read, { owner, own }) {
      const productId = idFromKey('product', owner);
      const platform = buildPlatforms.find((known) => known === own);
      for (const { version, lowest, highest } of spans) {
        const release = ReleaseRecord.safeParse(await read.get(releaseKey(productId, version)));
        const span = platform && release.success ? buildsOn(platform, release.data, artifactsWithFiles(release.data)) : undefined;
        if (span?.lowest !== lowest || span.highest !== highest) yield `hold others for ${version} than it has`;
      }
    },
  }),
  velopackNameKey: createRule({
    schema: VelopackName,
    id: ({ fileId }) => fileId,
    async *faults({ fileId, version }, read, { owner, own }) {
      const release = ReleaseRecord.safeParse(await read.get(releaseKey(idFromKey('product', owner), version)));
      const artifacts = release.success && release.data.status !== 'draft' ? artifactsWithFiles(release.data) : [];
      const isNamed = artifacts.some(
        (artifact) => artifact.fileId === fileId && velopackName(artifact) === own && isInFeed(artifact, 'velopack'),
      );
      if (!isNamed) yield `has a name in the feeds by ${version}, which does not offer it so`;
    },
  }),
} as const;

async function* releaseFaults(release: ReleaseRecord, read: Read): AsyncGenerator<string> {
  const { id, productId, sellerId, version, publishedAt, rejectionReason, rejectedAt } = release;
  if ((await read.get(productKey(productId)))?.['sellerId'] !== sellerId)
    yield `is of ${productId}, which is not there or of another seller`;
  if ((await read.get(releaseIdKey(productId, id)))?.['version'] !== version) yield 'is not found by its id';
  if (rejectedAt !== undefined && rejectionReason === undefined) yield 'was rejected, and nothing says why';
  const index = ReleaseIndex.safeParse(await read.get(releaseIndexKey(productId)));
  const isListed = index.data?.published[version] !== undefined;
  if (isListed !== (publishedAt !== undefined)) yield isListed ? 'is listed, and was never published' : 'was published, and is not listed';
  yield* fileFaults(release, productId, read);
}

async function* fileFaults({ version, files, artifacts, status }: ReleaseRecord, productId: ProductId, read: Read): AsyncGenerator<string> {
  for (const { fileId } of artifacts) {
    const file = ProductFileRecord.safeParse(await read.get(fileKey(productId, fileId))).data;
    if (!file || file.releaseVersion !== version) yield `is made of ${fileId}, which is not there or of another release`;
    else if (files[fileId]?.available !== artifactFileOf(file).available) yield `tells otherwise of ${fileId} than that is`;
    else if (status === 'yanked' && !isDead(file)) yield `is yanked, and ${fileId} is not`;
  }
}

/** A file of a release that waits to be used must have a job that withdraws it in the end. */
export async function* unusedFileFaults(file: ProductFileRecord, read: Read): AsyncGenerator<string> {
  const { id: fileId, productId, purpose, status, releaseVersion } = file;
  const waits = purpose === 'release' && releaseVersion === undefined && (status === 'pending_review' || status === 'approved');
  if (waits && !(await hasJob(read, { kind: 'withdraw-unused-file', productId, fileId })))
    yield 'is in no release, and no job withdraws it';
}
