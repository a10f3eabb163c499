import * as z from 'zod/mini';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { idOf } from '../../shared/ids.ts';
import { createUpload, ProductFileUploadIntentRequest } from '../../shared/product-files/create-upload.ts';
import { storageProviders } from '../../shared/product-files/product-file.ts';
import { dateTime, storedUri } from '../../shared/schemas.ts';

export const ProductFileUploadIntentResponse = z.object({
  productFileId: idOf('file'),
  uploadUrl: storedUri,
  method: z.literal('PUT'),
  expiresAt: dateTime,
  maxSizeBytes: z.int(),
  storageProvider: z.enum(storageProviders),
  requiredHeaders: z.optional(z.record(z.string(), z.string())),
  parts: z.optional(z.object({ partSizeBytes: z.int(), partCount: z.int(), expiresAt: dateTime })),
});

export const createUploadIntentRoute = endpoint({
  operationId: 'createProductFileUploadIntent',
  method: 'POST',
  path: '/v1/products/{product_id}/files/upload-intent',
  tag: 'Product files',
  summary: 'Declares a file and gets a URL for the one PUT that uploads it',
  description:
    'The URL lives 15 minutes and takes exactly the declared bytes, once, with exactly the headers in `required_headers`. Without a configured file store it is `about:blank`. With `part_size_bytes` the file can be uploaded in parts instead, for 24 hours.',
  audience: 'seller',
  tokenScopes: ['releases:write', 'products:write'],
  body: ProductFileUploadIntentRequest,
  success: { status: 201, body: ProductFileUploadIntentResponse },
  sensitive: true,
  errors: [
    'file_too_large',
    'too_many_files',
    'storage_quota_exceeded',
    'forbidden',
    'seller_not_eligible',
    'product_suspended',
    'product_not_found',
  ],
  handle: (
    { body, params, identity },
    c: Needs<'table' | 'now' | 'store' | 'DISCARD_AFTER_HOURS' | 'MAX_FILE_BYTES' | 'partStore' | 'SELLER_STORAGE_BYTES'>,
  ) => createUpload(c, identity, params.productId, body),
});
