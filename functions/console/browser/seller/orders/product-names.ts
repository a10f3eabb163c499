import { type ItemOf, type List, useList } from '../../api/reads.ts';

/** The caller's products, as far as one page goes, and what each is called: of others the id. */
export function useProducts(): { products: readonly ItemOf<'listProducts'>[]; nameOf: (productId: string) => string } {
  const { body: products = [] }: Pick<List<ItemOf<'listProducts'>>, 'body'> = useList('listProducts', { query: { limit: 100 } });
  return { products, nameOf: (productId) => products.find(({ id }) => id === productId)?.name ?? productId };
}
