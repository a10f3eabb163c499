/** Maps the items in order, in batches; stops after the first batch in which `isEnough` holds for a result. */
export async function lookAtATime<Item, Found>(
  items: readonly Item[],
  atATime: number,
  look: (item: Item) => Promise<Found>,
  isEnough: (found: Found) => boolean = () => false,
): Promise<Found[]> {
  const found: Found[] = [];
  for (let at = 0; at < items.length; at += atATime) {
    const some = await Promise.all(items.slice(at, at + atATime).map(look));
    found.push(...some);
    if (some.some(isEnough)) break;
  }
  return found;
}
