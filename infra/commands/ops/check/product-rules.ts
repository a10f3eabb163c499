import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { CodeBatchRecord, handledCodeCount, uploadedCodeCount } from '../../../../shared/code-batches/code-batch.ts';
import { requestKey } from '../../../../shared/code-batches/code-batch-repository.ts';
import {
  batchKey,
  codeKey,
  codeStockKey,
  codeUploadKey,
  fileKey,
  fileSlotsKey,
  productKey,
  sellerStorageKey,
  upgradeKey,
} from '../../../../shared/db/keys.ts';
import { idOf } from '../../../../shared/ids.ts';
import { fileIds, isDead, LiveFile, liveFileOf, ProductFileRecord, reservedBytes } from '../../../../shared/product-files/product-file.ts';
import { fileQueueKey } from '../../../../shared/product-files/product-file-repository.ts';
import { UpgradePointer } from '../../../../shared/products/offers/upgrade-repository.ts';
import { Preview } from '../../../../shared/products/previews/preview.ts';
import { ProductRecord } from '../../../../shared/products/product.ts';
import { unusedFileFaults } from './release-rules.ts';
import { createRule, hasJob, idFromKey } from './rule.ts';
import type { Read } from './table-reader.ts';

const LiveFiles = z.object({ uploads: z.int(), liveFiles: z.optional(z.record(z.string(), LiveFile)) });
const OfBatch = z.object({ codeHash: z.string(), productId: idOf('product'), batchId: idOf('batch') });

export const productRules = {
  fileKey: createRule({
    schema: ProductFileRecord,
    key: ({ productId, id }) => fileKey(productId, id),
    list: async ({ id, status, createdAt }) => ({ name: `files#${status}`, at: createdAt, id }),
    queue: fileQueueKey,
    faults: fileFaults,
  }),
  fileSlotsKey: createRule({
    schema: LiveFiles,
    async *faults({ liveFiles = {} }, read, { owner }) {
      const productId = idFromKey('product', owner);
      for (const [fileId, entry] of Object.entries(liveFiles)) {
        const file = ProductFileRecord.safeParse(await read.get(fileKey(productId, idFromKey('file', fileId))));
        if (!file.success || !isDeepStrictEqual(liveFileOf(file.data), entry)) yield `lists ${fileId} as a live file, and it is not one`;
      }
    },
  }),
  previewKey: createRule({
    schema: Preview,
    id: ({ productId }) => productId,
    async *faults({ productId, sellerId, expiresAt, ttl }, read) {
      if ((await read.get(productKey(productId)))?.['sellerId'] !== sellerId) yield `has a preview, and is not there or not of ${sellerId}`;
      if (ttl !== Math.ceil(Date.parse(expiresAt) / 1000)) yield 'has a preview that is kept for another time than it can be opened';
    },
  }),
  upgradeKey: createRule({
    schema: UpgradePointer,
    key: ({ productId }, { owner }) => upgradeKey(idFromKey('product', owner), productId),
    async *faults({ productId }, read, { owner }) {
      const product = ProductRecord.safeParse(await read.get(productKey(productId))).data;
      if (!product?.upgradesFrom.some((offer) => offer.productId === owner)) yield `is led to as an upgrade of ${owner}, and is none`;
    },
  }),
  batchKey: createRule({
    schema: CodeBatchRecord,
    key: ({ productId, id }) => batchKey(productId, id),
    async *faults(batch, read) {
      const { id, productId, sellerId, status, idempotencyKey } = batch;
      if ((await read.get(productKey(productId)))?.['sellerId'] !== sellerId)
        yield `is of ${productId}, which is not there or of another seller`;
      if ((await read.get(requestKey(productId, idempotencyKey)))?.['batchId'] !== id) yield 'is not found by its idempotency key';
      if (status === 'completed' && handledCodeCount(batch) !== uploadedCodeCount(batch)) {
        yield `is completed, and handled ${handledCodeCount(batch)} of ${uploadedCodeCount(batch)} codes`;
      }
      const isOpen = status === 'accepted' || status === 'processing';
      if (isOpen && !(await hasJob(read, { kind: 'import-codes', productId, batchId: id }))) yield 'is to be imported, and no job does it';
    },
  }),
  batchRequestKey: createRule({
    schema: z.object({ batchId: idOf('batch'), contentHash: z.string() }),
    id: ({ batchId }) => batchId,
    async *faults({ batchId }, read, { owner }) {
      if (!(await read.get(batchKey(idFromKey('product', owner), batchId)))) yield 'has an idempotency key, and is not there';
    },
  }),
  codeUploadKey: createRule({
    schema: z.object({ sealedCodes: z.string(), ttl: z.int() }),
    key: (_, { owner }) =>
      codeUploadKey(idFromKey('batch', owner.slice(0, owner.indexOf('#'))), Number(owner.slice(owner.indexOf('#') + 1))),
  }),
  codeKey: createRule({
    schema: OfBatch,
    id: ({ batchId }) => `a code of ${batchId}`,
    key: ({ codeHash }, { owner }) => codeKey(idFromKey('seller', owner.slice(0, owner.indexOf('#'))), codeHash),
    async *faults({ productId, batchId }, read, { owner }) {
      const batch = await read.get(batchKey(productId, batchId));
      if (batch?.['sellerId'] !== owner.slice(0, owner.indexOf('#'))) yield 'is known, and its import is not there or of another seller';
    },
  }),
  codeStockKey: createRule({
    schema: OfBatch,
    id: ({ batchId }) => `a code of ${batchId}`,
    // Any shard of the stock is right, as the number of them may have been raised since.
    key: ({ productId, codeHash }, { owner }) => ({
      pk: codeStockKey(productId, codeHash).pk.replace(/\d+$/, owner.slice(owner.indexOf('#') + 1)),
      sk: codeStockKey(productId, codeHash).sk,
    }),
    async *faults({ productId, batchId, codeHash }, read) {
      const sellerId = (await read.get(productKey(productId)))?.['sellerId'];
      const known = typeof sellerId === 'string' ? await read.get(codeKey(idFromKey('seller', sellerId), codeHash)) : undefined;
      if (known?.['batchId'] !== batchId || known['productId'] !== productId) yield 'is in stock, and is not known as imported';
    },
  }),
} as const;

async function* fileFaults(file: ProductFileRecord, read: Read): AsyncGenerator<string> {
  const { id, productId, sellerId } = file;
  if ((await read.get(productKey(productId)))?.['sellerId'] !== sellerId)
    yield `is of ${productId}, which is not there or of another seller`;
  const index = LiveFiles.safeParse(await read.get(fileSlotsKey(productId))).data?.liveFiles;
  const entry = liveFileOf(file);
  // An upload whose URL ended is live no more, and leaves the index with the next.
  const mayMiss = entry === undefined || (entry.until !== undefined && entry.until <= new Date().toISOString());
  if (index && !mayMiss && !index[id]) yield `is live, and ${productId} does not list it`;
  const storesParts = file.status === 'upload_pending' && file.parts !== undefined && file.parts.expiresAt > new Date().toISOString();
  if (storesParts && !(await hasJob(read, { kind: 'abort-parts', ...fileIds(file) })))
    yield 'can be uploaded in parts, and no job ends them';
  yield* unusedFileFaults(file, read);
  const isCounted = (await read.get(sellerStorageKey(sellerId))) !== undefined;
  const takesBytes = isCounted && isDead(file) && reservedBytes(file) > 0;
  if (takesBytes && !(await hasJob(read, { kind: 'discard-upload', ...fileIds(file) })))
    yield 'is of no more use, and no job deletes its bytes';
}
