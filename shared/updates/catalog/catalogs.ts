import * as z from 'zod/mini';
import { releaseKey } from '../../db/keys.ts';
import type { Item, Table } from '../../db/table.ts';
import type { ProductId } from '../../ids.ts';
import { isInFeed } from '../../releases/artifacts/artifact-form.ts';
import { artifactsWithFiles, ReleaseRecord } from '../../releases/release.ts';
import { ReleaseIndex } from '../../releases/release-listing.ts';
import { type Channel, compareVersions } from '../../releases/versions/version.ts';
import { type Bases, type Catalog, createCatalog, maxReleasesPerChannel, type PublishedRelease, publishedReleaseOf } from './catalog.ts';

/** The releases of a product as its index lists them. */
export interface ListedReleases {
  catalog: Catalog;
  /** Whether this version was published and taken back. */
  isYanked(version: string): boolean;
}

/** What an instance keeps of a product. */
interface CachedProduct {
  revision: number;
  listed: ListedReleases;
  /** Undefined of what is listed, and was no longer published when it was read. */
  releases: ReadonlyMap<string, { revision: number; release: PublishedRelease | undefined }>;
  bases: Bases;
  size: number;
}

/** All that is read of a release that is only led from: there may be many, whose notes are long. */
const { version, artifacts, files } = ReleaseRecord.shape;
const Base = z.object({ version, artifacts, files });

export type Catalogs = ReturnType<typeof createCatalogs>;

/** About so many bytes of releases are kept. */
const roomForCatalogs = 100_000_000;
const bytesOfArtifact = 1000;

/**
 * The published releases of products, kept in memory for as long as the index says that they are as they were: nothing
 * is asked of the table then, and nothing is made anew. See "What is kept" in shared/updates/README.md
 */
export function createCatalogs({ table, room = roomForCatalogs }: { table: Table; room?: number }) {
  const catalogs = new Map<ProductId, CachedProduct>();

  /** What is kept of the product at this revision of its index; undefined where it must be read. */
  function recall(productId: ProductId, revision: unknown): ListedReleases | undefined {
    if (revision === undefined) return nothing;
    const cached = catalogs.get(productId);
    if (cached?.revision !== revision) return undefined;
    keep(productId, cached);
    return cached.listed;
  }

  /** By the index as it was just read: the releases that are new since, or changed, are read, 100 a request. */
  async function readReleases(productId: ProductId, index: Item | undefined): Promise<ListedReleases> {
    if (!index) return nothing;
    const kept = await readAnew(productId, ReleaseIndex.parse(index), catalogs.get(productId));
    keep(productId, kept);
    makeRoom();
    return kept.listed;
  }

  /** At the end: what was not asked for longest goes first. */
  function keep(productId: ProductId, kept: CachedProduct): void {
    catalogs.delete(productId);
    catalogs.set(productId, kept);
  }

  async function readAnew(productId: ProductId, index: ReleaseIndex, known: CachedProduct | undefined): Promise<CachedProduct> {
    const { revision, published } = index;
    const entries = new Map(Object.entries(published));
    const needed = highestOf(index);
    const isKnown = (version: string) => (known?.releases.get(version)?.revision ?? -1) >= (entries.get(version)?.revision ?? 0);
    const items = await table.batchGet(needed.filter((version) => !isKnown(version)).map((version) => releaseKey(productId, version)));
    const read = new Map(items.map((item) => ReleaseRecord.parse(item)).map((release) => [release.version, release]));
    const releases = new Map(
      needed.flatMap((version) => {
        const release = read.get(version);
        const kept = release ? { revision: release.revision, release: publishedReleaseOf(release) } : known?.releases.get(version);
        return kept ? [[version, kept] as const] : [];
      }),
    );
    const offered = [...releases.values()].flatMap(({ release }) => release ?? []);
    const bases = await readBases(productId, basesOf(offered, entries), known?.bases);
    const isYanked = (version: string) => entries.get(version)?.yanked === true;
    const size = sizeOf(offered) + bytesOfArtifact * [...bases.values()].flat().length;
    return { revision, releases, bases, listed: { catalog: createCatalog(offered, bases), isYanked }, size };
  }

  /** What a version was made of stays as it was, whatever became of it. */
  async function readBases(productId: ProductId, versions: readonly string[], known: Bases = new Map()): Promise<Bases> {
    const needed = versions.filter((version) => !known.has(version)).map((version) => releaseKey(productId, version));
    const items = await table.batchGet(needed, Object.keys(Base.shape));
    const read = new Map(items.map((item) => Base.parse(item)).map((base) => [base.version, artifactsWithFiles(base)]));
    return new Map(versions.map((version) => [version, read.get(version) ?? known.get(version) ?? []]));
  }

  function makeRoom(): void {
    let size = 0;
    for (const [productId, kept] of [...catalogs].toReversed()) {
      size += kept.size;
      if (size > room && size > kept.size) catalogs.delete(productId);
    }
  }

  return { recall, readReleases };
}

const nothing: ListedReleases = { catalog: createCatalog([]), isYanked: () => false };

/** The versions that can be offered: of each channel those that are highest now. */
function highestOf({ published }: ReleaseIndex): string[] {
  const versions = new Map<Channel, string[]>();
  for (const [version, { channel, yanked }] of Object.entries(published)) {
    if (!yanked) versions.set(channel, [...(versions.get(channel) ?? []), version]);
  }
  return [...versions.values()].flatMap((ofChannel) => ofChannel.sort((a, b) => compareVersions(b, a)).slice(0, maxReleasesPerChannel));
}

/** The versions that deltas of an appcast lead from, which were published and are not offered. */
function basesOf(offered: readonly PublishedRelease[], published: ReadonlyMap<string, unknown>): string[] {
  const versions = new Set(offered.map(({ version }) => version));
  const deltas = offered
    .flatMap(({ artifacts }) => artifacts.filter(({ kind }) => kind === 'delta'))
    .filter((delta) => isInFeed(delta, 'appcast'));
  const named = new Set(deltas.flatMap(({ fromVersion }) => fromVersion ?? []));
  return [...named].filter((version) => published.has(version) && !versions.has(version));
}

const sizeOf = (releases: readonly PublishedRelease[]) =>
  releases.reduce(
    (size, { notes, renderedNotes, artifacts }) =>
      size + 2 * (notes.length + (renderedNotes?.html.length ?? 0)) + bytesOfArtifact * (1 + artifacts.length),
    0,
  );
