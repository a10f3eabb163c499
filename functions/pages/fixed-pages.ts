/** The pages that hold nothing of what they are opened for: the same for everybody who reads a language. */

import * as z from 'zod/mini';
import type { Html } from '../../shared/html.ts';
import { type Endpoint, endpoint } from '../../shared/http/endpoint.ts';
import { pageQuery, pageReply, pageSuccess, readerFor } from './page-endpoint.ts';
import type { Reader, ReaderOf } from './reader.ts';
import { renderActivation } from './views/activation-view.ts';
import { renderCompletion } from './views/completion-view.ts';
import { renderMessage } from './views/layout.ts';
import { renderReceipt } from './views/receipt-view.ts';

const fixedPage = (page: Pick<Endpoint, 'operationId' | 'path' | 'summary' | 'description'>, render: (reader: Reader) => Html) =>
  endpoint({
    ...page,
    method: 'GET',
    tag: 'Pages',
    audience: 'anyone',
    query: z.object(pageQuery),
    success: pageSuccess,
    errors: [],
    handle: async (input, c: { readerOf: ReaderOf }) => pageReply(render(readerFor(input, c.readerOf)), 'shared'),
  });

export const showCompletionRoute = fixedPage(
  {
    operationId: 'showCompletion',
    path: '/complete',
    summary: 'The page that shows a buyer the license key',
    description: 'Holds nothing about any purchase: its script reads the completion token from the fragment, which no server sees.',
  },
  renderCompletion,
);

export const showReceiptRoute = fixedPage(
  {
    operationId: 'showReceipt',
    path: '/receipt',
    summary: 'The receipt of a purchase, to print',
    description: 'Holds nothing about any purchase: its script fills it with what the completion token in the tab speaks for.',
  },
  renderReceipt,
);

export const showActivationRoute = fixedPage(
  {
    operationId: 'showActivation',
    path: '/activate',
    summary: 'The page that turns the request code of a device without network into its license file',
    description: 'Holds nothing about any license: its script sends what is entered to `POST /v1/licenses/offline-activations`.',
  },
  renderActivation,
);

export const showOnboardingReturnRoute = fixedPage(
  {
    operationId: 'showOnboardingReturn',
    path: '/onboarding/return',
    summary: 'Where a seller lands after the hosted onboarding, finished or not',
  },
  (reader) => {
    const { title, text, again } = reader.texts.onboarding;
    return renderMessage({ reader, title, path: '/onboarding/return', paragraphs: [text, again] });
  },
);
