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

/** The lines of the usage, what the commands do beneath each other. */
export function describeCommands(commands: readonly Command[]): string {
  const calls = commands.map(({ name, takes }) => [name, takes].filter(Boolean).join(' '));
  const width = Math.max(...calls.map(({ length }) => length));
  return commands.map(({ does }, index) => `  ${calls[index]?.padEnd(width)} ${does}`).join('\n');
}
