import { join } from 'node:path';
import { answers, clients, drivers, type Language, run } from './language.ts';

export const java: Language = {
  name: 'Java',
  needs: 'openjdk-17-jdk-headless',
  isInstalled: () => answers('javac', '-version'),
  async prepare(folder) {
    const sources = [join(clients, 'LicenseClient.java'), join(drivers, 'java', 'Main.java')];
    await run('javac', ['--release', '11', '-encoding', 'UTF-8', '-d', folder, ...sources]);
    // Java reads arguments in the charset of the locale, which may be ASCII. The other options let it start quickly.
    return ['env', 'LC_ALL=C.UTF-8', 'java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', folder, 'Main'];
  },
  proxySettings(proxy) {
    const { hostname, port } = new URL(proxy);
    return { JDK_JAVA_OPTIONS: `-Dhttp.proxyHost=${hostname} -Dhttp.proxyPort=${port} -Dhttp.nonProxyHosts=` };
  },
};
