import { type ParseArgsConfig, parseArgs } from 'node:util';

/** A mistake of whoever called a command, reported in one line. */
export class UsageError extends Error {}

/**
 * Runs a command, with the arguments of this process unless others are given. `--help` prints how to call it. What
 * goes wrong is one line on standard error: exit code 2 for a wrong call, 1 for anything else.
 */
export async function runCommand(
  usage: string,
  run: (args: readonly string[]) => Promise<void>,
  args: readonly string[] = process.argv.slice(2),
): Promise<void> {
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    console.log(usage);
    return;
  }
  try {
    await run(args);
  } catch (error) {
    const isUsage = error instanceof UsageError;
    console.error(isUsage ? `${error.message} --help tells how.` : failureIn(error));
    process.exitCode = isUsage ? 2 : 1;
  }
}

const failureIn = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** The values of these options. @throws UsageError when there is another argument */
export function readOptions<const Options extends NonNullable<ParseArgsConfig['options']>>(
  command: string,
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch {
    const names = Object.keys(options).map((name) => `--${name}`);
    throw new UsageError(`${command} takes ${names.join(' and ')}, and got ${args.join(' ')}.`);
  }
}

/** @throws UsageError when there are arguments. */
export function refuseArguments([first]: readonly string[], command = 'This'): void {
  if (first !== undefined) throw new UsageError(`${command} takes no argument, and got ${first}.`);
}
