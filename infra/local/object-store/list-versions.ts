import type { ObjectDisk, Version } from './object-disk.ts';
import { escapeXml, notImplemented } from './s3-error.ts';
import { queryValue, type S3Request } from './s3-request.ts';

/** As many as S3 puts on a page; more would need its paging. */
const mostVersions = 1000;

/** ListObjectVersions: the versions under a prefix, by key, of each the newest first. */
export async function listVersions(request: S3Request, disk: ObjectDisk): Promise<string> {
  const prefix = queryValue(request, 'prefix') ?? '';
  const objects = await disk.listVersions(request.bucket, prefix);
  const entries = objects.flatMap(({ key, versions }) => versions.toReversed().map((version, index) => entryOf(key, version, index === 0)));
  if (entries.length > mostVersions) throw notImplemented('A listing of more than one page');
  const head = { Name: request.bucket, Prefix: prefix, MaxKeys: mostVersions, IsTruncated: false };
  return `<?xml version="1.0" encoding="UTF-8"?>\n<ListVersionsResult>${fieldsOf(head)}${entries.join('')}</ListVersionsResult>`;
}

function entryOf(key: string, version: Version, isLatest: boolean): string {
  const fields = { Key: key, VersionId: version.versionId, IsLatest: isLatest, LastModified: version.lastModified };
  return version.deleteMarker
    ? `<DeleteMarker>${fieldsOf(fields)}</DeleteMarker>`
    : `<Version>${fieldsOf({ ...fields, ETag: version.etag, Size: version.size })}</Version>`;
}

const fieldsOf = (fields: Record<string, string | number | boolean>) =>
  Object.entries(fields)
    .map(([name, value]) => `<${name}>${escapeXml(String(value))}</${name}>`)
    .join('');
