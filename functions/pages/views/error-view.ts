import { type Html, html } from '../../../shared/html.ts';
import { localPath, type Reader } from '../reader.ts';
import type { Texts } from '../texts/texts.ts';
import { renderMessage } from './layout.ts';
import { operatorContact } from './operator-view.ts';

/** What a buyer reads instead of an Error body: what happened, whether it cost anything, and the number to quote. */
export interface PageError {
  code: string;
  requestId: string;
  /** The page that failed, without its query. */
  path: string;
  /** The request was an order that did not go through. */
  ordering: boolean;
}

export function renderError({ code, requestId, path: requested, ordering }: PageError, reader: Reader): Html {
  const path = localPath(requested);
  const texts = reader.texts.errors;
  const { title, text } = wordsFor(code, texts);
  const product = /^\/p\/[^/]+/.exec(path)?.[0];
  const notFound = title === texts.notFound;
  const contact = operatorContact(reader);
  return renderMessage({
    reader,
    title,
    path,
    paragraphs: [text, ...(ordering && !notFound ? [texts.notCharged] : [])],
    link: linkFor(),
    small: html`${!notFound && html`${texts.requestId}: <code>${requestId}</code>`}${contact !== undefined && html`${!notFound && html`<br>`}${reader.texts.help.contact}: ${contact}`}`,
  });

  function linkFor() {
    if (notFound) return { href: '/manage', text: texts.findPurchase };
    return product === undefined ? { href: path, text: texts.tryAgain } : { href: product, text: reader.texts.backToProduct };
  }
}

function wordsFor(code: string, texts: Texts['errors']): { title: string; text: string } {
  switch (code) {
    case 'route_not_found':
    case 'product_not_found':
      return { title: texts.notFound, text: texts.notFoundText };
    case 'checkout_not_available':
    case 'price_not_chargeable':
      return { title: texts.notOnSale, text: texts.notOnSaleText };
    case 'rate_limited':
      return { title: texts.tooMany, text: texts.tooManyText };
    case 'dependency_unavailable':
      return { title: texts.unavailable, text: texts.unavailableText };
    case 'internal_error':
      return { title: texts.failed, text: texts.failedText };
    default:
      return { title: texts.bad, text: texts.badText };
  }
}
