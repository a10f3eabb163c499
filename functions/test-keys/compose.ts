import { serveUsers } from '../../shared/http/serve-users.ts';
import { contextOf, type Start } from '../../shared/start.ts';
import type { settingNames } from './declaration.ts';
import { routes } from './routes.ts';

/** The endpoints with which sellers mint keys to try their apps with. */
export const compose = (start: Start<typeof settingNames, 'table'>) => serveUsers(routes, contextOf(start));
