import { tokenIn } from './link-text.ts';

/**
 * The purchase that this tab shows. Its link comes in the fragment of the address, leaves the address bar at once, and is
 * kept by the tab alone, until it ends. Where the browser keeps nothing, it lives as long as the page.
 */
export interface Session {
  /** Empty when the tab has no link. */
  token: string;
  orderId: string | undefined;
  /** The link that brings the payer back from paying, as long as its purchase was not shown. */
  justBought: boolean;
  /** Whether this is the payer, rather than someone with a link from a mail. */
  payer: boolean;
  /** Whether the payer has corrected the address in this tab. */
  corrected: boolean;
}

/** What is known of the purchase of one link. */
const ofOneLink = ['purchase-shown', 'address-corrected'] as const;
type Name = 'purchase-link' | 'product-page' | 'license-link' | (typeof ofOneLink)[number];

/** Browsers that are told to keep nothing throw. */
function recall(name: Name): string {
  try {
    return sessionStorage.getItem(name) ?? '';
  } catch {
    return '';
  }
}

function keep(name: Name, value: string): void {
  try {
    if (value === '') sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, value);
  } catch {
    // It is kept by the page's own variables, as long as that is open.
  }
}

/** The purchase whose link was pasted or is in the address, else the one that the tab has kept. */
export function openSession(given: string = takeFromAddress()): Session {
  if (given && given !== recall('purchase-link')) {
    keep('purchase-link', given);
    for (const name of ofOneLink) keep(name, '');
  }
  const token = given || recall('purchase-link');
  const { sub, use } = claimsOf(token);
  const payer = use === 'redirect';
  return {
    token,
    orderId: sub,
    payer,
    justBought: payer && recall('purchase-shown') === '',
    corrected: recall('address-corrected') !== '',
  };
}

export const hasNewLink = (): boolean => tokenIn(location.hash) !== '';

function takeFromAddress(): string {
  const given = tokenIn(location.hash);
  if (given === '') return '';
  history.replaceState(null, '', location.pathname + location.search);
  return given;
}

/** From now on the purchase is no longer just bought. */
export const markShown = () => keep('purchase-shown', 'yes');

/** From now on the address of this purchase cannot be corrected here again. */
export const markCorrected = () => keep('address-corrected', 'yes');

/** Forgets a link that has ended, unless the tab has been given another one since. */
export function forgetLink(token: string): void {
  if (recall('license-link') === token) keep('license-link', '');
  if (recall('purchase-link') !== token) return;
  for (const name of ['purchase-link', ...ofOneLink] as const) keep(name, '');
}

/** The purchase from which something is bought for its license, to lead back to: who has paid comes back with another link. */
export const rememberLicense = (token: string) => keep('license-link', token);

/** The link of that purchase, where it is another than this one; else empty. */
export const rememberedLicense = (token: string): string => (recall('license-link') === token ? '' : recall('license-link'));

/** Has links to other pages of the purchase, or to this one in another language, open the same purchase. */
export function carryLink(selector: string, session: () => Session): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>(selector)) {
    link.addEventListener('click', (event) => {
      const { token } = session();
      if (token === '' || recall('purchase-link') === token) return;
      event.preventDefault();
      openWithLink(link.href, token);
    });
  }
}

/** Opens another page of the purchase: its link is in the tab, and in the fragment only where the browser keeps nothing. */
export function openWithLink(address: string, token: string): void {
  location.assign(recall('purchase-link') === token ? address : `${address}#token=${encodeURIComponent(token)}`);
}

/** What the token says of itself. Nobody has verified it: good for words on the page, and for nothing else. */
function claimsOf(token: string): { sub?: string; use?: string } {
  try {
    const { sub, use } = JSON.parse(atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')));
    return { ...(isOrderId(sub) && { sub }), ...(typeof use === 'string' && { use }) };
  } catch {
    return {};
  }
}

const isOrderId = (value: unknown): value is string => typeof value === 'string' && /^ord_\w{1,40}$/.test(value);

/** The page of the product that is about to be paid for, to lead back to. */
export const rememberProduct = (path: string) => keep('product-page', path);

export function rememberedProduct(): string | undefined {
  const path = recall('product-page');
  return /^\/p\/[^/?#\\]+$/.test(path) ? path : undefined;
}
