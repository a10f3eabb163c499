import { serveUsers } from '../../shared/http/serve-users.ts';
import { jobContextOf, type Start } from '../../shared/start.ts';
import type * as declaration from './declaration.ts';
import { routes } from './routes.ts';

/** The endpoints with which sellers make and revoke the tokens of their programs. */
export const compose = (start: Start<typeof declaration>) => serveUsers(routes, jobContextOf(start));
