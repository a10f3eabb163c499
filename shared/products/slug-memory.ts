/** How many slugs an instance remembers; at their longest they take half a megabyte. */
const capacity = 1000;

/**
 * Where slugs led when they were last looked up: what was remembered first makes room for more.
 * It saves a request and proves nothing; whoever goes by it compares what is there.
 */
export function createSlugMemory<Place>() {
  const places = new Map<string, Place>();
  return {
    recall: (slug: string): Place | undefined => places.get(slug),

    remember(slug: string, place: Place): void {
      const [oldest] = places.keys();
      if (oldest !== undefined && places.size >= capacity && !places.has(slug)) places.delete(oldest);
      places.set(slug, place);
    },
  };
}
