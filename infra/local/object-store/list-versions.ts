import { type Version, versionsUnder } from './object-disk.ts';
import type { Reply, S3Call } from './operations.ts';
import { invalidArgument } from './s3-error.ts';
import { numberIn, queryValue, type S3Request } from './s3-request.ts';
import { documentOf, elementOf } from './xml.ts';

/** As many as S3 puts on a page. */
const maxVersions = 1000;

interface Entry {
  key: string;
  version: Version;
  isLatest: boolean;
}

/** ListObjectVersions: a page of the versions under a prefix, by key, of each the newest first. */
export async function listVersions({ request, disk }: S3Call): Promise<Reply> {
  const prefix = queryValue(request, 'prefix') ?? '';
  const objects = await versionsUnder(disk, request.bucket, prefix);
  const entries = objects.flatMap(({ key, versions }) =>
    versions.toReversed().map((version, index): Entry => ({ key, version, isLatest: index === 0 })),
  );
  const maxKeys = Math.min(numberIn(request, 'max-keys', 1, 2 ** 31 - 1, maxVersions), maxVersions);
  const rest = entries.slice(startOf(request, entries));
  const page = rest.slice(0, maxKeys);
  const last = page.at(-1);
  const head = {
    Name: request.bucket,
    Prefix: prefix,
    MaxKeys: maxKeys,
    IsTruncated: rest.length > page.length,
    ...(rest.length > page.length && last && { NextKeyMarker: last.key, NextVersionIdMarker: last.version.versionId }),
  };
  return { status: 200, xml: documentOf('ListVersionsResult', head, ...page.map(entryOf)) };
}

/** Where the page begins: after the version that the markers name, or after the key where they name none. */
function startOf(request: S3Request, entries: readonly Entry[]): number {
  const keyMarker = queryValue(request, 'key-marker');
  const versionMarker = queryValue(request, 'version-id-marker');
  if (keyMarker === undefined && versionMarker !== undefined) {
    throw invalidArgument('A version-id marker cannot be specified without a key marker.');
  }
  if (keyMarker === undefined) return 0;
  const named = entries.findIndex(({ key, version }) => key === keyMarker && version.versionId === versionMarker);
  if (named !== -1) return named + 1;
  const next = entries.findIndex(({ key }) => key > keyMarker);
  return next === -1 ? entries.length : next;
}

function entryOf({ key, version, isLatest }: Entry): string {
  const fields = { Key: key, VersionId: version.versionId, IsLatest: isLatest, LastModified: version.lastModified };
  return version.deleteMarker
    ? elementOf('DeleteMarker', fields)
    : elementOf('Version', { ...fields, ETag: version.etag, Size: version.size });
}
