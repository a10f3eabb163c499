/** What the activation page makes of what people enter and of what the service answers, apart from the page itself. */

const maxKeyLength = 512;
const maxCodeLength = 4000;
const maxFileBytes = 64 * 1024;

/** The request code in a text, without the white space that pasting, mailing or printing put into it. */
export const requestCodeIn = (text: string): string => text.replaceAll(/[\s\p{White_Space}\p{Cf}]+/gu, '');

const isRequestCode = (code: string) => code.length <= maxCodeLength && /^LAR1\.[\w-]+$/.test(code);

/** What is wrong with the entries before anything is sent; the service looks closer. */
export function entryFaults(key: string, code: string): string[] {
  return [
    ...(key.trim() === '' ? ['license_key_missing'] : []),
    ...(key.length > maxKeyLength ? ['license_key_malformed'] : []),
    ...(code === '' ? ['request_code_missing'] : isRequestCode(code) ? [] : ['request_code_malformed']),
  ];
}

/** The text of a file, if it is a request code. Windows tools write UTF-16 and tell so in the first two bytes. */
export async function readRequestCode(file: Blob): Promise<string | undefined> {
  if (file.size > maxFileBytes) return undefined;
  const bytes = new Uint8Array(await file.arrayBuffer());
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
  const text = new TextDecoder(encoding).decode(bytes).trim();
  return isRequestCode(requestCodeIn(text)) ? text : undefined;
}

/** The faults that a failed request names. A message of the service begins each field's fault with the field's name. */
export function failureFaults({ code, message }: { code: string; message: string }): string[] {
  if (code === 'offline') return ['unreachable'];
  if (code !== 'invalid_request') return [code];
  const named = ['license_key', 'request_code']
    .filter((field) => message.split('; ').some((fault) => fault.startsWith(`${field} `)))
    .map((field) => `${field}_malformed`);
  // The form of a request code was looked at before it was sent.
  return named.length > 0 ? named : ['license_key_malformed'];
}

/** Until when a lease holds; undefined when this is none. */
export function leaseEndsAt(lease: string | undefined): Date | undefined {
  try {
    const claims = (lease ?? '').split('.')[1] ?? '';
    // Texts beyond ASCII come out wrong this way, but none is read here.
    const { exp } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')));
    return Number.isSafeInteger(exp) ? new Date(exp * 1000) : undefined;
  } catch {
    return undefined;
  }
}

/** The page's language as the reader writes it: day before month, or after it. */
export const readerLocale = (pageLanguage: string, preferred: readonly string[]): string =>
  preferred.find((tag) => tag.split('-')[0] === pageLanguage) ?? pageLanguage;

/** A moment with its date written out, in the time zone of this machine. */
export function momentInWords(moment: Date, locale: string): string {
  const date = { year: 'numeric', month: 'long', day: 'numeric' } as const;
  return new Intl.DateTimeFormat(locale, { ...date, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' }).format(moment);
}

/** How long to wait before the next try, in words: a minute when the service does not say. */
export function waitInWords(seconds: number, locale: string): string {
  const [unit, amount] = seconds > 0 && seconds < 60 ? ['second', seconds] : ['minute', Math.max(1, Math.ceil(seconds / 60))];
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(amount);
}
