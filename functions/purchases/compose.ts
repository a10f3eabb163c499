import { withLimits } from '../../shared/http/rate-limit.ts';
import { serve } from '../../shared/http/serve.ts';
import { jobContextOf, type Start } from '../../shared/start.ts';
import type * as declaration from './declaration.ts';
import { routes } from './routes.ts';

/** The endpoints with which buyers get their license, their files and fresh links, and help themselves. */
export const compose = (start: Start<typeof declaration>) => serve(routes, withLimits(jobContextOf(start)));
