import { randomBytes as systemRandom } from 'node:crypto';
import type { Table } from '../../db/table.ts';
import type { ProductId } from '../../ids.ts';
import { createGetOwnProduct } from '../own-product.ts';
import type { ProductRecord } from '../product.ts';
import { createProductRepository } from '../product-repository.ts';
import { type CreatePreviewRequest, chosenVersion, type PreviewResponse, previewPath, previewSeconds } from './preview.ts';
import { createPreviewRepository } from './preview-repository.ts';

export type PreviewService = ReturnType<typeof createPreviewService>;

/** Makes addresses under which a product is shown as its buyers would see it. See README.md */
export function createPreviewService(options: {
  table: Table;
  publicBaseUrl: string;
  now?: (() => Date) | undefined;
  randomBytes?: (size: number) => Buffer;
}) {
  const { table, publicBaseUrl, now = () => new Date(), randomBytes = systemRandom } = options;
  const products = createProductRepository({ table });
  const previews = createPreviewRepository({ table });
  const getOwn = createGetOwnProduct({ table });

  async function createPreview(product: ProductRecord, request: CreatePreviewRequest): Promise<PreviewResponse> {
    const { id: productId, sellerId } = product;
    const version = chosenVersion(product, request);
    const token = randomBytes(32).toString('base64url');
    const ends = now().getTime() + previewSeconds * 1000;
    const expiresAt = new Date(ends).toISOString();
    await table.write(previews.addPreview(token, { productId, sellerId, version, expiresAt, ttl: Math.ceil(ends / 1000) }));
    return { previewUrl: publicBaseUrl + previewPath(token), expiresAt };
  }

  return {
    /** Of an own product in any state, its seller's as well. @throws AppError product_not_found, forbidden, invalid_request as `chosenVersion` */
    createOwnPreview: async (userId: string, productId: ProductId, request: CreatePreviewRequest): Promise<PreviewResponse> =>
      createPreview((await getOwn({ userId }, productId)).product, request),

    /** Of any product, for an admin. @throws AppError product_not_found, invalid_request as `chosenVersion` */
    createReviewPreview: async (productId: ProductId, request: CreatePreviewRequest): Promise<PreviewResponse> =>
      createPreview(await products.getProduct(productId), request),
  };
}
