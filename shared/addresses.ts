import * as z from 'zod/mini';
import { isReachable } from './email-address.ts';
import { fault } from './faults/fault.ts';
import * as rules from './faults/rules.ts';
import { atMost } from './schemas.ts';
import { hasPlainHost, withScheme } from './text/web-address.ts';

const isAddress = z.refine<string>(isReachable, fault(rules.notEmail));

/** What input methods leave in a text that is to be of one form: full-width characters and white space around it are folded. */
const folded = (max: number) => [
  z.overwrite<string>((value) => value.trim()),
  // Marks to be sorted make folding a long text slow, and what is folded may be longer.
  atMost(max),
  z.overwrite<string>((value) => value.normalize('NFKC').trim()),
  atMost(max),
];

/** What a buyer typed for an address on the provider's page, folded likewise, whether or not a mail can reach it. */
export const reportedEmail = z.string().check(...folded(512), z.minLength(1));

/** At most 254 characters that a mail can reach, once it is folded: a local part of ASCII, with dots anywhere; a domain of any script with a dot. */
export const email = z
  .string()
  .check(...folded(254), isAddress)
  .register(z.globalRegistry, { format: 'email', maxLength: 254 });

/** Where a text around it ends a URI. */
const quotes = /["'`]/;

/** An http or https URI of at most 2,048 characters, without white space, quotes, backslashes or credentials; folded first; never fetched. */
export const webUri = z
  .string()
  .check(
    ...folded(2048),
    z.overwrite(withScheme),
    atMost(2048),
    z.refine((value) => hasPlainHost(value) && !quotes.test(value) && URL.canParse(value), {
      error: fault(rules.notWebUri),
      abort: true,
    }),
  )
  .register(z.globalRegistry, { format: 'uri', maxLength: 2048 });

/** A registration number as people write it: with dashes of any kind or spaces, its T in either case. May be empty; what is no number stays. */
export const foldedInvoiceNumber = z
  .string()
  .check(
    ...folded(100),
    z.overwrite((value) => value.replace(/[\p{Pd}\u2212\u30fc\s]/gu, '').replace(/^t/, 'T')),
  )
  .register(z.globalRegistry, { maxLength: 100 });
