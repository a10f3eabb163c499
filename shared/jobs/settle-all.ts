/**
 * Runs the work for every item, at most `atOnce` at a time, and returns the settled results in order. A client's
 * requests wait for its sockets while their timeouts run, so that more at once would time out unsent.
 */
export async function settleAll<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  { atOnce = 10 } = {},
): Promise<PromiseSettledResult<Result>[]> {
  const outcomes: PromiseSettledResult<Result>[] = [];
  for (let start = 0; start < items.length; start += atOnce) {
    outcomes.push(...(await Promise.allSettled(items.slice(start, start + atOnce).map(work))));
  }
  return outcomes;
}
