import { createHash } from 'node:crypto';
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { compose as composePublisher } from '../../../functions/event-publisher/compose.ts';
import { compose as composeHasher } from '../../../functions/file-hasher/compose.ts';
import type { EncodePicture } from '../../../functions/file-hasher/encode-picture.ts';
import type { RequestScan } from '../../../functions/file-scanner/await-scan.ts';
import { compose as composeScanner } from '../../../functions/file-scanner/compose.ts';
import type { Engine } from '../../../functions/file-scanner/engine.ts';
import { settingNames } from '../../../shared/config.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { FileId } from '../../../shared/ids.ts';
import { takeDueJobs } from '../../../shared/jobs/due-job-repository.ts';
import type { JobKind } from '../../../shared/jobs/job.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import { createStripeClient } from '../../../shared/payments/provider/stripe-client.ts';
import { readPictureHeader } from '../../../shared/pictures/read-header.ts';
import { createPartStore } from '../../../shared/product-files/parts/part-store.ts';
import type { ProductFileRecord } from '../../../shared/product-files/product-file.ts';
import { getFile } from '../../../shared/product-files/product-file-repository.ts';
import { createObjectStore } from '../../../shared/product-files/storage/object-store.ts';
import type { ProductRecord } from '../../../shared/products/product.ts';
import { addProduct, getProduct, replaceProduct } from '../../../shared/products/product-repository.ts';
import { queueOfJob } from '../../../shared/queue/messages.ts';
import type { SellerRecord } from '../../../shared/sellers/seller.ts';
import { addSeller, getSeller, recordReview } from '../../../shared/sellers/seller-repository.ts';
import type { Faults } from '../engines/faults.ts';
import { startTestObjectStore, type TestObjectStore, testBucket } from '../engines/test-object-store.ts';
import { createTestTable } from '../engines/test-table.ts';
import { ok, type RequestOptions, type TestReply } from '../http/http-event.ts';
import { createService } from '../http/service.ts';
import { pageAssets } from '../page-assets.ts';
import { sampleProduct } from '../samples/sample-product.ts';
import { sampleSeller, sellingSeller } from '../samples/sample-seller.ts';
import { sampleSettings } from '../samples/sample-settings.ts';
import type { Environment } from './market.ts';
import { createTestQueue } from './projection-harness.ts';

/** In the place of a thread for each picture: it is served as it was uploaded. */
export const servedAsUploaded: EncodePicture = async (bytes) => {
  const { type, width, height } = readPictureHeader(bytes);
  return { bytes, contentType: type === 'image/png' ? type : 'image/jpeg', width, height };
};

export const sha256Hex = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

export type Declared = {
  purpose?: string;
  filename?: string;
  content_type?: string;
  size_bytes?: number;
  sha256_hex?: string;
  part_size_bytes?: number;
};

/** The least that a part of a file may be, but the last. */
export const partBytes = 8 * 1024 ** 2;

export type FileHarness = Awaited<ReturnType<typeof startFileHarness>>;

/**
 * Everything about product files over a real table and a real object store: all endpoints, as seller, admin and
 * anyone, and both workers, which run when the test says so.
 */
