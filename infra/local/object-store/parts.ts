import { createHash } from 'node:crypto';
import { readBody } from '../engines/engine.ts';
import type { LocalBucket } from '../engines/provision.ts';
import { addVersion, receiveBytes, removeLeftOvers, type Version } from './object-disk.ts';
import { headersToKeep, newVersionId, preconditionOf, type Reply, requireSupported, type S3Call, versionHeader } from './operations.ts';
import {
  beginUpload,
  changeUpload,
  endUpload,
  getUpload,
  type Part,
  type PartUpload,
  partsOf,
  pathOf,
  storePart,
  uploadsUnder,
} from './part-disk.ts';
import { receivePayload } from './payload.ts';
import { notImplemented, S3Error } from './s3-error.ts';
import { numberIn, queryValue, type S3Request } from './s3-request.ts';
import { documentOf, elementOf, unescapeXml } from './xml.ts';

const maxParts = 10_000;
/** As many parts or uploads as S3 puts on a page. */
const pageSize = 1000;
/** All parts but the last are at least this large. */
const leastPartBytes = 5 * 1024 ** 2;
/** 10,000 parts with their checksums. */
const maxCompletionBytes = 4 * 1024 ** 2;

const invalidRequest = (message: string) => new S3Error(400, 'InvalidRequest', message);
const malformedXml = () => new S3Error(400, 'MalformedXML', 'The XML that you provided was not well-formed.');

/** CreateMultipartUpload, of parts with SHA-256 checksums: the one kind that is known here. */
export async function createUpload({ request, bucket, parts, now }: S3Call): Promise<Reply> {
  const { headers, key } = request;
  requireSupported(headers);
  if (headers.get('x-amz-checksum-algorithm') !== 'SHA256') throw notImplemented('An upload in parts without SHA-256 checksums');
  if ((headers.get('x-amz-checksum-type') ?? 'COMPOSITE') !== 'COMPOSITE') {
    throw invalidRequest('The FULL_OBJECT checksum type cannot be used with the sha256 checksum algorithm.');
  }
  const { uploadId } = await beginUpload(parts, {
    bucket: bucket.name,
    key,
    initiated: now.toISOString(),
    headers: headersToKeep(headers),
  });
  return {
    status: 200,
    headers: { 'x-amz-checksum-algorithm': 'SHA256', 'x-amz-checksum-type': 'COMPOSITE' },
    xml: documentOf('InitiateMultipartUploadResult', { Bucket: bucket.name, Key: key, UploadId: uploadId }),
  };
}

/** UploadPart: takes the part whole, with its checksum; what is stored last under a number counts. */
export async function uploadPart({ request, payload, disk, parts, now }: S3Call): Promise<Reply> {
  const { bucket, key, headers } = request;
  const partNumber = numberIn(request, 'partNumber', 1, maxParts);
  requireSupported(headers);
  const uploadId = uploadIdOf(request);
  // Now, to spare the upload of a body that cannot be taken; and again when it is stored.
  await getUpload(parts, bucket, key, uploadId);
  if (!headers.has('x-amz-checksum-sha256')) {
    throw invalidRequest('Checksum Type mismatch occurred, expected checksum Type: sha256, actual checksum Type: null');
  }
  return receiveBytes(
    disk,
    (write) => receivePayload(request, payload, write),
    async (path, { size, md5Hex, checksums: { sha256 = '' } }) => {
      const etag = `"${md5Hex}"`;
      await changeUpload(parts, bucket, key, uploadId, (upload) =>
        storePart(parts, upload, path, { partNumber, size, etag, sha256, lastModified: now.toISOString() }),
      );
      return { status: 200, headers: { ETag: etag, 'x-amz-checksum-sha256': sha256 } };
    },
  );
}

