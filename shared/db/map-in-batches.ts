/** Maps the items in order, in batches; stops after the first batch in which `isEnough` holds for a result. */
export async function mapInBatches<Item, Found>(
  items: readonly Item[],
  batchSize: number,
  map: (item: Item) => Promise<Found>,
  isEnough: (found: Found) => boolean = () => false,
): Promise<Found[]> {
  const found: Found[] = [];
  for (let at = 0; at < items.length; at += batchSize) {
    const some = await Promise.all(items.slice(at, at + batchSize).map(map));
    found.push(...some);
    if (some.some(isEnough)) break;
  }
  return found;
}
