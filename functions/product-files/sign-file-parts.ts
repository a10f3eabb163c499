import * as z from 'zod/mini';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { SignFilePartsRequest } from '../../shared/product-files/parts/upload-parts.ts';
import { signParts } from '../../shared/product-files/sign-parts.ts';
import { dateTime, storedUri } from '../../shared/schemas.ts';

export const SignedFileParts = z.object({
  items: z.array(
    z.object({
      partNumber: z.int(),
      uploadUrl: storedUri,
      requiredHeaders: z.record(z.string(), z.string()),
      expiresAt: dateTime,
    }),
  ),
});

export const signFilePartsRoute = endpoint({
  operationId: 'signProductFileParts',
  method: 'POST',
  path: '/v1/products/{product_id}/files/{file_id}/parts',
  tag: 'Product files',
  summary: 'Gets URLs for the PUTs that upload parts of a file',
  description:
    'For files whose upload-intent named `part_size_bytes`, while it lives. Each URL takes exactly the part that it is for: all parts are of that size, but the last, which is the rest. A stored part can be signed again; what is stored last counts.',
  audience: 'seller',
  tokenScopes: ['releases:write', 'products:write'],
  body: SignFilePartsRequest,
  success: { status: 200, body: SignedFileParts },
  sensitive: true,
  errors: [
    'forbidden',
    'seller_not_eligible',
    'product_suspended',
    'product_not_found',
    'file_not_found',
    'file_state_conflict',
    'storage_not_configured',
  ],
  handle: async ({ body, params, identity }, c: Needs<'table' | 'now' | 'partStore'>) => ({
    items: await signParts(c, identity, params.productId, params.fileId, body),
  }),
});