/** ListParts: a page of the parts that are stored, by number. */
export async function listParts({ request, parts }: S3Call): Promise<Reply> {
  const { bucket, key } = request;
  const upload = await getUpload(parts, bucket, key, uploadIdOf(request));
  const after = numberIn(request, 'part-number-marker', 0, 2 ** 31 - 1, 0);
  const max = Math.min(numberIn(request, 'max-parts', 0, 2 ** 31 - 1, pageSize), pageSize);
  const rest = (await partsOf(parts, upload)).filter(({ partNumber }) => partNumber > after);
  const page = rest.slice(0, max);
  const head = {
    Bucket: bucket,
    Key: key,
    UploadId: upload.uploadId,
    PartNumberMarker: after,
    NextPartNumberMarker: page.at(-1)?.partNumber ?? 0,
    MaxParts: max,
    IsTruncated: rest.length > page.length,
    ChecksumAlgorithm: 'SHA256',
    ChecksumType: 'COMPOSITE',
  };
  const entries = page.map(({ partNumber, lastModified, etag, size, sha256 }) =>
    elementOf('Part', { PartNumber: partNumber, LastModified: lastModified, ETag: etag, Size: size, ChecksumSHA256: sha256 }),
  );
  return { status: 200, xml: documentOf('ListPartsResult', head, ...entries) };
}

/** CompleteMultipartUpload: the parts that the request names become the newest version, as one object. */
export async function completeUpload({ request, bucket, payload, disk, parts }: S3Call): Promise<Reply> {
  const { key } = request;
  const judge = preconditionOf(request);
  requireSupported(request.headers);
  const named = readCompletion(await readText(request, payload));
  const version = await changeUpload(parts, bucket.name, key, uploadIdOf(request), async (upload) => {
    const chosen = choose(await partsOf(parts, upload), named);
    const made = versionOf(upload, chosen, bucket);
    // The upload keeps its parts until the object is there.
    await addVersion(
      disk,
      bucket.name,
      key,
      made,
      { paths: chosen.map((part) => pathOf(parts, upload, part)), keep: true },
      { keepFormer: bucket.versioned, judge },
    );
    await endUpload(parts, upload);
    return made;
  });
  const fields = {
    Location: `/${bucket.name}/${key}`,
    Bucket: bucket.name,
    Key: key,
    ETag: version.etag,
    ChecksumSHA256: version.checksums['sha256'] ?? '',
    ChecksumType: 'COMPOSITE',
  };
  return { status: 200, headers: versionHeader(bucket, version), xml: documentOf('CompleteMultipartUploadResult', fields) };
}

/** AbortMultipartUpload: nothing of it stays, and nothing more is taken for it. */
export async function abortUpload({ request, disk, parts }: S3Call): Promise<Reply> {
  const { bucket, key } = request;
  await changeUpload(parts, bucket, key, uploadIdOf(request), async (upload) => {
    await endUpload(parts, upload);
    await removeLeftOvers(disk, bucket, key);
  });
  return { status: 204 };
}

/** ListMultipartUploads: a page of the uploads under a prefix that were neither completed nor aborted. */
export async function listUploads({ request, parts }: S3Call): Promise<Reply> {
  const { bucket } = request;
  const prefix = queryValue(request, 'prefix') ?? '';
  const keyMarker = queryValue(request, 'key-marker') ?? '';
  const idMarker = queryValue(request, 'upload-id-marker') ?? '';
  const max = Math.min(numberIn(request, 'max-uploads', 1, 2 ** 31 - 1, pageSize), pageSize);
  const uploads = await uploadsUnder(parts, bucket, prefix);
  const at = uploads.findIndex(({ key, uploadId }) => key === keyMarker && uploadId === idMarker);
  const rest = at === -1 ? uploads.filter(({ key }) => key > keyMarker) : uploads.slice(at + 1);
  const page = rest.slice(0, max);
  const last = rest.length > page.length ? page.at(-1) : undefined;
  const head = {
    Bucket: bucket,
    KeyMarker: keyMarker,
    UploadIdMarker: idMarker,
    Prefix: prefix,
    MaxUploads: max,
    IsTruncated: last !== undefined,
    ...(last && { NextKeyMarker: last.key, NextUploadIdMarker: last.uploadId }),
  };
  const entries = page.map(({ key, uploadId, initiated }) => elementOf('Upload', { UploadId: uploadId, Key: key, Initiated: initiated }));
  return { status: 200, xml: documentOf('ListMultipartUploadsResult', head, ...entries) };
}

