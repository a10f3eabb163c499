/**
 * License keys: `<prefix>-` and five groups of five symbols, 23 random ones (115 bits)
 * and two check symbols. See "License keys" in shared/licenses/keys.md
 */

/** Crockford's base 32: no I, L, O, U. */
export const keyAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const randomSymbols = 23;
const prefixForm = /^[A-Z0-9]{1,12}$/;
const generatedForm = /^.{1,12}[0-9A-HJKMNP-TV-Z]{25}$/su;
const wellFormed = /^[0-9A-Z]{1,12}[0-9A-HJKMNP-TV-Z]{25}$/;
const fewestSymbols = 26;
const plainForm = /^[ -~]*$/;
const incompleteForm = /^[0-9A-HJKMNP-TV-Z]{10,25}$/;
/** White space, invisible characters, dashes and what input methods write for one, and quotes, brackets and full stops outside ASCII. */
const separators = /[\s\p{White_Space}\p{Cf}\p{Pd}\u2212\u30fc\uff70[[\p{Quotation_Mark}\p{Ps}\p{Pe}\p{Sentence_Terminal}]--\p{ASCII}]]/gv;
/** Imported codes may have these; around a key that was copied they are none of it. */
const punctuation = /["'`()[\]{}<>.,_]/g;
/** A key as it is written, from the beginning of whichever word. */
const writtenForm = /(?<![0-9A-Z])(?=([0-9A-Z]{1,12}(?:[^\p{L}\p{N}]+[0-9A-HJKMNP-TV-Z]{5}){5})(?![0-9A-Z]))/gu;
const wordForm = /(?<![0-9A-Z])([0-9A-Z]{26,37})(?![0-9A-Z])/g;
/** A key that was pasted again right behind itself, with what stands between its symbols. */
const pastedAgain = /(.{26,60})\1+/g;

/**
 * A new key. `prefix` is 1–12 of A–Z and 0–9; `randomBytes` gives cryptographically random bytes.
 *
 * @throws Error when the prefix has another form.
 */
export function generateLicenseKey(prefix: string, randomBytes: (size: number) => Uint8Array): string {
  if (!prefixForm.test(prefix)) {
    throw new Error('A license key prefix is 1–12 of A–Z and 0–9.');
  }
  // A byte has 8 × 32 values, so its lowest five bits are as random as the byte.
  const drawn = [...randomBytes(randomSymbols)].map((byte) => symbolOf(byte % 32)).join('');
  const missing = (modulus - (remainderOf(`${normalizeLicenseKey(prefix)}${drawn}00`) ?? 0)) % modulus;
  const symbols = `${drawn}${symbolOf(Math.floor(missing / 32))}${symbolOf(missing % 32)}`;
  return [prefix, ...(symbols.match(/.{5}/g) ?? [])].join('-');
}

/**
 * The one form of a key under which it is issued and imported: letter case, width, white
 * space, invisible characters, dashes, punctuation outside ASCII, and O, I and L for 0 and 1
 * make no difference. Letters of other scripts that only look alike stay what they are.
 */
export function normalizeLicenseKey(key: string): string {
  // Most keys are plain, and for them this comes to the same.
  if (plainForm.test(key)) return withoutAlikes(key.toUpperCase().replace(/[- ]/g, ''));
  return withoutAlikes(key.normalize('NFKC').toUpperCase().replace(separators, ''));
}

/**
 * The forms under which a key that somebody typed is looked up: as it was typed, then without
 * what may not belong to it, then the one generated key that the text has in it.
 */
export function lookupFormsOf(text: string): readonly [typed: string, ...others: string[]] {
  const typed = normalizeLicenseKey(text);
  const others = [typed.replace(punctuation, '')];
  if (typed.length >= fewestSymbols && !isWellFormed(typed)) others.push(...keyIn(readingsOf(text)));
  return [typed, ...new Set(others.filter((form) => form !== typed))];
}

/** Whether a typed text that is unknown is no whole key: mistyped, cut short, or with other than one key in it. */
export function isMalformedKeyText(text: string): boolean {
  const readings = readingsOf(text);
  const [written, pieces] = readings;
  const bare = normalizeLicenseKey(text).replace(punctuation, '');
  return keyIn(readings).length === 0 && [bare, ...written, ...pieces].some((form) => isMalformedLicenseKey(form) || isWellFormed(form));
}

/** What in a text may be a generated key, normalized: what is written as one or is one word; what stands together; all of it. */
function readingsOf(text: string): [written: string[], pieces: string[], whole: string[]] {
  const upper = withoutAlikes(
    text
      .normalize('NFKC')
      .toUpperCase()
      .replace(/\p{Cf}/gu, ''),
  );
  const once = upper.replace(separators, '-').replace(pastedAgain, '$1');
  const written = [...once.matchAll(writtenForm), ...once.matchAll(wordForm)].map(([, key = '']) => key);
  const symbolsOf = (reading: string) => reading.replace(/[^0-9A-Z]/g, '');
  return [written.map(symbolsOf), once.split(/[^0-9A-Z-]+/).map(symbolsOf), [symbolsOf(once)]];
}

/** The key in the surest of the readings that have any; none where they have several. */
function keyIn(readings: string[][]): string[] {
  const [keys = []] = readings.map((some) => [...new Set(some.filter(isWellFormed))]).filter((some) => some.length > 0);
  return keys.length === 1 ? keys : [];
}

const isWellFormed = (normalizedKey: string) => wellFormed.test(normalizedKey) && remainderOf(normalizedKey) === 0;

const withoutAlikes = (key: string) => key.replaceAll('O', '0').replace(/[IL]/g, '1');

/** Whether a license may have this normalized key, be it generated or imported. */
export function isPossibleKey(normalizedKey: string): boolean {
  return /^[!-~]{8,128}$/.test(normalizedKey);
}

/** Whether a normalized key that is unknown has the form of a generated one but not its check symbols, or only a part of it. */
export function isMalformedLicenseKey(normalizedKey: string): boolean {
  return incompleteForm.test(normalizedKey) || (generatedForm.test(normalizedKey) && remainderOf(normalizedKey) !== 0);
}

/** The last four symbols, in the spelling of the key: enough to tell one's own keys apart. */
export function licenseKeyHint(key: string): string {
  return [...key.replace(separators, '')].slice(-4).join('');
}

/**
 * The largest prime that two symbols can hold. A key is valid when, read as a number of
 * base 32, it is divisible by it. Replacing a symbol changes the number by d·32^k, and
 * swapping neighbours by 31·d·32^k, with 0 < |d| ≤ 32: never a multiple of the prime.
 */
const modulus = 1021;

/** A prefix may hold a U, which the alphabet of the groups leaves out. */
const symbolValues = new Map([...keyAlphabet, 'U'].map((symbol, value) => [symbol, value]));

function remainderOf(normalizedKey: string): number | undefined {
  let remainder = 1;
  for (const symbol of normalizedKey) {
    const value = symbolValues.get(symbol);
    if (value === undefined) return undefined;
    remainder = (remainder * 32 + value) % modulus;
  }
  return remainder;
}

function symbolOf(value: number): string {
  return keyAlphabet.charAt(value);
}
