import { join } from 'node:path';
import { answers, clients, drivers, type Language, run, startedEachTime } from './language.ts';
import { startResident } from './resident.ts';

export const java: Language = {
  name: 'Java',
  needs: ['openjdk-17-jdk-headless'],
  isInstalled: () => answers('javac', '-version'),
  async prepare(folder) {
    const sources = [join(clients, 'LicenseClient.java'), ...['Main.java', 'Resident.java'].map((name) => join(drivers, 'java', name))];
    await run('javac', ['-J-XX:TieredStopAtLevel=1', '--release', '11', '-encoding', 'UTF-8', '-d', folder, ...sources]);
    // Java reads arguments in the charset of the locale, which may be ASCII. The other options let it start quickly.
    const command = ['env', 'LC_ALL=C.UTF-8', 'java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', folder];
    const resident = startResident([...command, 'Resident', folder]);
    const alone = startedEachTime(...command, 'Main');
    return {
      // The settings of a proxy are those of a whole virtual machine.
      run: (args, env = {}) => ('JDK_JAVA_OPTIONS' in env ? alone : resident).run(args, env),
      runAlone: alone.run,
      stop: resident.stop,
    };
  },
  proxySettings(proxy) {
    const { hostname, port } = new URL(proxy);
    return { JDK_JAVA_OPTIONS: `-Dhttp.proxyHost=${hostname} -Dhttp.proxyPort=${port} -Dhttp.nonProxyHosts=` };
  },
};
