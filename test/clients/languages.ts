import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const clients = join(import.meta.dirname, '..', '..', 'infra', 'documents', 'clients');
const drivers = join(import.meta.dirname, 'drivers');
const answers = (command: string, ...args: string[]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** A language that has a license client, and a driver that runs it from the command line. */
export interface Language {
  name: string;
  /** What must be there to run it, as Debian names it. */
  needs: string;
  isInstalled(): boolean;
  /** Builds the driver in an empty folder, and returns the command that runs it. */
  prepare(folder: string): Promise<string[]>;
  /** What makes its client go through this proxy, as the system's settings would. */
  proxySettings(proxy: string): Record<string, string>;
}

export const typescript: Language = {
  name: 'TypeScript',
  needs: 'node',
  isInstalled: () => true,
  prepare: async () => [process.execPath, join(drivers, 'typescript', 'main.ts')],
  proxySettings: (proxy) => ({ HTTP_PROXY: proxy, NODE_USE_ENV_PROXY: '1' }),
};

const pythonPath = process.env['PYTHON_PATH'] ?? '/usr/bin/python3';

export const python: Language = {
  name: 'Python',
  needs: 'python3-cryptography',
  isInstalled: () => existsSync(pythonPath) && answers(pythonPath, '-c', 'import cryptography'),
  async prepare(folder) {
    await copyFile(join(clients, 'license_client.py'), join(folder, 'license_client.py'));
    await copyFile(join(drivers, 'python', 'main.py'), join(folder, 'main.py'));
    return [pythonPath, join(folder, 'main.py')];
  },
  proxySettings: (proxy) => ({ HTTP_PROXY: proxy }),
};

export const go: Language = {
  name: 'Go',
  needs: 'golang-go',
  isInstalled: () => answers('go', 'version'),
  async prepare(folder) {
    await mkdir(join(folder, 'licenseclient'));
    await copyFile(join(clients, 'license_client.go'), join(folder, 'licenseclient', 'license_client.go'));
    for (const file of ['main.go', 'go.mod']) await copyFile(join(drivers, 'go', file), join(folder, file));
    // Nothing is downloaded, and nothing is left outside the folder.
    const settings = { GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local', GOCACHE: join(folder, 'cache') };
    await run('go', ['build', '-o', 'driver', '.'], { cwd: folder, env: { ...process.env, ...settings } });
    return [join(folder, 'driver')];
  },
  proxySettings: (proxy) => ({ HTTP_PROXY: proxy }),
};
