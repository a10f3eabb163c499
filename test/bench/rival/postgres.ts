import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from '../../../infra/local/engines/engine.ts';

const programs = '/usr/lib/postgresql/15/bin';

/** What a client needs to connect. */
export interface Postgres {
  connection: { host: string; port: number; user: string; database: string };
  stop(): Promise<void>;
}

/**
 * A cluster of Debian's PostgreSQL 15 with the settings it comes with, empty, on a port of 127.0.0.1; `stop` removes it.
 * Undefined where it is not installed.
 */
export async function startPostgres(): Promise<Postgres | undefined> {
  if (!existsSync(programs)) return;
  const identity = await unprivileged();
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
  if (identity) await chown(folder, identity.uid, identity.gid);
  const options = { ...identity, cwd: folder, env: { PATH: programs, LC_ALL: 'C.UTF-8' } };
  const data = join(folder, 'data');
  await promisify(execFile)(join(programs, 'initdb'), ['--pgdata', data, '--username', 'postgres'], options);

  const port = await freePort();
  const args = ['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
  const server = spawn(join(programs, 'postgres'), args, { ...options, stdio: 'ignore' });
  const connection = { host: '127.0.0.1', port, user: 'postgres', database: 'postgres' };
  const stop = async () => {
    const ended = server.exitCode === null ? once(server, 'exit') : undefined;
    // Ends the connections; SIGTERM would wait for them.
    server.kill('SIGINT');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilAnswering(connection);
  } catch (error) {
    await stop();
    throw error;
  }
  return { connection, stop };
}

/** PostgreSQL refuses to run as root: its own user then. */
async function unprivileged(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return;
  const idOf = async (kind: string) => Number((await promisify(execFile)('id', [kind, 'postgres'])).stdout);
  return { uid: await idOf('-u'), gid: await idOf('-g') };
}

async function untilAnswering(connection: Postgres['connection']): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const client = new Client(connection);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (attempt === 200) throw error;
      await sleep(50);
    }
  }
}
