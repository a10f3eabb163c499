import * as z from 'zod/mini';
import { invalidField } from '../../faults/invalid-request.ts';
import * as rules from '../../faults/rules.ts';
import { idOf } from '../../ids.ts';
import { dateTime, storedUri } from '../../schemas.ts';
import { withPendingApplied } from '../pending-revision.ts';
import type { ProductRecord } from '../product.ts';

/** `live`: the product’s own values, whether or not it is on sale. `pending`: with those of its pending revision. */
export const PreviewVersion = z.enum(['live', 'pending']);
export type PreviewVersion = z.infer<typeof PreviewVersion>;

export const CreatePreviewRequest = z.object({ version: z.optional(PreviewVersion) });
export type CreatePreviewRequest = z.infer<typeof CreatePreviewRequest>;

export const PreviewResponse = z.object({ previewUrl: storedUri, expiresAt: dateTime });
export type PreviewResponse = z.infer<typeof PreviewResponse>;

/** What a preview's address opens, as the table holds it. */
export const Preview = z.object({
  productId: idOf('product'),
  sellerId: idOf('seller'),
  version: PreviewVersion,
  expiresAt: dateTime,
  ttl: z.int(),
});
export type Preview = z.infer<typeof Preview>;

/** How long a preview can be opened. */
export const previewSeconds = 15 * 60;

/** The path of the page that the token opens; the pictures on it are below. */
export const previewPath = (token: string) => `/preview/${token}`;

/** Which version to show. @throws AppError invalid_request for the pending one of a product that has none */
export function chosenVersion({ pending }: Pick<ProductRecord, 'pending'>, { version }: CreatePreviewRequest): PreviewVersion {
  if (version === 'pending' && !pending) throw invalidField('version', rules.notPending);
  return version ?? (pending ? 'pending' : 'live');
}

/** The product as the preview shows it: with what is pending now, which may be nothing any more. */
export const previewed = (product: ProductRecord, { version }: Pick<Preview, 'version'>): ProductRecord =>
  version === 'pending' ? withPendingApplied(product) : product;
