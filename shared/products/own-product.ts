import { type Caller, requireProduct } from '../audit/caller.ts';
import type { Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import type { ProductId } from '../ids.ts';
import { findSeller } from '../sellers/seller-repository.ts';
import { getProduct } from './product-repository.ts';

/** The caller's own product together with its seller. @throws AppError product_not_found, token_scope_insufficient, forbidden */
export async function getOwnProduct(table: Table, caller: Caller, productId: ProductId) {
  const product = await getProduct(table, productId);
  requireProduct(caller, productId);
  const seller = await findSeller(table, product.sellerId);
  if (seller?.ownerUserId === caller.userId) return { product, seller };
  // Even for a token of all products, another seller's product is out of scope.
  if (caller.token) throw new AppError('token_scope_insufficient');
  throw new AppError('forbidden', 'The product is another seller’s.');
}
