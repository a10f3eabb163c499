import { randomUUID } from 'node:crypto';
import { withLimits } from '../../shared/http/rate-limit.ts';
import { serve } from '../../shared/http/serve.ts';
import { operatorOf } from '../../shared/operator.ts';
import { withPace } from '../../shared/payments/provider/provider-pace.ts';
import { createSlugMemory } from '../../shared/products/slug-memory.ts';
import { jobContextOf, type Start } from '../../shared/start.ts';
import type { PageAssets } from './assets/assets.ts';
import type * as declaration from './declaration.ts';
import { createPresenter } from './page-reply.ts';
import { createReaderOf } from './reader.ts';
import { routes } from './routes.ts';

/** Where hosted checkouts are; the local stack's fake provider is on a port of this machine. */
const hostedCheckoutOrigin = 'https://checkout.stripe.com';
const localOrigins = ['http://127.0.0.1:*', 'http://localhost:*'];

/** The pages for browsers: products, the order form, the completion page and where the provider's pages lead back to. */
export function compose(start: Start<typeof declaration> & { assets: PageAssets }) {
  const { STAGE: stage, PAYMENT_API_BASE: apiBase } = start.settings;
  const readerOf = createReaderOf({ operator: operatorOf(start.settings), assets: start.assets });
  const c = { ...withPace(withLimits(jobContextOf(start))), slugs: createSlugMemory(), readerOf, newRequestKey: randomUUID };
  const checkoutOrigins = [hostedCheckoutOrigin, ...(stage === 'local' ? localOrigins : []), ...(apiBase ? [new URL(apiBase).origin] : [])];
  return serve(routes, c, { transformReply: createPresenter({ checkoutOrigins, readerOf }) });
}
