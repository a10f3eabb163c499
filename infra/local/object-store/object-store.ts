import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type Engine, isOwnHost, serve } from '../engines/engine.ts';
import type { LocalBucket } from '../engines/provision.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { listVersions } from './list-versions.ts';
import { type ObjectDisk, openObjectDisk } from './object-disk.ts';
import { deleteObject, putObject, type Reply, readObject, type S3Call } from './operations.ts';
import { openPartDisk, type PartDisk } from './part-disk.ts';
import { abortUpload, completeUpload, createUpload, listParts, listUploads, uploadPart } from './parts.ts';
import { accessDenied, errorXml, notImplemented, S3Error } from './s3-error.ts';
import { queryValue, readRequest, type S3Request } from './s3-request.ts';
import { verifySignature } from './signature.ts';
import { mayRevealMissing, requireAllowed, type StoreGuard } from './store-guard.ts';

export interface ObjectStoreOptions {
  /** Where objects are kept; they survive a restart. Made when it is not there. */
  directory: string;
  /** By default that of last time, when it is free: URLs that were signed then still work. */
  port?: number;
  buckets: readonly LocalBucket[];
  guard: StoreGuard;
  now?: (() => Date) | undefined;
  /** Called with failures of the store itself; a refused request is none. */
  onFailure?: (error: unknown) => void;
}

/** A client that sends or takes nothing for so long is gone. */
const idleMs = 120_000;
/** How much of each connection may wait, either way. */
const bufferedBytes = 512 * 1024;
/** After an error so much of a body is still read, so that the client gets to see the reply. */
const drainBytes = 64 * 1024 ** 2;

/**
 * A small, strict part of S3 on 127.0.0.1: PutObject, GetObject, HeadObject,
 * DeleteObject, ListObjectVersions, HeadBucket, uploads in parts with SHA-256
 * checksums, and CORS preflight, path style.
 *
 * It refuses what S3 refuses: requests that are unsigned, expired or signed over other
 * headers, bodies that differ from their length or checksum, a second write under
 * `If-None-Match: *`. What it does not know is an error, never ignored.
 *
 * @throws Error when the port is taken
 */
export async function startObjectStore(options: ObjectStoreOptions): Promise<Engine> {
  const server = createServer({ requestTimeout: 0, highWaterMark: bufferedBytes });
  server.setTimeout(idleMs);
  const portFile = join(options.directory, 'port');
  const engine = await serve(server, options.port, await readNumber(portFile));
  // Only now, for opening clears what another store, had it the port, would still be writing.
  const disk = await openObjectDisk(options.directory);
  const parts = await openPartDisk(options.directory);
  await writeFile(portFile, String(engine.port), { mode: 0o600 });
  const buckets = new Map(options.buckets.map((bucket) => [bucket.name, bucket]));
  const { guard, now = () => new Date(), onFailure } = options;
  const store: Store = { buckets, disk, parts, guard, now, onFailure };
  server.on('request', (message, response) => answer(store, message, response, () => {}));
  server.on('checkContinue', (message, response) => answer(store, message, response, () => response.writeContinue()));
  return engine;
}

const readNumber = async (file: string) => Number(await readFile(file, 'utf8').catch(() => 0)) || 0;

/** What a request is answered from. */
interface Store {
  buckets: ReadonlyMap<string, LocalBucket>;
  disk: ObjectDisk;
  parts: PartDisk;
  guard: StoreGuard;
  now: () => Date;
  onFailure?: ((error: unknown) => void) | undefined;
}

function answer(store: Store, message: IncomingMessage, response: ServerResponse, goAhead: () => void): void {
  response.setHeader('Date', store.now().toUTCString());
  response.setHeader('x-amz-request-id', randomBytes(8).toString('hex').toUpperCase());
  handle(store, message, response, goAhead).catch((error: unknown) => {
    if (!(error instanceof S3Error) && !message.destroyed) store.onFailure?.(error);
    refuse(message, response, error instanceof S3Error ? error : new S3Error(500, 'InternalError', 'We encountered an internal error.'));
  });
}

