import { join } from 'node:path';
import { createHandler } from '../../shared/http/create-handler.ts';
import { startFunction } from '../../shared/start-function.ts';
import { settingNames } from './env.ts';
import { routes } from './routes.ts';
import { readSite } from './site.ts';

export const handler = startFunction('docs', settingNames, (_settings, logger) =>
  createHandler({ routes, services: { site: readSite(join(import.meta.dirname, 'site')) }, logger }),
);
