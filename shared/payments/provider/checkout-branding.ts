import type Stripe from 'stripe';
import { truncatedLine } from '../../text/one-line.ts';

/** The longest prefix that an account has is 10 of the 22 characters of a line on a statement, and 2 part it from the suffix. */
const suffixLength = 10;
/** The provider takes far longer ones, and shows them beside the price. */
const maxNameLength = 100;

/** The seller's name in the head of the provider's page, in place of the platform's; nothing when it would be blank. */
export function brandingOf(sellerName: string): Pick<Stripe.Checkout.SessionCreateParams, 'branding_settings'> {
  const displayName = truncatedLine(sellerName, maxNameLength);
  return displayName === '' ? {} : { branding_settings: { display_name: displayName } };
}

/**
 * What follows the platform's name on the buyer's card statement: the seller's name as far as it is
 * Latin letters, which is all that banks take. Undefined when none is left.
 */
export function statementSuffixOf(sellerName: string): string | undefined {
  const latin = sellerName.normalize('NFKD').replace(/\p{M}/gu, '');
  const suffix = latin
    .replace(/[^A-Za-z0-9.&-]+/g, ' ')
    .trim()
    .slice(0, suffixLength)
    .trim();
  return /[A-Za-z]/.test(suffix) ? suffix : undefined;
}
