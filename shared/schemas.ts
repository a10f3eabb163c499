import * as z from 'zod/mini';
import { type Fault, fault } from './faults/fault.ts';
import * as rules from './faults/rules.ts';
import './zod-faults.ts';

/** Length in Unicode code points, as JSON Schema counts it. What has twice as many UTF-16 units is too long without counting. */
function isLonger(value: string, max: number): boolean {
  if (value.length <= max) return false;
  return value.length > 2 * max || [...value].length > max;
}

/**
 * At most `max` code points, or else validation ends here: what comes after it may trim,
 * normalize and match, and that may take long for a long text. Place it first.
 */
export const atMost = (max: number) =>
  z.refine<string>((value) => !isLonger(value, max), { error: fault(rules.tooLong, { max }), abort: true });

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

const keepsReading = () => z.refine<string>((value) => !/\p{Bidi_Control}/u.test(value), fault(rules.turnsReading));
const isOneLine = () => z.refine<string>((value) => !/\p{Cc}/u.test(value), fault(rules.holdsControls));
const isPlain = () => z.refine<string>((value) => !/[^\P{Cc}\t\r\n]/u.test(value), fault(rules.holdsControls));

/** As `text`, of one line: without control characters, and without marks that change its reading order. */
export const line = (max: number) => text(max).check(isOneLine(), keepsReading());

/** As `nonBlankText`, of one line: without control characters, and without marks that change its reading order. */
export const nonBlankLine = (max: number) => nonBlankText(max).check(isOneLine(), keepsReading());

/** As `line`, but of several lines, which tabs may indent. */
export const lines = (max: number) => text(max).check(isPlain(), keepsReading());

/** As `nonBlankLine`, but of several lines, which tabs may indent. */
export const nonBlankLines = (max: number) => nonBlankText(max).check(isPlain(), keepsReading());

/** As `line`; marks that change the reading order are dropped. */
export const lineWithoutBidi = (max: number) =>
  text(max).check(
    z.overwrite((value) => value.replace(/\p{Bidi_Control}/gu, '')),
    isOneLine(),
  );

/** Addresses in replies and in the table, where they are not validated again. */
export const storedEmail = /* @__PURE__ */ z.string().register(z.globalRegistry, { format: 'email' });
export const storedUri = /* @__PURE__ */ z.string().register(z.globalRegistry, { format: 'uri' });

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
export const dateTime = /* @__PURE__ */ z.iso.datetime({ precision: 3 });
