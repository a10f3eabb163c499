import { type ItemOf, type List, useList } from '../../api/reads.ts';

/** The caller's products, as far as one page goes, what each is called (of others the id), and whether they are still to come. */
export function useProducts() {
  const { body, loading }: List<ItemOf<'listProducts'>> = useList('listProducts', { query: { limit: 100 } });
  const products = body ?? [];
  return { products, loading, nameOf: (productId: string) => products.find(({ id }) => id === productId)?.name ?? productId };
}
