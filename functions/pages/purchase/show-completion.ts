import * as z from 'zod/mini';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { pageQuery, pageReply, pageSuccess, readerFor } from '../page-endpoint.ts';
import type { ReaderOf } from '../reader.ts';
import { renderCompletion } from '../views/completion-view.ts';

export const showCompletionRoute = endpoint({
  operationId: 'showCompletion',
  method: 'GET',
  path: '/complete',
  tag: 'Pages',
  summary: 'The page that shows a buyer the license key',
  description: 'Holds nothing about any purchase: its script reads the completion token from the fragment, which no server sees.',
  audience: 'anyone',
  query: z.object(pageQuery),
  success: pageSuccess,
  errors: [],
  async handle(input, c: { readerOf: ReaderOf }) {
    return pageReply(renderCompletion(readerFor(input, c.readerOf)), 'shared');
  },
});
