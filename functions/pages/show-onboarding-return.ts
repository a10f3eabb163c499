import * as z from 'zod/mini';
import { endpoint } from '../../shared/http/endpoint.ts';
import { pageQuery, pageReply, pageSuccess, readerFor } from './page-endpoint.ts';
import type { ReaderOf } from './reader.ts';
import { renderMessage } from './views/layout.ts';

export const showOnboardingReturnRoute = endpoint({
  operationId: 'showOnboardingReturn',
  method: 'GET',
  path: '/onboarding/return',
  tag: 'Pages',
  summary: 'Where a seller lands after the hosted onboarding, finished or not',
  audience: 'anyone',
  query: z.object(pageQuery),
  success: pageSuccess,
  errors: [],
  async handle(input, c: { readerOf: ReaderOf }) {
    const reader = readerFor(input, c.readerOf);
    const { title, text, again } = reader.texts.onboarding;
    return pageReply(renderMessage({ reader, title, path: '/onboarding/return', paragraphs: [text, again] }), 'shared');
  },
});
