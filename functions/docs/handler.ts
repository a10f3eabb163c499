import { join } from 'node:path';
import { startFunction } from '../../shared/start-function.ts';
import { compose } from './compose.ts';
import { settingNames } from './declaration.ts';
import { readSite } from './site.ts';

export const handler = startFunction('docs', settingNames, (settings, logger) =>
  compose({ settings, logger, site: readSite(join(import.meta.dirname, 'site')) }),
);
