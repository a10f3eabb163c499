/** One command of `npm run ops`. */
export interface Command {
  readonly name: string;
  /** How its arguments are written in the usage; left out where it takes none. */
  readonly takes?: string;
  /** What it does, in a line. */
  readonly does: string;
  /** @throws UsageError when it is called wrongly. */
  readonly run: (args: readonly string[]) => Promise<void>;
}
