import { serveUsers } from '../../shared/http/serve-users.ts';
import { contextOf, type Start } from '../../shared/start.ts';
import type { settingNames } from './declaration.ts';
import { routes } from './routes.ts';

/** The endpoints with which sellers describe, submit and publish their products. */
export const compose = (start: Start<typeof settingNames, 'table'>) => serveUsers(routes, contextOf(start));
