import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Engine {
  endpoint: string;
  stop(): Promise<void>;
}

/** A port of 127.0.0.1 that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No free port was found.');
  return address.port;
}

/**
 * Starts the embedded DynamoDB engine; with `file`, its data is on disk there.
 *
 * @throws Error when the engine has no build for this machine; an engine of any
 * other kind can then be named by DYNAMODB_ENDPOINT.
 */
export async function startDynamoDb(options: { file?: string } = {}): Promise<Engine> {
  const port = await freePort();
  const args = ['--host', '127.0.0.1', '--port', String(port), ...(options.file ? ['--db-path', options.file] : [])];
  const child = spawn(enginePath(), args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint = `${complaint}${chunk}`.slice(-2000);
  });
  const endpoint = `http://127.0.0.1:${port}`;
  await untilAnswering(endpoint, () => {
    if (child.exitCode !== null) throw new Error(`The DynamoDB engine ended at start: ${complaint.trim()}`);
  });
  return {
    endpoint,
    async stop() {
      if (child.exitCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function enginePath(): string {
  try {
    return createRequire(import.meta.url).resolve('@dynoxide/linux-x64/dynoxide');
  } catch {
    throw new Error('The embedded DynamoDB engine has no build for this machine. Name another engine in DYNAMODB_ENDPOINT.');
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
