import * as z from 'zod/mini';
import { type Fault, fault, type PlainRule } from './faults/fault.ts';
import * as rules from './faults/rules.ts';

/** What a field was to be, in the words of JSON; nothing else is sent. */
const typeRules = new Map<string, PlainRule>([
  ['string', rules.notText],
  ['number', rules.notNumber],
  ['int', rules.notWhole],
  ['boolean', rules.notBoolean],
  ['array', rules.notList],
  ['object', rules.notObject],
  ['record', rules.notObject],
]);

/** The rule that a field breaks, by the code of zod's issue; checks of our own name theirs. */
function faultOf(issue: z.core.$ZodRawIssue): Fault {
  switch (issue.code) {
    case 'invalid_type':
      return fault(issue.input === undefined ? rules.missing : (typeRules.get(issue.expected) ?? rules.otherType));
    case 'invalid_value':
      if (issue.input === undefined) return fault(rules.missing);
      return issue.values.length > 1
        ? fault(rules.notOneOf, { values: issue.values.join(', ') })
        : fault(rules.otherValue, { value: String(issue.values[0]) });
    case 'invalid_format':
      return fault(issue.format === 'datetime' ? rules.notTime : rules.otherForm);
    case 'too_big':
      return issue.exact ? otherSize(issue.origin, issue.maximum) : tooBig(issue.origin, issue.maximum);
    case 'too_small':
      return issue.exact ? otherSize(issue.origin, issue.minimum) : tooSmall(issue.origin, issue.minimum);
    case 'not_multiple_of':
      return fault(rules.notMultiple, { step: issue.divisor });
    case 'unrecognized_keys':
      return fault(rules.otherMembers);
    default:
      return fault(rules.otherShape);
  }
}

const tooBig = (origin: string, max: number | bigint) =>
  fault(origin === 'string' ? rules.tooLong : origin === 'array' ? rules.tooMany : rules.tooLarge, { max });

const tooSmall = (origin: string, min: number | bigint) =>
  fault(origin === 'string' ? rules.tooShort : origin === 'array' ? rules.tooFew : rules.tooSmall, { min });

function otherSize(origin: string, size: number | bigint): Fault {
  if (origin === 'string') return fault(rules.otherLength, { length: size });
  return origin === 'array' ? fault(rules.otherCount, { count: size }) : fault(rules.otherNumber, { number: size });
}

z.config({ localeError: faultOf });

/** Length in Unicode code points, as JSON Schema counts it. What has twice as many UTF-16 units is too long without counting. */
function isLonger(value: string, max: number): boolean {
  if (value.length <= max) return false;
  return value.length > 2 * max || [...value].length > max;
}

/**
 * At most `max` code points, or else validation ends here: what comes after it may trim,
 * normalize and match, and that may take long for a long text. Place it first.
 */
const atMost = (max: number) => z.refine<string>((value) => !isLonger(value, max), { error: fault(rules.tooLong, { max }), abort: true });

/** A string of at most `max` code points; may be empty. */
export const text = (max: number) => z.string().check(atMost(max)).register(z.globalRegistry, { maxLength: max });

/** A string of at most `max` code points that is not blank. */
export const nonBlankText = (max: number) =>
  z
    .string()
    .check(
      atMost(max),
      z.refine((value) => value.trim() !== '', { error: fault(rules.blank), abort: true }),
    )
    .register(z.globalRegistry, { minLength: 1, maxLength: max });

const oneLine = z.refine<string>((value) => !/\p{Bidi_Control}/u.test(value), fault(rules.turnsReading));

/** As `text`, shown on one line: without marks that change its reading order. */
export const line = (max: number) => text(max).check(oneLine);

/** As `nonBlankText`, shown on one line: without marks that change its reading order. */
export const nonBlankLine = (max: number) => nonBlankText(max).check(oneLine);

/** As `text`; marks that change the reading order are dropped. */
export const lineWithoutBidi = (max: number) => text(max).check(z.overwrite((value) => value.replace(/\p{Bidi_Control}/gu, '')));

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

/** The same in replies and in the table, where it is not validated again. */
export const storedEmail = z.string().register(z.globalRegistry, { format: 'email' });
export const storedUri = z.string().register(z.globalRegistry, { format: 'uri' });

/** The number of an issuer of qualified invoices in Japan; its check digit is not looked at. */
export const invoiceNumber = z.string().check(z.regex(/^T[0-9]{13}$/, fault(rules.notInvoiceNumber)));
/** The same, or empty for none. */
export const optionalInvoiceNumber = z.string().check(z.regex(/^(T[0-9]{13})?$/, fault(rules.notInvoiceNumberOrNone)));

/**
 * A rule between fields of an object: what is wrong with the last of them. It runs once these fields are valid by
 * themselves, regardless of others, so that the sender sees all faults at once.
 */
export const crossFieldRule = <Value extends object>(
  fields: readonly (keyof Value & string)[],
  faultIn: (value: Value) => Fault | undefined,
) =>
  z.check<Value>(
    ({ value, issues }) => {
      const message = faultIn(value);
      if (message !== undefined) issues.push({ code: 'custom', input: value, path: fields.slice(-1), message });
    },
    { when: ({ issues }) => issues.every(({ path = [] }) => path.length > 0 && fields.every((field) => field !== path[0])) },
  );

/** In a review: a text that some decisions require. */
export const requiredFor = <Field extends string>(field: Field, ...decisions: string[]) =>
  crossFieldRule<{ decision: string } & { [Name in Field]?: string | undefined }>(['decision', field], ({ decision, [field]: text }) =>
    decisions.includes(decision) && !text?.trim() ? fault(rules.missingForDecision, { decisions: decisions.join(' or ') }) : undefined,
  );

/** How many devices of a license may be active at once. */
export const activationLimit = z.int().check(z.minimum(1), z.maximum(100_000));

/**
 * A time in a request: ISO 8601 in UTC, or with any offset, in any precision; kept in that of `dateTime`. What an offset moves
 * out of the years of four digits is no time.
 */
export const requestTime = ({ offset }: { offset: boolean }) =>
  z.pipe(
    z.iso.datetime({ offset }).check(z.maxLength(64)),
    z.pipe(
      z.transform((time: string) => new Date(time).toISOString()),
      z.string().check(z.regex(/^\d{4}-/, fault(rules.notTime))),
    ),
  );

/** ISO 8601 UTC with milliseconds. */
export const dateTime = z.iso.datetime({ precision: 3 });

/** Query parameters of every list. See "Lists" in shared/http/README.md. */
export const pageQuery = {
  limit: z._default(
    z
      .pipe(
        z.string().check(z.regex(/^([1-9]\d?|100)$/, fault(rules.notWholeWithin, { min: 1, max: 100 }))),
        z.transform((value: string) => Number(value)),
      )
      .register(z.globalRegistry, { type: 'integer', minimum: 1, maximum: 100 }),
    50,
  ),
  cursor: z.optional(nonBlankText(1024)),
};

/** `{items, next_cursor?}` */
export const pageOf = <Item extends z.core.$ZodType>(item: Item) => z.object({ items: z.array(item), nextCursor: z.optional(z.string()) });
