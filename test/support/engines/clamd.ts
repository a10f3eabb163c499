import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type NetConnectOpts } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Whether Debian's clamav-daemon is installed here. */
export const hasClamd = spawnSync('clamd', ['--version']).status === 0;

/** The one signature it needs: the EICAR test file. No definitions are downloaded. */
const eicarSignature = `Eicar-Test-Signature:0:0:${Buffer.from(['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD', '-ANTIVIRUS-TEST-FILE!$H+H*'].join('')).toString('hex')}\n`;

export interface TestClamd {
  url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  remove(): Promise<void>;
}

/** A clamd of the test's own, with its own settings, on a socket of its own; not started yet. */
export async function createTestClamd({ tcpPort }: { tcpPort?: number } = {}): Promise<TestClamd> {
  const directory = await mkdtemp(join(tmpdir(), 'clamd-'));
  const socket = join(directory, 'clamd.sock');
  await mkdir(join(directory, 'db'));
  await writeFile(join(directory, 'db', 'eicar.ndb'), eicarSignature);
  const settings = [
    'Foreground yes',
    tcpPort === undefined ? `LocalSocket ${socket}` : `TCPSocket ${tcpPort}\nTCPAddr 127.0.0.1`,
    `DatabaseDirectory ${join(directory, 'db')}`,
    'StreamMaxLength 2M',
    'AlertExceedsMax yes',
    'MaxThreads 4',
  ];
  await writeFile(join(directory, 'clamd.conf'), `${settings.join('\n')}\n`);
  let child: ChildProcess | undefined;

  async function stop(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    await rm(socket, { force: true });
  }

  return {
    url: tcpPort === undefined ? `unix:${socket}` : `tcp://127.0.0.1:${tcpPort}`,
    stop,
    async start() {
      child = spawn('clamd', ['--config-file', join(directory, 'clamd.conf')], { stdio: 'ignore' });
      for (let attempt = 0; attempt < 200; attempt += 1) {
        if (await answers(tcpPort === undefined ? { path: socket } : { port: tcpPort, host: '127.0.0.1' })) return;
        await sleep(50);
      }
      throw new Error('clamd did not start.');
    },
    async remove() {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function answers(at: NetConnectOpts): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(at, () => resolve(true)).once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}
