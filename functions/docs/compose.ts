import { createHandler } from '../../shared/http/create-handler.ts';
import type { Logger } from '../../shared/logger.ts';
import { routes } from './routes.ts';
import type { Site } from './site.ts';

/** The documentation: the OpenAPI document, the guide, and what the guide's page loads. */
export const compose = ({ logger, site }: { logger: Logger; site: Site }) => createHandler({ routes, services: { site }, logger });
