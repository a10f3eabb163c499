import * as z from 'zod/mini';
import { AppError } from '../../shared/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import type { FindProductPage } from './find-offer.ts';
import { pageQuery, pageReply, pageSuccess, readerFor } from './page-endpoint.ts';
import type { ReaderOf } from './reader.ts';
import { renderProduct } from './views/product-view.ts';

export const showProduct = endpoint({
  operationId: 'showProduct',
  method: 'GET',
  path: '/p/{slug}',
  tag: 'Pages',
  summary: 'The page of a product',
  audience: 'anyone',
  query: z.object(pageQuery),
  success: pageSuccess,
  errors: ['product_not_found'],
  async handle(input, { findProductPage, baseUrl, readerOf }: { findProductPage: FindProductPage; baseUrl: string; readerOf: ReaderOf }) {
    const page = await findProductPage(input.params.slug);
    if (!page) throw new AppError('product_not_found');
    return pageReply(renderProduct(page, readerFor(input, readerOf), baseUrl), 'shared');
  },
});