async function handle(store: Store, message: IncomingMessage, response: ServerResponse, goAhead: () => void): Promise<void> {
  if (!isOwnHost(message.headers.host)) throw accessDenied();
  const { guard } = store;
  const request = readRequest(message, goAhead);
  const bucket = store.buckets.get(request.bucket);
  if (request.method === 'OPTIONS') {
    return send(response, { status: 200, headers: preflightHeaders(request, bucket?.cors ?? []) });
  }
  for (const [name, value] of Object.entries(corsHeaders(request, bucket?.cors ?? []))) response.setHeader(name, value);
  const signer = verifySignature(request, guard.withKey, store.now());
  if (!bucket) throw new S3Error(404, 'NoSuchBucket', 'The specified bucket does not exist');
  checkQuery(request);
  const { action, run } = operationOf(request);
  requireAllowed(guard, request, signer, action);
  try {
    const reply = await run({ request, bucket, payload: signer.payload, disk: store.disk, parts: store.parts, now: store.now() }, response);
    if (reply) send(response, reply);
  } catch (error) {
    const isMissing = error instanceof S3Error && (error.code === 'NoSuchKey' || error.code === 'NoSuchVersion');
    throw isMissing && !mayRevealMissing(guard, request, signer) ? accessDenied() : error;
  }
}

/** A request that is known here. */
interface Operation {
  method: string;
  /** Whether it is about the bucket itself. */
  ofBucket?: true;
  /** The query parameter that tells it from others. */
  marker?: 'uploads' | 'uploadId' | 'versions';
  /** What policies call it. */
  action: string;
  run(call: S3Call, response: ServerResponse): Promise<Reply | undefined>;
}

const operations: readonly Operation[] = [
  { method: 'GET', ofBucket: true, marker: 'uploads', action: 'ListBucketMultipartUploads', run: listUploads },
  { method: 'GET', ofBucket: true, marker: 'versions', action: 'ListBucketVersions', run: listVersions },
  { method: 'HEAD', ofBucket: true, action: 'ListBucket', run: async () => ({ status: 200 }) },
  { method: 'POST', marker: 'uploads', action: 'PutObject', run: createUpload },
  { method: 'PUT', marker: 'uploadId', action: 'PutObject', run: uploadPart },
  { method: 'GET', marker: 'uploadId', action: 'ListMultipartUploadParts', run: listParts },
  { method: 'POST', marker: 'uploadId', action: 'PutObject', run: completeUpload },
  { method: 'DELETE', marker: 'uploadId', action: 'AbortMultipartUpload', run: abortUpload },
  { method: 'PUT', action: 'PutObject', run: putObject },
  { method: 'GET', action: 'GetObject', run: readObject },
  { method: 'HEAD', action: 'GetObject', run: readObject },
  { method: 'DELETE', action: 'DeleteObject', run: deleteObject },
];

/** @throws S3Error NotImplemented */
function operationOf(request: S3Request): Operation {
  const asked = (['uploads', 'uploadId', 'versions'] as const).find((name) => queryValue(request, name) !== undefined);
  const known = operations.find(
    ({ method, ofBucket = false, marker }) => method === request.method && ofBucket === (request.key === '') && marker === asked,
  );
  if (!known) throw notImplemented(`${request.method} of this`);
  return known;
}

/** `x-amz-checksum-mode` is put there by the SDK when it presigns; only as a header has it an effect. */
const knownQuery =
  /^(X-Amz-.+|x-id|x-amz-checksum-mode|versionId|uploads|uploadId|partNumber|max-parts|part-number-marker|response-(content-(type|disposition|encoding|language)|cache-control|expires))$/;

const knownBucketQuery = /^(X-Amz-.+|x-id|versions|prefix|max-keys|key-marker|version-id-marker|uploads|max-uploads|upload-id-marker)$/;

function checkQuery(request: S3Request): void {
  const known = request.key === '' ? knownBucketQuery : knownQuery;
  const unknown = request.query.find(([name]) => !known.test(name));
  if (unknown) throw notImplemented(unknown[0]);
}

function send(response: ServerResponse, { status, headers, xml }: Reply): void {
  const type = xml !== undefined && { 'Content-Type': 'application/xml' };
  response.writeHead(status, { ...headers, ...type, ...(status !== 204 && { 'Content-Length': Buffer.byteLength(xml ?? '') }) }).end(xml);
}

function refuse(message: IncomingMessage, response: ServerResponse, error: S3Error): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const [path = ''] = (message.url ?? '').split('?');
  const bodiless = message.method === 'HEAD' || error.status === 304;
  const body = bodiless ? '' : errorXml(error, path, String(response.getHeader('x-amz-request-id')));
  const type = bodiless ? {} : { 'Content-Type': 'application/xml', 'Content-Length': Buffer.byteLength(body) };
  response.writeHead(error.status, { ...error.headers, ...type, Connection: 'close' });
  response.end(body);
  let drained = 0;
  message.on('data', (chunk: Buffer) => {
    drained += chunk.length;
    if (drained > drainBytes) message.destroy();
  });
  message.resume();
}
