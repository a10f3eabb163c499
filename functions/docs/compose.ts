import { serve } from '../../shared/http/serve.ts';
import type { Start } from '../../shared/start.ts';
import type * as declaration from './declaration.ts';
import { routes } from './routes.ts';
import { type Site, withAddress } from './site.ts';

/** The documentation: the OpenAPI document, the guide, what the guide's page loads, and the clients of the guide. */
export const compose = (start: Start<typeof declaration> & { site: Site }) =>
  serve(routes, { ...start, site: withAddress(start.site, start.settings.PUBLIC_BASE_URL) });
