import * as z from 'zod/mini';
import type { Needs } from '../../../shared/context.ts';
import { AppError } from '../../../shared/errors.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { findProductPage } from '../find-offer.ts';
import { moved, movedPage, pageQuery, pageSuccess, privatePageReply, rateLimitedPage, readerFor } from '../page-endpoint.ts';
import type { ReaderOf } from '../reader.ts';
import { renderCheckout } from '../views/checkout-view.ts';
import { checkoutPath } from '../views/terms.ts';
import { choiceQuery, countCode } from './choice.ts';

export const showCheckoutRoute = endpoint({
  operationId: 'showCheckout',
  method: 'GET',
  path: '/p/{slug}/checkout',
  tag: 'Pages',
  summary: 'The final confirmation of an order',
  description:
    'Of so many, with a discount `code`, which the limit of quotes counts. What cannot be had so is shown for one, or at the full price, with what is wrong.',
  audience: 'anyone',
  query: z.object({ ...pageQuery, ...choiceQuery, changed: z.optional(z.string()) }),
  // A form sends what was left empty as well.
  isQueryForeign: true,
  success: { ...pageSuccess, otherStatuses: { ...movedPage, ...rateLimitedPage } },
  errors: ['product_not_found'],
  async handle(input, c: Needs<'table' | 'now' | 'slugs' | 'limitRate'> & { readerOf: ReaderOf; newRequestKey: () => string }) {
    const { query, params, caller } = input;
    const wait = await countCode(c, query, caller);
    const page = await findProductPage(c, params.slug, query, { isLimited: wait !== undefined });
    if (!page) throw new AppError('product_not_found');
    if (page.slug !== params.slug) return moved(checkoutPath(page.slug));
    const changed = query.changed !== undefined;
    return privatePageReply(renderCheckout(page, readerFor(input, c.readerOf), { requestKey: c.newRequestKey(), changed }), wait);
  },
});
