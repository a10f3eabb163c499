import * as z from 'zod/mini';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listOwnParts } from '../../shared/product-files/sign-parts.ts';

export const StoredFileParts = z.object({
  items: z.array(z.object({ partNumber: z.int(), sizeBytes: z.int(), sha256Hex: z.string() })),
});

export const listFilePartsRoute = endpoint({
  operationId: 'listProductFileParts',
  method: 'GET',
  path: '/v1/products/{product_id}/files/{file_id}/parts',
  tag: 'Product files',
  summary: 'Lists every part of a file that is stored',
  description: 'By number, without pages, so that an upload that was cut short goes on with those that are missing.',
  audience: 'seller',
  tokenScopes: ['releases:write', 'products:write', 'products:read'],
  success: { status: 200, body: StoredFileParts },
  errors: ['forbidden', 'product_not_found', 'file_not_found', 'file_state_conflict', 'storage_not_configured'],
  handle: async ({ params, identity }, c: Needs<'table' | 'now' | 'partStore'>) => ({
    items: await listOwnParts(c, identity, params.productId, params.fileId),
  }),
});
