import { createHash, type Hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { notImplemented, S3Error } from './s3-error.ts';
import type { S3Request } from './s3-request.ts';

export type ChecksumName = 'sha256' | 'sha1' | 'crc32';
const checksumNames: readonly ChecksumName[] = ['sha256', 'sha1', 'crc32'];

export const maxPutBytes = 5 * 1024 ** 3;

/** What was received, once all of it was checked. */
export interface Received {
  size: number;
  md5Hex: string;
  /** The checksums that came with the request, base64, all verified. */
  checksums: Partial<Record<ChecksumName, string>>;
}

interface Expectation {
  length: number;
  chunked: boolean;
  /** Hex, when the signature names it. */
  sha256Hex: string | undefined;
  md5: string | undefined;
  checksums: Partial<Record<ChecksumName, string>>;
  /** The checksum that follows the body. */
  trailer: ChecksumName | undefined;
}

/**
 * Has the request's body stored as it comes, and compares length and every checksum at its end. While a part of it is
 * written the next is hashed.
 *
 * @throws S3Error as S3 does for a body that is not the one that was signed and declared
 */
export async function receivePayload(
  request: S3Request,
  payload: string,
  store: (body: AsyncIterable<Buffer>) => Promise<unknown>,
): Promise<Received> {
  const expected = expectationOf(request, payload);
  const trailers = new Map<string, string>();
  const source = expected.chunked ? decodeAwsChunked(request.takeBody(), trailers) : request.takeBody();
  const digests = createDigests(expected);
  let size = 0;
  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      size += chunk.length;
      if (size > expected.length) return;
      digests.update(chunk);
      yield chunk;
    }
  }
  await store(hashed());
  if (size !== expected.length) {
    throw new S3Error(400, 'IncompleteBody', 'The body is not as long as the request said.');
  }
  if (expected.trailer) {
    expected.checksums[expected.trailer] = trailers.get(`x-amz-checksum-${expected.trailer}`) ?? '';
  }
  return { size, ...compareDigests(digests.finish(), expected) };
}

function expectationOf(request: S3Request, payload: string): Expectation {
  const chunked = payload === 'STREAMING-UNSIGNED-PAYLOAD-TRAILER';
  if (payload.startsWith('STREAMING-') && !chunked) throw notImplemented(payload);
  const length = request.headers.get(chunked ? 'x-amz-decoded-content-length' : 'content-length');
  if (length === undefined || !/^\d{1,15}$/.test(length)) {
    throw new S3Error(411, 'MissingContentLength', 'You must provide the Content-Length HTTP header.');
  }
  if (Number(length) > maxPutBytes) {
    throw new S3Error(400, 'EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size');
  }
  return {
    length: Number(length),
    chunked,
    sha256Hex: /^[0-9a-f]{64}$/.test(payload) ? payload : undefined,
    md5: request.headers.get('content-md5'),
    checksums: declaredChecksums(request),
    trailer: chunked ? trailerOf(request) : undefined,
  };
}

function declaredChecksums(request: S3Request): Partial<Record<ChecksumName, string>> {
  const given = [...request.headers].filter(([name]) => /^x-amz-checksum-(?!mode$|algorithm$|type$)/.test(name));
  return Object.fromEntries(given.map(([name, value]) => [checksumOf(name), value]));
}

function trailerOf(request: S3Request): ChecksumName | undefined {
  const trailer = request.headers.get('x-amz-trailer');
  return trailer === undefined ? undefined : checksumOf(trailer.toLowerCase());
}

function checksumOf(header: string): ChecksumName {
  const found = checksumNames.find((name) => header === `x-amz-checksum-${name}`);
  if (!found) throw notImplemented(header);
  return found;
}

function createDigests(expected: Expectation) {
  const hashes = new Map<string, Hash>([['md5', createHash('md5')]]);
  const wanted = new Set([...Object.keys(expected.checksums), expected.trailer, expected.sha256Hex && 'sha256']);
  for (const name of ['sha256', 'sha1']) {
    if (wanted.has(name)) hashes.set(name, createHash(name));
  }
  let crc = 0;
  return {
    update(chunk: Buffer): void {
      for (const hash of hashes.values()) hash.update(chunk);
      if (wanted.has('crc32')) crc = crc32(chunk, crc);
    },
    finish(): Record<string, Buffer> {
      const crcBytes = Buffer.alloc(4);
      crcBytes.writeUInt32BE(crc);
      return { crc32: crcBytes, ...Object.fromEntries([...hashes].map(([name, hash]) => [name, hash.digest()])) };
    },
  };
}

function compareDigests(actual: Record<string, Buffer>, expected: Expectation): Omit<Received, 'size'> {
  if (expected.sha256Hex !== undefined && expected.sha256Hex !== actual['sha256']?.toString('hex')) {
    throw new S3Error(400, 'XAmzContentSHA256Mismatch', 'The provided x-amz-content-sha256 header does not match what was computed.');
  }
  const declared = { ...expected.checksums, ...(expected.md5 !== undefined && { md5: expected.md5 }) };
  for (const [name, value] of Object.entries(declared)) {
    if (actual[name]?.toString('base64') !== value) {
      throw new S3Error(400, 'BadDigest', `The ${name.toUpperCase()} you specified did not match what we received.`);
    }
  }
  return { md5Hex: actual['md5']?.toString('hex') ?? '', checksums: expected.checksums };
}

/** The data of an aws-chunked body; its trailing headers are put into `trailers`. */
async function* decodeAwsChunked(source: AsyncIterable<Buffer>, trailers: Map<string, string>): AsyncGenerator<Buffer> {
  const reader = createReader(source);
  for (;;) {
    const [, size] = /^([0-9a-f]{1,8})(;.*)?$/i.exec(await reader.readLine()) ?? [];
    if (size === undefined) throw malformedChunk();
    const length = Number.parseInt(size, 16);
    if (length === 0) break;
    yield* reader.readBytes(length);
    if ((await reader.readLine()) !== '') throw malformedChunk();
  }
  for (let line = await reader.readLine(); line !== ''; line = await reader.readLine()) {
    const [name = '', ...value] = line.split(':');
    trailers.set(name.toLowerCase().trim(), value.join(':').trim());
  }
}

const malformedChunk = () => new S3Error(400, 'InvalidRequest', 'The aws-chunked body is malformed.');

function createReader(source: AsyncIterable<Buffer>) {
  const chunks = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);

  async function more(): Promise<Buffer> {
    const next = await chunks.next();
    if (next.done) throw new S3Error(400, 'IncompleteBody', 'The body ended before its last chunk.');
    return next.value;
  }

  return {
    async readLine(): Promise<string> {
      for (let end = rest.indexOf('\r\n'); ; end = rest.indexOf('\r\n')) {
        if (end >= 0) {
          const line = rest.toString('latin1', 0, end);
          rest = rest.subarray(end + 2);
          return line;
        }
        if (rest.length > 8192) throw malformedChunk();
        rest = Buffer.concat([rest, await more()]);
      }
    },
    async *readBytes(length: number): AsyncGenerator<Buffer> {
      for (let open = length; open > 0; ) {
        if (rest.length === 0) rest = await more();
        const part = rest.subarray(0, open);
        rest = rest.subarray(part.length);
        open -= part.length;
        yield part;
      }
    },
  };
}
