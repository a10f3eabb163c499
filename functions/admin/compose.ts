import { withLimits } from '../../shared/http/rate-limit.ts';
import { serveAdmins } from '../../shared/http/serve-users.ts';
import { jobContextOf, type Start } from '../../shared/start.ts';
import type * as declaration from './declaration.ts';
import { routes } from './routes.ts';

/** The endpoints with which admins review sellers, products, files and releases, and look after orders and licenses. */
export const compose = (start: Start<typeof declaration>) => serveAdmins(routes, withLimits(jobContextOf(start)));
