import type { Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import type { ProductId } from '../ids.ts';
import type { SellerRecord } from '../sellers/seller.ts';
import { createSellerRepository } from '../sellers/seller-repository.ts';
import type { ProductRecord } from './product.ts';
import { createProductRepository } from './product-repository.ts';

/** A user's own product together with its seller. @throws AppError product_not_found, forbidden */
export type GetOwnProduct = (userId: string, productId: ProductId) => Promise<{ product: ProductRecord; seller: SellerRecord }>;

export function createGetOwnProduct({ table }: { table: Table }): GetOwnProduct {
  const products = createProductRepository({ table });
  const sellers = createSellerRepository({ table });
  return async (userId, productId) => {
    const product = await products.getProduct(productId);
    const seller = await sellers.findSeller(product.sellerId);
    if (seller?.ownerUserId !== userId) throw new AppError('forbidden', 'The product is another seller’s.');
    return { product, seller };
  };
}
