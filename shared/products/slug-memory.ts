import type { ProductId, SellerId } from '../ids.ts';

/** How many slugs an instance remembers; at their longest they take half a megabyte. */
const capacity = 1000;

/** What leads from a slug to the product that it is reserved for. */
export interface SlugPlace {
  productId: ProductId;
  sellerId: SellerId;
}

/** Where slugs led when this instance last looked. */
export interface SlugMemory {
  recall(slug: string): SlugPlace | undefined;
  remember(slug: string, place: SlugPlace): void;
}

/** Caches the products of slugs, evicting the oldest entries. A hint only: its user must verify the product read. */
export function createSlugMemory(): SlugMemory {
  const places = new Map<string, SlugPlace>();
  return {
    recall: (slug) => places.get(slug),

    remember(slug, place) {
      const [oldest] = places.keys();
      if (oldest !== undefined && places.size >= capacity && !places.has(slug)) places.delete(oldest);
      places.set(slug, place);
    },
  };
}
