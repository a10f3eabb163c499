import type { Html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/locale.ts';
import { ciSamples, token, tokenScopes } from './parts/build-machines.ts';
import { mint, minted, reply, request } from './parts/calls.ts';
import { changeCauses, eventTypes, exampleEvent, receivers } from './parts/event-types.ts';
import {
  application,
  discount,
  invoiceNumber,
  nextTasks,
  offers,
  sale,
  shopDraft,
  shopMonth,
  shopToken,
  submission,
} from './parts/requests.ts';
import { codesTable } from './parts/runtime-codes.ts';
import { sentencesTable } from './parts/sentences.ts';
import { statusTables } from './parts/statuses.ts';
import { allSteps, clientLinks } from './parts/steps.ts';
import { updateCodesTable } from './parts/update-codes.ts';
import { coveredSamples, feedSamples } from './parts/update-samples.ts';
import { type Parts, readSection } from './prose.ts';
import { codeBlock, type Section } from './section.ts';

/** The sections of each guide in their order, each a page of `docs/` in every language. */
const sections = {
  // For people who build licensing into an app.
  guide: ['three-calls', 'start', 'test-keys', 'codes', 'offline', 'fingerprints', 'care'],
  // For people who sell.
  sellers: [
    'first-sale',
    'statuses',
    'prices',
    'payouts',
    'selling-more',
    'files',
    'releases',
    'refunds',
    'buyers',
    'imports',
    'events',
    'by-api',
  ],
  // For people whose app updates itself, and for those who release it.
  updates: ['covered', 'feeds', 'ci', 'tokens'],
} as const;

export type Guide = keyof typeof sections;

export function readGuide(guide: Guide, locale: Locale): Section[] {
  const parts = partsIn(locale);
  return sections[guide].map((id) => readSection(locale, guide, id, parts));
}

const code =
  (text: string) =>
  (caption: string): Html =>
    codeBlock(caption, text);

const partsIn = (locale: Locale): Parts => ({
  request: code(request),
  reply: code(reply),
  mint: code(mint),
  minted: code(minted),
  languages: () => allSteps(locale),
  'client-links': () => clientLinks(locale),
  codes: () => codesTable(locale),
  sentences: () => sentencesTable(locale),
  'next-tasks': code(nextTasks),
  application: code(application),
  submission: code(submission),
  offers: code(offers),
  discount: code(discount),
  'invoice-number': code(invoiceNumber),
  sale: code(sale),
  'shop-token': code(shopToken),
  'shop-draft': code(shopDraft),
  'shop-month': code(shopMonth),
  statuses: () => statusTables(locale),
  'example-event': code(exampleEvent),
  'event-types': () => eventTypes(locale),
  causes: () => changeCauses(locale),
  receivers: () => receivers,
  'covered-samples': () => coveredSamples,
  'feed-samples': () => feedSamples,
  'update-codes': () => updateCodesTable(locale),
  'ci-samples': () => ciSamples,
  token: code(token),
  scopes: () => tokenScopes(locale),
});
