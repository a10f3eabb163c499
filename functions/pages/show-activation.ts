import * as z from 'zod/mini';
import { endpoint } from '../../shared/http/endpoint.ts';
import { pageQuery, pageReply, pageSuccess, readerFor } from './page-endpoint.ts';
import type { ReaderOf } from './reader.ts';
import { renderActivation } from './views/activation-view.ts';

export const showActivationRoute = endpoint({
  operationId: 'showActivation',
  method: 'GET',
  path: '/activate',
  tag: 'Pages',
  summary: 'The page that turns the request code of a device without network into its license file',
  description: 'Holds nothing about any license: its script sends what is entered to `POST /v1/licenses/offline-activations`.',
  audience: 'anyone',
  query: z.object(pageQuery),
  success: pageSuccess,
  errors: [],
  async handle(input, c: { readerOf: ReaderOf }) {
    return pageReply(renderActivation(readerFor(input, c.readerOf)), 'shared');
  },
});
