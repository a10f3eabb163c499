/** Serializes changes of the same name. */
export type Turns = <T>(name: string, change: () => Promise<T>) => Promise<T>;

export function createTurns(): Turns {
  const turns = new Map<string, Promise<unknown>>();

  return async function inTurn<T>(name: string, change: () => Promise<T>): Promise<T> {
    const mine = (turns.get(name) ?? Promise.resolve()).then(change, change);
    turns.set(name, mine);
    try {
      return await mine;
    } finally {
      if (turns.get(name) === mine) turns.delete(name);
    }
  };
}
