/** The code of the refusal that an act ends with, or what else it throws; undefined when it does not. */
export function codeOf(act: () => unknown): unknown {
  try {
    act();
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code ?? error;
  }
}

/** What becomes of a record: the fields that change, or the code of the refusal. */
export function outcomeOf<T extends object>(record: T, act: (record: T) => T): unknown {
  let after = record;
  const code = codeOf(() => {
    after = act(record);
  });
  return code ?? Object.fromEntries(Object.entries(after).filter(([name, value]) => record[name as keyof T] !== value));
}
