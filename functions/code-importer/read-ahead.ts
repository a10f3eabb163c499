/**
 * The blocks `first` to `end`, exclusive, in order. While the caller is at work on one, the next is read already, and
 * never more than that one. A read that failed is thrown when its block is asked for.
 */
export async function* readAhead<Block>(first: number, end: number, read: (index: number) => Promise<Block>): AsyncGenerator<Block> {
  const begin = (index: number) => {
    const reading = read(index);
    // Until its turn comes nobody waits for it.
    reading.catch(() => undefined);
    return reading;
  };
  let next = first < end ? begin(first) : undefined;
  for (let index = first; next; index += 1) {
    const block: Block = await next;
    next = index + 1 < end ? begin(index + 1) : undefined;
    yield block;
  }
}
