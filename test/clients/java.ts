import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Language } from './languages.ts';

const run = promisify(execFile);
const client = join(import.meta.dirname, '..', '..', 'infra', 'documents', 'clients', 'LicenseClient.java');
const driver = join(import.meta.dirname, 'drivers', 'java', 'Main.java');

export const java: Language = {
  name: 'Java',
  needs: 'openjdk-17-jdk-headless',
  isInstalled: () => spawnSync('javac', ['-version'], { stdio: 'ignore' }).status === 0,
  async prepare(folder) {
    await run('javac', ['--release', '11', '-encoding', 'UTF-8', '-d', folder, client, driver]);
    // Java reads arguments in the charset of the locale, which may be ASCII. The other options let it start quickly.
    return ['env', 'LC_ALL=C.UTF-8', 'java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', folder, 'Main'];
  },
  proxySettings(proxy) {
    const { hostname, port } = new URL(proxy);
    return { JDK_JAVA_OPTIONS: `-Dhttp.proxyHost=${hostname} -Dhttp.proxyPort=${port} -Dhttp.nonProxyHosts=` };
  },
};
