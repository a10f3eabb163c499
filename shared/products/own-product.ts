import { type Caller, requireProduct } from '../audit/caller.ts';
import type { Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import type { ProductId } from '../ids.ts';
import type { SellerRecord } from '../sellers/seller.ts';
import { createSellerRepository } from '../sellers/seller-repository.ts';
import type { ProductRecord } from './product.ts';
import { createProductRepository } from './product-repository.ts';

/** The caller's own product together with its seller. @throws AppError product_not_found, token_scope_insufficient, forbidden */
export type GetOwnProduct = (caller: Caller, productId: ProductId) => Promise<{ product: ProductRecord; seller: SellerRecord }>;

export function createGetOwnProduct({ table }: { table: Table }): GetOwnProduct {
  const products = createProductRepository({ table });
  const sellers = createSellerRepository({ table });
  return async (caller, productId) => {
    const product = await products.getProduct(productId);
    requireProduct(caller, productId);
    const seller = await sellers.findSeller(product.sellerId);
    if (seller?.ownerUserId === caller.userId) return { product, seller };
    // To a token of all products, too, another seller's is one that it does not open.
    if (caller.token) throw new AppError('token_scope_insufficient');
    throw new AppError('forbidden', 'The product is another seller’s.');
  };
}