export async function startFileHarness(
  options: {
    faults?: Faults;
    engine?: Engine;
    encodePicture?: EncodePicture;
    requestScan?: RequestScan;
    environment?: Environment;
    withoutStore?: boolean;
    product?: Partial<ProductRecord>;
    seller?: Partial<SellerRecord>;
    /** To share them with another harness. */
    table?: Table;
    objectStore?: TestObjectStore;
  } = {},
) {
  const { faults, withoutStore = false } = options;
  const table = options.table ?? (await createTestTable({ faults })).table;
  const engines = options.objectStore ?? (await startTestObjectStore());
  let ahead = 0;
  const now = () => new Date(Date.now() + ahead);
  const logged: string[] = [];
  const logger = createLogger({}, (line) => logged.push(line));

  if (faults) {
    engines.client.middlewareStack.add(
      (next, context) => (args) => faults.call((context.commandName ?? 'unknown').replace('Command', ''), () => next(args)),
      { step: 'initialize' },
    );
  }
  const store = createObjectStore({ bucketName: testBucket, client: engines.client, now });
  const partStore = createPartStore({ bucketName: testBucket, client: engines.client, now });
  const queue = createTestQueue(faults);
  const usedStore = withoutStore ? undefined : store;

  const seller = sampleSeller({ ...sellingSeller, ...options.seller });
  const product = sampleProduct({ sellerId: seller.id, status: 'approved', ...options.product });
  await table.transact([...addSeller(seller), ...addProduct(product)]);

  const environment = {
    BUCKET_NAME: withoutStore ? '' : testBucket,
    MAX_FILE_BYTES: String(5 * 1024 ** 3),
    TRUSTED_SCANNERS: 'clamav,guardduty',
    ...options.environment,
  };
  const settings = sampleSettings(settingNames, environment);
  const c = { table, now, logger, store: usedStore, sendJob: queue.sendJob, settings };
  // A message that is sent with a delay is left to the sweeper.
  const sendJob: typeof queue.sendJob = async (task, delay = 0) => (delay === 0 ? queue.sendJob(task) : undefined);
  const clients = {
    table,
    store: usedStore,
    downloadSigner: store,
    partStore: withoutStore ? undefined : partStore,
    logger,
    sender: { ...queue, sendJob },
    now,
    settings,
    assets: pageAssets,
    // Nothing here reaches the payment provider.
    provider: createStripeClient({ secretKey: 'sk_test_unused', apiBase: 'http://127.0.0.1:9' }),
  };
  const scan = composeScanner({
    ...clients,
    engine: options.engine,
    requestScan: options.requestScan ?? (() => Promise.reject(new Error('No scan is to be asked for.'))),
  });
  const workers = {
    HASH_QUEUE_URL: composeHasher({ ...clients, encodePicture: options.encodePicture }),
    SCAN_QUEUE_URL: scan,
    EVENT_QUEUE_URL: composePublisher(clients),
    /** Of what is mailed to sellers nothing here is about. */
    MAIL_QUEUE_URL: async () => ({ batchItemFailures: [] }),
  };

  const openService = (changes: Environment = {}) =>
    createService({ ...clients, settings: sampleSettings(settingNames, { ...environment, ...changes }) });
  const service = openService();
  const as =
    (identity: Record<string, string>) =>
    (method: string, target: string, options: RequestOptions = {}) =>
      service(method, target, { ...options, headers: { ...identity, ...options.headers } });
  const asOwner = { 'X-User-ID': seller.ownerUserId };
  const asAdmin = { 'X-User-ID': 'admin', 'X-User-Email': 'admin@example.com' };
  const base = `/v1/products/${product.id}/files`;

  const harness = {
    c,
    table,
    store,
    partStore,
    client: engines.client,
    queue,
    logged,
    seller,
    product,
    scan,
    settings,
    service,
    /** Other instances of its functions, with other settings. */
    openService,
    asOwner,
    asAdmin,
    now,

    pass(seconds: number) {
      ahead += seconds * 1000;
      engines.pass(seconds);
      engines.client.config.systemClockOffset = ahead;
    },

    stop: () => engines.stop(),

    /** As the product's seller. */
    call: as(asOwner),

    intend: (declared: Record<string, unknown>) => harness.call('POST', `${base}/upload-intent`, { body: declared }),

    /** What a client declares of these bytes. */
    declare: (bytes: Uint8Array, change: Declared = {}): Required<Omit<Declared, 'purpose' | 'part_size_bytes'>> & Declared => ({
      filename: 'setup.zip',
      content_type: 'application/zip',
      size_bytes: bytes.length,
      sha256_hex: sha256Hex(bytes),
      ...change,
    }),

    /** Declares and uploads; returns the file's id. */
    async upload(bytes: Uint8Array, change: Declared = {}): Promise<FileId> {
      const { product_file_id, ...signed } = await harness.declared(bytes, change);
      const status = await putPart(signed, new Uint8Array(bytes));
      if (status !== 200) throw new Error(`PUT: ${status}`);
      return product_file_id;
    },

    /** What the service answers to a declaration that it takes. */
    async declared(bytes: Uint8Array, change: Declared): Promise<TestReply['json']> {
      return ok(await harness.intend(harness.declare(bytes, change))).json;
    },

    /** Declares a file in parts; returns its id. */
    async declareInParts(bytes: Uint8Array, change: Declared = {}): Promise<FileId> {
      return (await harness.declared(bytes, { part_size_bytes: partBytes, ...change })).product_file_id;
    },

    signParts: (fileId: string, parts: unknown) => harness.call('POST', `${base}/${fileId}/parts`, { body: { parts } }),

    storedParts: (fileId: string) => harness.call('GET', `${base}/${fileId}/parts`),

    /** Signs and stores these parts of the bytes, by default all; returns each status. */
    async storeParts(fileId: string, bytes: Uint8Array, numbers?: number[]): Promise<number[]> {
      const all = Array.from({ length: Math.ceil(bytes.length / partBytes) }, (_, index) => index + 1);
      const bodyOf = (part: number) => new Uint8Array(bytes.subarray((part - 1) * partBytes, part * partBytes));
      const asked = (numbers ?? all).map((part) => ({ part_number: part, sha256_hex: sha256Hex(bodyOf(part)) }));
      const { json } = ok(await harness.signParts(fileId, asked));
      return Promise.all(json.items.map((item: SignedPart) => putPart(item, bodyOf(item.part_number))));
    },

    finalize: (fileId: string, bytes: Uint8Array, change: Declared = {}) => {
      const { size_bytes, sha256_hex } = harness.declare(bytes, change);
      return harness.call('POST', `${base}/${fileId}/finalize`, { body: { size_bytes, sha256_hex } });
    },

    withdraw: (fileId: string) => harness.call('POST', `${base}/${fileId}/withdraw`),

    /** Uploads and finalizes; no worker has seen the file yet. */
    async handIn(bytes: Uint8Array, change: Declared = {}): Promise<FileId> {
      const fileId = await harness.upload(bytes, change);
      ok(await harness.finalize(fileId, bytes, change));
      return fileId;
    },

    /** A file that was approved after everything went well; vouched for by an admin. */
    async offerFile(bytes: Uint8Array = Buffer.from('an installer'), change: Declared = {}): Promise<FileId> {
      const fileId = await harness.handIn(bytes, change);
      await harness.drain();
      await harness.review(fileId, { decision: 'manual_clean', manual_scan_clean_reason: 'Checked by hand.' });
      ok(await harness.review(fileId, { decision: 'approve' }));
      return fileId;
    },

    /** Delivers what was sent to the workers, until nothing is left. */
    async drain(): Promise<void> {
      for (let event = queue.take(); event.Records.length > 0; event = queue.take()) await harness.deliver(event);
    },

    /** Each message goes to the worker behind the queue that carries its kind of job. */
    async deliver(event: SQSEvent): Promise<void> {
      const byQueue = Map.groupBy(event.Records, queueOfRecord);
      const replies = await Promise.all(
        [...byQueue].map(([queueName, Records]) => workers[queueName as keyof typeof workers]({ Records })),
      );
      if (replies.some(({ batchItemFailures }) => batchItemFailures.length > 0)) throw new Error('A worker gave a message back.');
    },

    /** As the sweeper does it: whatever is due is sent and done. */
    async sweep(): Promise<void> {
      for (const job of await takeDueJobs(c)) await queue.sendJob(job.task);
      await harness.drain();
    },

    admin: as(asAdmin),

    review: (fileId: string, body: Record<string, unknown>) =>
      harness.admin('PATCH', `/v1/admin/products/${product.id}/files/${fileId}/review`, { body }),

    rescan: (fileId: string) => harness.admin('POST', `/v1/admin/products/${product.id}/files/${fileId}/rescan`),

    /** Another product of the seller. */
    async addProduct(): Promise<ProductRecord> {
      const added = sampleProduct({ sellerId: seller.id, status: 'approved' });
      await table.transact(addProduct(added));
      return added;
    },

    file: (fileId: FileId): Promise<ProductFileRecord> => getFile(table, product.id, fileId),

    async change(changes: { seller?: Partial<SellerRecord>; product?: Partial<ProductRecord> }): Promise<void> {
      if (changes.product) {
        const read = await getProduct(table, product.id);
        await table.transact(replaceProduct(read, { ...read, ...changes.product, revision: read.revision + 1 }));
      }
      if (changes.seller?.internalReviewStatus) {
        const read = await getSeller(table, seller.id);
        await table.write(recordReview(c, read, { status: changes.seller.internalReviewStatus }));
      }
    },
  };
  return harness;
}

interface SignedPart {
  part_number: number;
  upload_url: string;
  required_headers: Record<string, string>;
}

/** Stores a part as it was signed; returns the status. */
export async function putPart(
  { upload_url, required_headers }: Omit<SignedPart, 'part_number'>,
  body: Uint8Array<ArrayBuffer>,
): Promise<number> {
  const { 'content-length': _, ...headers } = required_headers;
  return (await fetch(upload_url, { method: 'PUT', headers, body })).status;
}

const queueOfRecord = ({ body }: SQSRecord) => queueOfJob[String(JSON.parse(body).jobId).split(':')[0] as JobKind];
