/**
 * The blocks `first` to `end`, exclusive, in order. While the caller processes one block the next is already being
 * read, and no more than that. A failed read is thrown when its block is requested.
 */
export async function* readAhead<Block>(first: number, end: number, read: (index: number) => Promise<Block>): AsyncGenerator<Block> {
  const begin = (index: number) => {
    const reading = read(index);
    // Nothing awaits it until its turn.
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
