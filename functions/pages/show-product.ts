import * as z from 'zod/mini';
import type { Needs } from '../../shared/context.ts';
import { AppError } from '../../shared/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { productPath } from '../../shared/products/slug.ts';
import { choiceQuery, chosenCode, countCode } from './checkout/choice.ts';
import { findProductPage } from './find-offer.ts';
import { moved, movedPage, pageQuery, pageReply, pageSuccess, privatePageReply, rateLimitedPage, readerFor } from './page-endpoint.ts';
import type { ReaderOf } from './reader.ts';
import { renderProduct } from './views/product-view.ts';

export const showProductRoute = endpoint({
  operationId: 'showProduct',
  method: 'GET',
  path: '/p/{slug}',
  tag: 'Pages',
  summary: 'The page of a product',
  description:
    'With a discount `code` it shows the old and the new price, or that the code does not hold beside the full one; that is kept by no cache, and counted by the limit of quotes.',
  audience: 'anyone',
  query: z.object({ ...pageQuery, ...choiceQuery }),
  // A form sends what was left empty as well.
  isQueryForeign: true,
  success: { ...pageSuccess, otherStatuses: { ...movedPage, ...rateLimitedPage } },
  errors: ['product_not_found'],
  async handle(input, c: Needs<'table' | 'now' | 'slugs' | 'limitRate' | 'PUBLIC_BASE_URL'> & { readerOf: ReaderOf }) {
    const { query, params, caller } = input;
    const wait = await countCode(c, query, caller);
    const page = await findProductPage(c, params.slug, query, { isLimited: wait !== undefined });
    if (!page) throw new AppError('product_not_found');
    if (page.slug !== params.slug) return moved(productPath(page.slug));
    const html = renderProduct(page, readerFor(input, c.readerOf), c.settings.PUBLIC_BASE_URL);
    return chosenCode(query) === undefined ? pageReply(html, 'shared') : privatePageReply(html, wait);
  },
});
