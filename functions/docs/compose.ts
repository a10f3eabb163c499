import type { Composition } from '../../shared/function-parts.ts';
import { callersBy } from '../../shared/http/caller-address.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import type { settingNames } from './declaration.ts';
import { routes } from './routes.ts';
import { type Site, withAddress } from './site.ts';

/** The documentation: the OpenAPI document, the guide, what the guide's page loads, and the clients of the guide. */
export const compose = ({ settings, logger, site }: Composition<typeof settingNames> & { site: Site }) =>
  createHandler({ routes, services: { site: withAddress(site, settings.PUBLIC_BASE_URL) }, logger, ...callersBy(settings) });
