import type { ProductId, SellerId } from '../ids.ts';

export type SlugMemory = ReturnType<typeof createSlugMemory>;

/** How many slugs an instance remembers; at their longest they take half a megabyte. */
const capacity = 1000;

/** Caches the products of slugs, evicting the oldest entries. A hint only: its user must verify the product read. */
export function createSlugMemory() {
  const places = new Map<string, { productId: ProductId; sellerId: SellerId }>();
  return {
    recall: (slug: string) => places.get(slug),

    remember(slug: string, place: { productId: ProductId; sellerId: SellerId }): void {
      const [oldest] = places.keys();
      if (oldest !== undefined && places.size >= capacity && !places.has(slug)) places.delete(oldest);
      places.set(slug, place);
    },
  };
}
