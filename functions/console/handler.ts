import { join } from 'node:path';
import { codeFolder, startFunction } from '../../shared/start-function.ts';
import { readConsoleAssets } from './assets.ts';
import { compose } from './compose.ts';
import { settingNames } from './declaration.ts';

export const handler = startFunction('console', settingNames, (settings, logger) =>
  compose({ settings, logger, consoleAssets: readConsoleAssets(join(codeFolder(import.meta.dirname), 'assets')) }),
);
