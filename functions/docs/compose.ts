import type { Settings } from '../../shared/config.ts';
import { callersBy } from '../../shared/http/caller-address.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import type { Logger } from '../../shared/logger.ts';
import type { settingNames } from './declaration.ts';
import { routes } from './routes.ts';
import { type Site, withAddress } from './site.ts';

interface Dependencies {
  settings: Pick<Settings, (typeof settingNames)[number]>;
  logger: Logger;
  site: Site;
}

/** The documentation: the OpenAPI document, the guide, what the guide's page loads, and the clients of the guide. */
export const compose = ({ settings, logger, site }: Dependencies) =>
  createHandler({ routes, services: { site: withAddress(site, settings.PUBLIC_BASE_URL) }, logger, ...callersBy(settings) });
