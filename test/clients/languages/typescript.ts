import { join } from 'node:path';
import { drivers, type Language, startedEachTime } from './language.ts';

export const typescript: Language = {
  name: 'TypeScript',
  needs: [],
  isInstalled: () => true,
  prepare: async () => startedEachTime(process.execPath, join(drivers, 'typescript', 'main.ts')),
  proxySettings: (proxy) => ({ HTTP_PROXY: proxy, NODE_USE_ENV_PROXY: '1' }),
};
