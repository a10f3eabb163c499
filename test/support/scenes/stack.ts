import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const start = join(import.meta.dirname, '..', '..', '..', 'infra', 'commands', 'start.ts');

/** A local stack in a process of its own, as `npm start` runs it. */
export interface RunningStack {
  address: string;
  process: ChildProcess;
  /** What it printed so far, and how it ended. */
  output(): string;
  exit: Promise<number | null>;
  /** Interrupts it and waits for its end; resolves to its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts the stack on free ports, with nothing kept unless DATA_DIR says where. Rejects with what it printed when it ends instead. */
export async function startStack(env: NodeJS.ProcessEnv = {}): Promise<RunningStack> {
  const stack = spawnStack(env);
  const address = await Promise.race([stack.ready, stack.exit.then(() => undefined)]);
  if (address === undefined) throw new Error(`The stack ended at start: ${stack.output()}`);
  return { ...stack, address };
}

/** Like `startStack`, for starts that fail: resolves to the exit code and what was printed. */
export async function failToStart(env: NodeJS.ProcessEnv): Promise<{ code: number | null; output: string }> {
  const stack = spawnStack(env);
  const address = await Promise.race([stack.ready, stack.exit.then(() => undefined)]);
  if (address !== undefined) await stack.stop();
  return { code: await stack.exit, output: stack.output() };
}

function spawnStack(env: NodeJS.ProcessEnv) {
  const { AWS_ENDPOINT_URL_DYNAMODB: _, ...inherited } = process.env;
  const child = spawn(process.execPath, [start], {
    env: { ...inherited, NODE_OPTIONS: '', PORT: '0', DATA_DIR: ':memory:', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  let announce = (_address: string) => {};
  const ready = new Promise<string>((resolve) => {
    announce = resolve;
  });
  const hear = (chunk: Buffer) => {
    printed += chunk;
    const address = /^Ready: (\S+)$/m.exec(printed)?.[1];
    if (address) announce(address);
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    process: child,
    ready,
    exit,
    output: () => printed,
    stop: (signal: NodeJS.Signals = 'SIGTERM') => {
      child.kill(signal);
      return exit;
    },
  };
}

/** A new folder for a test's data, removed by `remove`. */
export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'license-service-test-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
