import { serve } from '../../shared/http/serve.ts';
import { jobContextOf, type Start } from '../../shared/start.ts';
import type * as declaration from './declaration.ts';
import { routes } from './routes.ts';

/** The endpoints to which the payment provider sends its events. */
export const compose = (start: Start<typeof declaration>) => serve(routes, jobContextOf(start));
