import { format } from 'node:util';
import { runCommand } from '../../infra/commands/command-line.ts';
import { runOps, usage } from '../../infra/commands/ops/commands.ts';

export interface CommandOutcome {
  /** What the process would have ended with. */
  status: number | string;
  stdout: string;
  stderr: string;
  /** Of standard output. */
  lines: string[];
}

type Settings = Readonly<Record<string, string | undefined>>;

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command in this process, where no terminal is: one after the other, each with console, exit code and environment
 * to itself. `settings` are in the environment beside what is there; those that are undefined are not.
 */
export function callCommand(
  text: string,
  run: (args: readonly string[]) => Promise<void>,
  args: readonly string[],
  settings: Settings = {},
): Promise<CommandOutcome> {
  const call = last.then(() => callAlone(() => runCommand(text, run, args), settings));
  last = call.catch(() => undefined);
  return call;
}

/** `npm run ops -- …` in this process. */
export const callOps = (args: readonly string[], settings: Settings = {}): Promise<CommandOutcome> =>
  callCommand(usage, runOps, args, { AWS_ENDPOINT_URL_DYNAMODB: undefined, ...settings });

async function callAlone(run: () => Promise<void>, settings: Settings): Promise<CommandOutcome> {
  const { env, exitCode } = process;
  const { log, error } = console;
  const { isTTY } = process.stdin;
  const written: Record<'out' | 'err', string[]> = { out: [], err: [] };
  process.env = Object.fromEntries(Object.entries({ ...env, ...settings }).filter(([, value]) => value !== undefined));
  process.exitCode = undefined;
  process.stdin.isTTY = false;
  console.log = (...parts) => written.out.push(`${format(...parts)}\n`);
  console.error = (...parts) => written.err.push(`${format(...parts)}\n`);
  try {
    await run();
    const stdout = written.out.join('');
    return { status: process.exitCode ?? 0, stdout, stderr: written.err.join(''), lines: stdout.trim().split('\n') };
  } finally {
    Object.assign(console, { log, error });
    process.stdin.isTTY = isTTY;
    process.exitCode = exitCode;
    process.env = env;
  }
}
