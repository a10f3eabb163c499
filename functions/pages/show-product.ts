import * as z from 'zod/mini';
import { AppError } from '../../shared/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import type { Operator } from '../../shared/operator.ts';
import type { FindOffer } from './find-offer.ts';
import { pageQuery, pageReply, pageSuccess, readerFor } from './page-endpoint.ts';
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
  async handle(input, { findOffer, baseUrl, operator }: { findOffer: FindOffer; baseUrl: string; operator: Operator }) {
    const offer = await findOffer(input.params.slug);
    if (!offer) throw new AppError('product_not_found');
    return pageReply(renderProduct(offer, readerFor(input, operator), baseUrl), 'shared');
  },
});
