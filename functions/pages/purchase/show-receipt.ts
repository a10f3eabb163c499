import * as z from 'zod/mini';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { pageQuery, pageReply, pageSuccess, readerFor } from '../page-endpoint.ts';
import type { ReaderOf } from '../reader.ts';
import { renderReceipt } from '../views/receipt-view.ts';

export const showReceiptRoute = endpoint({
  operationId: 'showReceipt',
  method: 'GET',
  path: '/receipt',
  tag: 'Pages',
  summary: 'The receipt of a purchase, to print',
  description: 'Holds nothing about any purchase: its script fills it with what the completion token in the tab speaks for.',
  audience: 'anyone',
  query: z.object(pageQuery),
  success: pageSuccess,
  errors: [],
  async handle(input, c: { readerOf: ReaderOf }) {
    return pageReply(renderReceipt(readerFor(input, c.readerOf)), 'shared');
  },
});
