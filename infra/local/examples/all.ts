/** Waits for each, so that nothing goes on when one has failed. */
export async function all(works: readonly (Promise<unknown> | false | undefined)[]): Promise<void> {
  const results = await Promise.allSettled(works);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
