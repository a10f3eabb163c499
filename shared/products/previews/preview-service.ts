/** Makes addresses under which a product is shown as its buyers would see it. See README.md */

import type { Needs } from '../../context.ts';
import type { ProductId } from '../../ids.ts';
import { getOwnProduct } from '../own-product.ts';
import type { ProductRecord } from '../product.ts';
import { getProduct } from '../product-repository.ts';
import { type CreatePreviewRequest, chosenVersion, type PreviewResponse, previewPath, previewSeconds } from './preview.ts';
import { addPreview } from './preview-repository.ts';

type PreviewNeeds = Needs<'table' | 'now' | 'PUBLIC_BASE_URL' | 'randomBytes'>;

async function createPreview(c: PreviewNeeds, product: ProductRecord, request: CreatePreviewRequest): Promise<PreviewResponse> {
  const { id: productId, sellerId } = product;
  const version = chosenVersion(product, request);
  const token = c.randomBytes(32).toString('base64url');
  const ends = c.now().getTime() + previewSeconds * 1000;
  const expiresAt = new Date(ends).toISOString();
  await c.table.write(addPreview(token, { productId, sellerId, version, expiresAt, ttl: Math.ceil(ends / 1000) }));
  return { previewUrl: c.settings.PUBLIC_BASE_URL + previewPath(token), expiresAt };
}

/** Of an own product in any state, its seller's as well. @throws AppError product_not_found, forbidden, invalid_request as `chosenVersion` */
export const createOwnPreview = async (c: PreviewNeeds, userId: string, productId: ProductId, request: CreatePreviewRequest) =>
  createPreview(c, (await getOwnProduct(c.table, { userId }, productId)).product, request);

/** Of any product, for an admin. @throws AppError product_not_found, invalid_request as `chosenVersion` */
export const createReviewPreview = async (c: PreviewNeeds, productId: ProductId, request: CreatePreviewRequest) =>
  createPreview(c, await getProduct(c.table, productId), request);
