import * as z from 'zod/mini';
import type { Needs } from '../../shared/context.ts';
import { AppError } from '../../shared/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { previewPath } from '../../shared/products/previews/preview.ts';
import { findPreviewPage } from './find-offer.ts';
import { pageQuery, pageReply, pageSuccess, readerFor } from './page-endpoint.ts';
import type { ReaderOf } from './reader.ts';
import { renderPreview } from './views/product-view.ts';

export const showPreviewRoute = endpoint({
  operationId: 'showPreview',
  method: 'GET',
  path: '/preview/{token}',
  tag: 'Pages',
  summary: 'The page of a product as its buyers will see it',
  audience: 'anyone',
  query: z.object(pageQuery),
  success: pageSuccess,
  errors: ['product_not_found'],
  async handle(input, c: Needs<'table' | 'now'> & { readerOf: ReaderOf }) {
    const { token } = input.params;
    const page = await findPreviewPage(c, token);
    if (!page) throw new AppError('product_not_found');
    const reply = pageReply(renderPreview(page, readerFor(input, c.readerOf), previewPath(token)), 'never');
    reply.headers['X-Robots-Tag'] = 'noindex';
    return reply;
  },
});
