import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Engine, freePort, StartError } from './engine.ts';

/**
 * Starts the embedded DynamoDB engine; with `file`, its data is on disk there.
 *
 * @throws StartError when the engine has no build for this machine; an engine of any
 * other kind can then be named by DYNAMODB_ENDPOINT.
 */
export async function startDynamoDb(options: { file?: string } = {}): Promise<Engine> {
  const port = await freePort();
  const args = ['--host', '127.0.0.1', '--port', String(port), ...(options.file ? ['--db-path', options.file] : [])];
  const child = spawn('/bin/sh', ['-c', endWithParent, enginePath(), ...args], { stdio: ['pipe', 'ignore', 'pipe'], detached: true });
  let errorOutput = '';
  child.stderr.on('data', (chunk) => {
    errorOutput = `${errorOutput}${chunk}`.slice(-2000);
  });
  const endpoint = `http://127.0.0.1:${port}`;
  await untilAnswering(endpoint, () => {
    if (child.exitCode !== null) throw new StartError(`The DynamoDB engine ended at start: ${errorOutput.trim()}`);
  });
  return {
    endpoint,
    async stop() {
      if (child.exitCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.stdin.end();
      await ended;
    },
  };
}

/**
 * Gives the engine's files to their owner alone, and ends it when its standard input is closed: by `stop`, or by the system when
 * this process ends in whatever way. An engine that lived on would hold the data file.
 */
const endWithParent =
  'umask 077; exec 3<&0; "$0" "$@" </dev/null 3<&- & engine=$!; { cat <&3; kill $engine; } >/dev/null 2>&1 & wait $engine';

/** Where the engine's program is. @throws StartError when it has no build for this machine */
export function enginePath(): string {
  try {
    return createRequire(import.meta.url).resolve('@dynoxide/linux-x64/dynoxide');
  } catch {
    throw new StartError('The embedded DynamoDB engine has no build for this machine. Name another engine in DYNAMODB_ENDPOINT.');
  }
}

async function untilAnswering(endpoint: string, check: () => void): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt += 1) {
    check();
    const answered = await fetch(endpoint).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await sleep(25);
  }
  throw new Error('The DynamoDB engine did not answer within 10 s.');
}
