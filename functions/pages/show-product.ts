import * as z from 'zod/mini';
import { AppError } from '../../shared/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import type { FindProductPage } from './find-offer.ts';
import { askedCode, choiceQuery } from './ordering/choice.ts';
import type { CountCode } from './ordering/count-code.ts';
import { pageQuery, pageReply, pageSuccess, pricedReply, readerFor, tooManyCodes } from './page-endpoint.ts';
import type { ReaderOf } from './reader.ts';
import { renderProduct } from './views/product-view.ts';

export const showProduct = endpoint({
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
  success: { ...pageSuccess, ...tooManyCodes },
  errors: ['product_not_found'],
  async handle(input, services: { findProductPage: FindProductPage; countCode: CountCode; baseUrl: string; readerOf: ReaderOf }) {
    const { findProductPage, countCode, baseUrl, readerOf } = services;
    const { query, params, caller } = input;
    const wait = await countCode(query, caller);
    const page = await findProductPage(params.slug, query, { isLimited: wait !== undefined });
    if (!page) throw new AppError('product_not_found');
    const shown = renderProduct(page, readerFor(input, readerOf), baseUrl);
    return askedCode(query) === undefined ? pageReply(shown, 'shared') : pricedReply(shown, wait);
  },
});
