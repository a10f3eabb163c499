import { serveUsers } from '../../shared/http/serve-users.ts';
import { contextOf, type Start } from '../../shared/start.ts';
import type * as declaration from './declaration.ts';
import { routes } from './routes.ts';

/** The endpoints with which sellers and their build machines bring releases out. */
export const compose = (start: Start<typeof declaration>) => serveUsers(routes, contextOf(start));
