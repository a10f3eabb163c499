import { type Html, html } from '../../../shared/html.ts';
import { ownPath, type Reader } from '../reader.ts';
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
  const path = ownPath(requested);
  const say = reader.say.errors;
  const { title, text } = wordsFor(code, say);
  const product = /^\/p\/[^/]+/.exec(path)?.[0];
  const notFound = title === say.notFound;
  const contact = operatorContact(reader);
  return renderMessage({
    reader,
    title,
    path,
    paragraphs: [text, ...(ordering && !notFound ? [say.notCharged] : [])],
    link: linkFor(),
    small: html`${!notFound && html`${say.requestId}: <code>${requestId}</code>`}${contact !== undefined && html`${!notFound && html`<br>`}${reader.say.help.contact}: ${contact}`}`,
  });

  function linkFor() {
    if (notFound) return { href: '/manage', text: say.findPurchase };
    return product === undefined ? { href: path, text: say.tryAgain } : { href: product, text: say.back };
  }
}

function wordsFor(code: string, say: Texts['errors']): { title: string; text: string } {
  switch (code) {
    case 'route_not_found':
    case 'product_not_found':
      return { title: say.notFound, text: say.notFoundText };
    case 'checkout_not_available':
    case 'price_not_chargeable':
      return { title: say.notOnSale, text: say.notOnSaleText };
    case 'rate_limited':
      return { title: say.tooMany, text: say.tooManyText };
    case 'dependency_unavailable':
      return { title: say.unavailable, text: say.unavailableText };
    case 'internal_error':
      return { title: say.failed, text: say.failedText };
    default:
      return { title: say.bad, text: say.badText };
  }
}
