import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { LocalBucket } from '../engines/provision.ts';
import { addVersion, type ObjectDisk, openBytes, receiveBytes, removeVersion, type Version, versionsOf } from './object-disk.ts';
import type { PartDisk } from './part-disk.ts';
import { receivePayload } from './payload.ts';
import { invalidArgument, notImplemented, preconditionFailed, S3Error } from './s3-error.ts';
import { queryValue, type S3Request } from './s3-request.ts';

/** A request that may be answered, and what it is answered from. */
export interface S3Call {
  request: S3Request;
  bucket: LocalBucket;
  /** What its signature covers of the payload. */
  payload: string;
  disk: ObjectDisk;
  parts: PartDisk;
  now: Date;
}

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  xml?: string;
}

/** Headers of a PUT that a read gives back. */
const keptHeaders = /^(content-type|content-disposition|content-encoding|content-language|cache-control|expires|x-amz-meta-.+)$/;

/** Further `x-amz-` headers a PUT may carry: they concern the transport, or state a default. */
const understoodHeaders = new Set([
  'x-amz-content-sha256',
  'x-amz-date',
  'x-amz-decoded-content-length',
  'x-amz-expected-bucket-owner',
  'x-amz-sdk-checksum-algorithm',
  'x-amz-security-token',
  'x-amz-server-side-encryption',
  'x-amz-trailer',
  'x-amz-user-agent',
]);

export async function putObject({ request, bucket, payload, disk, now }: S3Call): Promise<Reply> {
  const { key, headers } = request;
  const judge = preconditionOf(request);
  requireSupported(headers);
  // Now, to spare the upload of a body that cannot be taken; and again when it is added.
  judge(await versionsOf(disk, bucket.name, key));

  const version = await receiveBytes(
    disk,
    (write) => receivePayload(request, payload, write),
    async (path, { size, md5Hex, checksums }) => {
      const received: Version = {
        versionId: bucket.versioned ? newVersionId() : 'null',
        lastModified: now.toISOString(),
        deleteMarker: false,
        size,
        etag: `"${md5Hex}"`,
        checksums,
        headers: headersToKeep(headers),
      };
      await addVersion(disk, bucket.name, key, received, { paths: [path], keep: false }, { keepFormer: bucket.versioned, judge });
      return received;
    },
  );
  return { status: 200, headers: { ETag: version.etag, ...versionHeader(bucket, version), ...checksumHeaders(version) } };
}

/** @throws S3Error NotImplemented for a header that would be ignored */
export function requireSupported(headers: ReadonlyMap<string, string>): void {
  for (const name of headers.keys()) {
    const unknown = name.startsWith('x-amz-') && !name.startsWith('x-amz-checksum-') && !keptHeaders.test(name);
    if (unknown && !understoodHeaders.has(name)) throw notImplemented(name);
  }
}

/** Whether a write may go on where these versions are: under `If-None-Match: *` only where there is no object. */
export function preconditionOf({ headers }: S3Request): (former: readonly Version[]) => void {
  const condition = headers.get('if-none-match');
  if ((condition !== undefined && condition !== '*') || headers.has('if-match')) {
    throw notImplemented('A conditional PUT other than If-None-Match: *');
  }
  return (former) => {
    const standing = former.at(-1);
    if (condition === '*' && standing && !standing.deleteMarker) throw preconditionFailed();
  };
}

/** Headers of a write that a read gives back. */
export function headersToKeep(headers: ReadonlyMap<string, string>): Record<string, string> {
  const kept = Object.fromEntries([...headers].filter(([name]) => keptHeaders.test(name)));
  const encodings = (kept['content-encoding'] ?? '').split(',').map((encoding) => encoding.trim());
  const { 'content-encoding': _, ...rest } = kept;
  const encoding = encodings.filter((name) => name !== '' && name !== 'aws-chunked').join(',');
  return { 'content-type': 'binary/octet-stream', ...rest, ...(encoding !== '' && { 'content-encoding': encoding }) };
}

export const newVersionId = () => randomBytes(24).toString('base64url');

export async function deleteObject({ request, bucket, disk, now }: S3Call): Promise<Reply> {
  const { key } = request;
  const versionId = queryValue(request, 'versionId');
  if (versionId !== undefined || !bucket.versioned) {
    const removed = await removeVersion(disk, bucket.name, key, versionId ?? 'null');
    const marker: Record<string, string> = removed?.deleteMarker ? { 'x-amz-delete-marker': 'true' } : {};
    return { status: 204, headers: { ...(versionId !== undefined && { 'x-amz-version-id': versionId }), ...marker } };
  }
  const marker: Version = {
    versionId: newVersionId(),
    lastModified: now.toISOString(),
    deleteMarker: true,
    size: 0,
    etag: '',
    checksums: {},
    headers: {},
  };
  await addVersion(disk, bucket.name, key, marker, undefined, { keepFormer: true });
  return { status: 204, headers: { 'x-amz-version-id': marker.versionId, 'x-amz-delete-marker': 'true' } };
}

