import { type Html, html } from '../../../shared/html.ts';
import { localPath, type Reader } from '../reader.ts';
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
  const failure = failures[code] ?? 'bad';
  const product = /^\/p\/[^/]+/.exec(path)?.[0];
  const notFound = failure === 'notFound';
  const contact = operatorContact(reader);
  return renderMessage({
    reader,
    title: texts[failure],
    path,
    paragraphs: [texts[`${failure}Text`], ...(ordering && !notFound ? [texts.notCharged] : [])],
    link: linkFor(),
    small: html`${!notFound && html`${texts.requestId}: <code>${requestId}</code>`}${contact !== undefined && html`${!notFound && html`<br>`}${reader.texts.help.contact}: ${contact}`}`,
  });

  function linkFor() {
    if (notFound) return { href: '/manage', text: texts.findPurchase };
    return product === undefined ? { href: path, text: texts.tryAgain } : { href: product, text: reader.texts.backToProduct };
  }
}

/** What the texts call a failure, by its code. */
const failures: Readonly<Record<string, 'notFound' | 'notOnSale' | 'tooMany' | 'unavailable' | 'failed'>> = {
  route_not_found: 'notFound',
  product_not_found: 'notFound',
  checkout_not_available: 'notOnSale',
  price_not_chargeable: 'notOnSale',
  rate_limited: 'tooMany',
  dependency_unavailable: 'unavailable',
  internal_error: 'failed',
};
