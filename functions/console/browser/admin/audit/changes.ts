type Facts = Readonly<Record<string, string | number | boolean>>;

/** A fact before and after what was done; on one side alone where it was told alone. */
interface Change {
  name: string;
  before?: string | number | boolean | undefined;
  after?: string | number | boolean | undefined;
}

/** The facts of an audit record that changed, by their names; all of them where none did. */
export function changesOf({ before = {}, after = {} }: { before?: Facts | undefined; after?: Facts | undefined }): Change[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changes = names.map((name) => ({ name, before: before[name], after: after[name] }));
  const changed = changes.filter((change) => change.before !== change.after);
  return changed.length > 0 ? changed : changes;
}
