import * as z from 'zod/mini';
import { AppError } from '../../shared/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import type { FindProductPage } from './find-offer.ts';
import { pageQuery, pageReply, pageSuccess, readerFor } from './page-endpoint.ts';
import type { ReaderOf } from './reader.ts';
import { renderCheckout } from './views/checkout-view.ts';

export const showCheckout = endpoint({
  operationId: 'showCheckout',
  method: 'GET',
  path: '/p/{slug}/checkout',
  tag: 'Pages',
  summary: 'The final confirmation of an order',
  audience: 'anyone',
  query: z.object({ ...pageQuery, changed: z.optional(z.string()) }),
  success: pageSuccess,
  errors: ['product_not_found'],
  async handle(
    input,
    { findProductPage, newRequestKey, readerOf }: { findProductPage: FindProductPage; newRequestKey: () => string; readerOf: ReaderOf },
  ) {
    const page = await findProductPage(input.params.slug);
    if (!page) throw new AppError('product_not_found');
    const changed = input.query.changed !== undefined;
    return pageReply(renderCheckout(page, readerFor(input, readerOf), { requestKey: newRequestKey(), changed }), 'never');
  },
});
