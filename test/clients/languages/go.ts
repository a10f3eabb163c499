import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { answers, clients, drivers, type Language, run, startedEachTime } from './language.ts';

/** Nothing is downloaded, and what was compiled of Go's own packages is kept for the next time. */
export const goSettings = {
  GOFLAGS: '-mod=mod',
  GOPROXY: 'off',
  GOTOOLCHAIN: 'local',
  GOCACHE: join(import.meta.dirname, '..', '..', '..', 'node_modules', '.cache', 'go'),
};

export const go: Language = {
  name: 'Go',
  needs: ['golang-go'],
  isInstalled: () => answers('go', 'version'),
  async prepare(folder) {
    await mkdir(join(folder, 'licenseclient'));
    await copyFile(join(clients, 'license_client.go'), join(folder, 'licenseclient', 'license_client.go'));
    for (const file of ['main.go', 'go.mod']) await copyFile(join(drivers, 'go', file), join(folder, file));
    await run('go', ['build', '-o', 'driver', '.'], { cwd: folder, env: { ...process.env, ...goSettings } });
    return startedEachTime(join(folder, 'driver'));
  },
  proxySettings: (proxy) => ({ HTTP_PROXY: proxy }),
};
