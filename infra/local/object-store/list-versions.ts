import { type ObjectDisk, type Version, versionsUnder } from './object-disk.ts';
import { escapeXml, invalidArgument } from './s3-error.ts';
import { queryValue, type S3Request } from './s3-request.ts';

/** As many as S3 puts on a page. */
const maxVersions = 1000;

interface Entry {
  key: string;
  version: Version;
  isLatest: boolean;
}

/** ListObjectVersions: a page of the versions under a prefix, by key, of each the newest first. */
export async function listVersions(request: S3Request, disk: ObjectDisk): Promise<string> {
  const prefix = queryValue(request, 'prefix') ?? '';
  const objects = await versionsUnder(disk, request.bucket, prefix);
  const entries = objects.flatMap(({ key, versions }) =>
    versions.toReversed().map((version, index): Entry => ({ key, version, isLatest: index === 0 })),
  );
  const maxKeys = maxKeysOf(request);
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
  return `<?xml version="1.0" encoding="UTF-8"?>\n<ListVersionsResult>${fieldsOf(head)}${page.map(entryOf).join('')}</ListVersionsResult>`;
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

function maxKeysOf(request: S3Request): number {
  const given = Number(queryValue(request, 'max-keys') ?? maxVersions);
  if (!Number.isInteger(given) || given < 1) throw invalidArgument('Argument max-keys must be an integer between 1 and 2147483647');
  return Math.min(given, maxVersions);
}

function entryOf({ key, version, isLatest }: Entry): string {
  const fields = { Key: key, VersionId: version.versionId, IsLatest: isLatest, LastModified: version.lastModified };
  return version.deleteMarker
    ? `<DeleteMarker>${fieldsOf(fields)}</DeleteMarker>`
    : `<Version>${fieldsOf({ ...fields, ETag: version.etag, Size: version.size })}</Version>`;
}

export const fieldsOf = (fields: Record<string, string | number | boolean>) =>
  Object.entries(fields)
    .map(([name, value]) => `<${name}>${escapeXml(String(value))}</${name}>`)
    .join('');
