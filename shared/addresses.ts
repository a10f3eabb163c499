import * as z from 'zod/mini';
import { fault } from './faults/fault.ts';
import * as rules from './faults/rules.ts';
import { atMost } from './schemas.ts';

const addressForm = /^[^\s@"(),:;<>[\\\]\p{C}]{1,64}@[^\s@"(),:;<>[\\\]\p{C}.][^\s@"(),:;<>[\\\]\p{C}]*\.[^\s@"(),:;<>[\\\]\p{C}.]+$/u;

const isAddress = z.refine<string>((value) => addressForm.test(value), fault(rules.notEmail));

/** At most 254 characters, one `@`, a domain with a dot, no white space. */
export const email = z.string().check(atMost(254), isAddress).register(z.globalRegistry, { format: 'email', maxLength: 254 });

/** The same as a buyer types it: full-width characters and white space around it, which input methods leave, are folded first. */
export const buyerEmail = z
  .string()
  .check(
    z.overwrite((value) => value.trim()),
    // Marks to be sorted make folding a long text slow, and what is folded may be longer.
    atMost(254),
    z.overwrite((value) => value.normalize('NFKC').trim()),
    atMost(254),
    isAddress,
  )
  .register(z.globalRegistry, { format: 'email', maxLength: 254 });

/** What a URI is not shown with: it would pose as another, or as several. */
const misleading = /[\s\p{Cc}\p{Bidi_Control}"'`\\]/u;

/** An http or https URI of at most 2,048 characters, without white space, quotes, backslashes or credentials; never fetched. */
export const webUri = z
  .string()
  .check(
    atMost(2048),
    z.refine((value) => /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(value) && !misleading.test(value) && URL.canParse(value), {
      error: fault(rules.notWebUri),
      abort: true,
    }),
  )
  .register(z.globalRegistry, { format: 'uri', maxLength: 2048 });