/** GET and HEAD: the newest version, or the one that is named, whole or a range of it. */
export async function readObject({ request, bucket, disk }: S3Call, response: ServerResponse): Promise<undefined> {
  const version = await findVersion(request, bucket, disk);
  const headers = {
    'Last-Modified': new Date(version.lastModified).toUTCString(),
    'Accept-Ranges': 'bytes',
    ...version.headers,
    ...overridesOf(request),
    ETag: version.etag,
    ...versionHeader(bucket, version),
  };
  checkConditions(request.headers, version, headers);

  // The files are opened before the reply begins: a version that is removed meanwhile is still read whole.
  const bytes = await openBytes(disk, bucket.name, request.key, version);
  try {
    const range = rangeOf(request.headers, version);
    const { start, end } = range ?? { start: 0, end: version.size - 1 };
    const checksums = request.headers.get('x-amz-checksum-mode') === 'ENABLED' ? checksumHeaders(version) : {};
    // The checksums are those of the whole object, so a part goes without.
    const ofPart = range ? { 'Content-Range': `bytes ${start}-${end}/${version.size}` } : checksums;
    response.writeHead(range ? 206 : 200, { ...headers, 'Content-Length': end - start + 1, ...ofPart });
    if (request.method === 'HEAD' || version.size === 0) response.end();
    else await pipeline(bytes.read(start, end), response);
  } finally {
    await bytes.close();
  }
}

async function findVersion(request: S3Request, bucket: LocalBucket, disk: ObjectDisk): Promise<Version> {
  const versions = await versionsOf(disk, bucket.name, request.key);
  const versionId = queryValue(request, 'versionId');
  const found = versionId === undefined ? versions.at(-1) : versions.find((version) => version.versionId === versionId);
  if (!found) {
    throw versionId === undefined
      ? new S3Error(404, 'NoSuchKey', 'The specified key does not exist.')
      : new S3Error(404, 'NoSuchVersion', 'The specified version does not exist.');
  }
  if (found.deleteMarker) {
    const marker = { 'x-amz-delete-marker': 'true', 'x-amz-version-id': found.versionId };
    throw versionId === undefined
      ? new S3Error(404, 'NoSuchKey', 'The specified key does not exist.', marker)
      : new S3Error(405, 'MethodNotAllowed', 'The specified method is not allowed against this resource.', { ...marker, Allow: 'DELETE' });
  }
  return found;
}

function checkConditions(given: ReadonlyMap<string, string>, { etag }: Version, headers: Record<string, string>): void {
  const matches = (condition: string) => condition.split(',').some((entry) => ['*', etag].includes(entry.trim()));
  const ifMatch = given.get('if-match');
  const ifNoneMatch = given.get('if-none-match');
  if (ifMatch !== undefined && !matches(ifMatch)) throw preconditionFailed();
  if (ifNoneMatch !== undefined && matches(ifNoneMatch)) throw new S3Error(304, 'NotModified', 'Not Modified', headers);
}

/** The one range that was requested. Of a form that is not understood, or of several, S3 sends the whole. */
function rangeOf(headers: ReadonlyMap<string, string>, { size, etag }: Version): { start: number; end: number } | undefined {
  const ifRange = headers.get('if-range');
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.get('range') ?? '') ?? [];
  if ((first === '' && last === '') || (ifRange !== undefined && ifRange !== etag)) return undefined;
  if (first !== '' && last !== '' && Number(first) > Number(last)) return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (start >= size || (first === '' && Number(last) === 0)) {
    throw new S3Error(416, 'InvalidRange', 'The requested range is not satisfiable', { 'Content-Range': `bytes */${size}` });
  }
  return { start, end };
}

const overridable = ['content-type', 'content-disposition', 'content-encoding', 'content-language', 'cache-control', 'expires'];

function overridesOf(request: S3Request): Record<string, string> {
  const given = overridable.flatMap((name) => {
    const value = queryValue(request, `response-${name}`);
    return value === undefined ? [] : [[name, value] as const];
  });
  if (given.some(([, value]) => /[^\x20-\x7e\xa0-\xff]/.test(value))) {
    throw invalidArgument('Header value cannot be represented using ISO-8859-1.');
  }
  return Object.fromEntries(given);
}

export const versionHeader = (bucket: LocalBucket, { versionId }: Version): Record<string, string> =>
  bucket.versioned ? { 'x-amz-version-id': versionId } : {};

function checksumHeaders({ checksums, parts }: Version): Record<string, string> {
  const given = Object.entries(checksums).map(([name, value]) => [`x-amz-checksum-${name}`, value]);
  return given.length === 0 ? {} : { ...Object.fromEntries(given), 'x-amz-checksum-type': parts ? 'COMPOSITE' : 'FULL_OBJECT' };
}