const uploadIdOf = (request: S3Request) => queryValue(request, 'uploadId') ?? '';

interface NamedPart {
  partNumber: number;
  etag: string;
  sha256: string | undefined;
}

async function readText(request: S3Request, payload: string): Promise<string> {
  let text: Buffer | undefined;
  await receivePayload(request, payload, async (body) => {
    text = await readBody(body, maxCompletionBytes);
  });
  if (!text) throw malformedXml();
  return text.toString();
}

/** @throws S3Error MalformedXML, InvalidPartOrder */
function readCompletion(text: string): NamedPart[] {
  const [, inner] = /^(?:<\?xml[^>]*\?>)?\s*<CompleteMultipartUpload[^>]*>(.*)<\/CompleteMultipartUpload>\s*$/s.exec(text) ?? [];
  const isFit = inner !== undefined && inner.replaceAll(/<Part>.*?<\/Part>/gs, '').trim() === '';
  const named = [...(inner ?? '').matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, fields = '']) => {
    const of = new Map([...fields.matchAll(/<(\w+)>([^<]*)<\/\1>/g)].map(([, name = '', value = '']) => [name, unescapeXml(value)]));
    const partNumber = Number(of.get('PartNumber'));
    const etag = of.get('ETag');
    if (!Number.isInteger(partNumber) || partNumber < 1 || etag === undefined) throw malformedXml();
    return { partNumber, etag: `"${etag.replaceAll('"', '')}"`, sha256: of.get('ChecksumSHA256') };
  });
  if (!isFit || named.length === 0 || named.length > maxParts) throw malformedXml();
  if (named.some(({ partNumber }, index) => partNumber <= (named[index - 1]?.partNumber ?? 0))) {
    throw new S3Error(
      400,
      'InvalidPartOrder',
      'The list of parts was not in ascending order. The parts list must be specified in order by part number.',
    );
  }
  return named;
}

/** The stored parts that are named. @throws S3Error InvalidRequest, InvalidPart, EntityTooSmall */
function choose(stored: readonly Part[], named: readonly NamedPart[]): Part[] {
  const byNumber = new Map(stored.map((part) => [part.partNumber, part]));
  const chosen = named.map(({ partNumber, etag, sha256 }) => {
    if (sha256 === undefined) {
      throw invalidRequest(
        `The upload was created using a sha256 checksum. The complete request must include the checksum for each part. It was missing for part ${partNumber} in the request.`,
      );
    }
    const part = byNumber.get(partNumber);
    if (part?.etag !== etag || part.sha256 !== sha256) {
      throw new S3Error(
        400,
        'InvalidPart',
        'One or more of the specified parts could not be found. The part may not have been uploaded, or the specified entity tag may not match the part’s entity tag.',
      );
    }
    return part;
  });
  if (chosen.slice(0, -1).some(({ size }) => size < leastPartBytes)) {
    throw new S3Error(400, 'EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size');
  }
  return chosen;
}

/**
 * The checksum of an object in parts is that of its parts' checksums, as its ETag is of their MD5s, with the number of
 * parts. It is as old as its upload.
 */
function versionOf({ headers, initiated }: PartUpload, chosen: readonly Part[], bucket: LocalBucket): Version {
  const digestOf = (algorithm: string, digests: readonly Buffer[]) => createHash(algorithm).update(Buffer.concat(digests));
  const md5s = chosen.map(({ etag }) => Buffer.from(etag.replaceAll('"', ''), 'hex'));
  const sha256s = chosen.map(({ sha256 }) => Buffer.from(sha256, 'base64'));
  return {
    versionId: bucket.versioned ? newVersionId() : 'null',
    lastModified: initiated,
    deleteMarker: false,
    size: chosen.reduce((sum, { size }) => sum + size, 0),
    etag: `"${digestOf('md5', md5s).digest('hex')}-${chosen.length}"`,
    checksums: { sha256: `${digestOf('sha256', sha256s).digest('base64')}-${chosen.length}` },
    headers,
    parts: chosen.map(({ size }) => size),
  };
}
