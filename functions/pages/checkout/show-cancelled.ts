import * as z from 'zod/mini';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { productPath } from '../../../shared/products/slug.ts';
import { pageQuery, pageReply, pageSuccess, readerFor } from '../page-endpoint.ts';
import type { ReaderOf } from '../reader.ts';
import { renderMessage } from '../views/layout.ts';
import { choiceQuery, urlWithChoice } from './choice.ts';

export const showCancelledRoute = endpoint({
  operationId: 'showCancelled',
  method: 'GET',
  path: '/checkout/cancelled',
  tag: 'Pages',
  summary: 'Where a buyer lands who left the hosted checkout',
  description:
    '`product` is the slug that the page offers to go back to, with what was asked for there; with `free` there was nothing to pay.',
  audience: 'anyone',
  query: z.object({ ...pageQuery, ...choiceQuery, product: z.optional(z.string()), free: z.optional(z.string()) }),
  // A form sends what was left empty as well.
  isQueryForeign: true,
  success: pageSuccess,
  errors: [],
  async handle(input, c: { readerOf: ReaderOf }) {
    const reader = readerFor(input, c.readerOf);
    const { title, text, textFree } = reader.texts.cancelled;
    const { product, free } = input.query;
    const more = { ...(product !== undefined && { product }), ...(free !== undefined && { free }) };
    const link =
      product === undefined ? undefined : { href: urlWithChoice(productPath(product), input.query), text: reader.texts.backToProduct };
    return pageReply(
      renderMessage({
        reader,
        title,
        path: urlWithChoice('/checkout/cancelled', input.query, more),
        paragraphs: [free === undefined ? text : textFree],
        link,
      }),
      'shared',
    );
  },
});
