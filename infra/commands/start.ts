import { StartError } from '../local/engines/engine.ts';
import { startLocalStack } from '../local/stack.ts';
import { refuseArguments, runCommand } from './command-line.ts';

const usage = `Usage: npm start
  Runs the whole service on this machine until it is interrupted. The line "Ready: …" has
  its address; opened in a browser, that is a page with links to everything there is.

  PORT      of the API and the pages; 3000 by default, 0 for any that is free
  DATA_DIR  where everything is kept; .local by default, :memory: keeps nothing
  The other settings are in infra/settings.md.`;

const interruption = new AbortController();
/** A terminal signals npm and this process, and npm passes its signal on: within this time it is the same one. */
const echoMs = 1000;
let interruptedAt: number | undefined;
function interrupt(): void {
  if (interruptedAt !== undefined && Date.now() - interruptedAt > echoMs) process.exit(1);
  interruptedAt ??= Date.now();
  interruption.abort();
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
// npm passes signals on, but not when it is killed itself; without it nobody could stop this process any more.
const parent = process.ppid;
if (process.env['npm_lifecycle_event'] !== undefined) {
  setInterval(() => process.ppid !== parent && interruption.abort(), 200).unref();
}

await runCommand(usage, async (args) => {
  refuseArguments(args);
  const stack = await startLocalStack({ log: (line) => console.log(line), signal: interruption.signal }).catch(endAtOnce);
  console.log(`Ready: ${stack.address}`);
  await new Promise<void>((resolve) => interruption.signal.addEventListener('abort', () => resolve()));
  await stack.stop();
  process.exit(0);
});

/** What is left of a start that failed must not keep the process. */
function endAtOnce(error: unknown): never {
  if (interruption.signal.aborted) process.exit(0);
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
}
