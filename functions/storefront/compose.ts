import { withLimits } from '../../shared/http/rate-limit.ts';
import { serve } from '../../shared/http/serve.ts';
import { withPace } from '../../shared/payments/provider/provider-pace.ts';
import { createSlugMemory } from '../../shared/products/slug-memory.ts';
import { contextOf, type Start } from '../../shared/start.ts';
import type * as declaration from './declaration.ts';
import { routes } from './routes.ts';

/** The endpoints with which anyone sees a product and starts a checkout. */
export const compose = (start: Start<typeof declaration>) =>
  serve(routes, { ...withPace(withLimits(contextOf(start))), slugs: createSlugMemory() });
