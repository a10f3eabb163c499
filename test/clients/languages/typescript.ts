import { join } from 'node:path';
import { drivers, type Language, startedEachTime } from './language.ts';
import { startResident } from './resident.ts';

export const typescript: Language = {
  name: 'TypeScript',
  needs: [],
  isInstalled: () => true,
  async prepare() {
    const command = [process.execPath, join(drivers, 'typescript', 'main.ts')];
    const resident = startResident(command);
    const alone = startedEachTime(...command);
    return {
      // The settings of a proxy are those of a whole process.
      run: (args, env = {}) => ('NODE_USE_ENV_PROXY' in env ? alone : resident).run(args, env),
      runAlone: alone.run,
      stop: resident.stop,
    };
  },
  proxySettings: (proxy) => ({ HTTP_PROXY: proxy, NODE_USE_ENV_PROXY: '1' }),
};
