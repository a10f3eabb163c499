import type { Caller } from '../audit/caller.ts';
import type { Needs } from '../context.ts';
import type { Page, PageRequest } from '../db/sharded-list.ts';
import type { ProductId } from '../ids.ts';
import { getOwnProduct } from '../products/own-product.ts';
import { listFilesOfProduct } from './live-file-repository.ts';
import { type ProductFile, showFile } from './own-file.ts';

/** Newest first. @throws AppError product_not_found, forbidden */
export async function listOwnFiles(
  c: Needs<'table' | 'REVIEW_DUE_HOURS'>,
  caller: Caller,
  productId: ProductId,
  request: PageRequest,
): Promise<Page<ProductFile>> {
  await getOwnProduct(c.table, caller, productId);
  const { items, nextCursor } = await listFilesOfProduct(c.table, productId, { ...request, newestFirst: true });
  return { items: items.map((file) => showFile(c, file)), nextCursor };
}
