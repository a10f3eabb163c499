import { serveUsers } from '../../shared/http/serve-users.ts';
import { jobContextOf, type Start } from '../../shared/start.ts';
import type * as declaration from './declaration.ts';
import { routes } from './routes.ts';

/** The endpoints with which sellers see their sales and answer the buyers of them. */
export const compose = (start: Start<typeof declaration>) => serveUsers(routes, jobContextOf(start));
