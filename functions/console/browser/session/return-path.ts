import { isLocale } from '../../../../shared/locale.ts';

/** Where the role of this page works. */
export interface Place {
  /** The path of its first screen. */
  home: string;
  /** The path that the issuer leads back to. */
  callback: string;
  /** Whether a path is that of one of its screens. */
  isScreen(path: string): boolean;
}

/**
 * The path that a tab comes back to after signing in: that of a screen of the role, else its home.
 * Of the rest of the address only the language survives, and `returned` of whoever comes back to `/console/seller`.
 */
export function returnPath(address: string, { home, isScreen }: Place): string {
  const [, path = '', query = ''] = /^(?:https?:\/\/[^/?#\\]*)?(\/[^?#]*)(?:\?([^#]*))?/i.exec(address) ?? [];
  const asked = path === `${home}/` ? home : path;
  if (!isOurs(asked) || !isScreen(asked)) return home;
  const given = new URLSearchParams(query);
  const kept = new URLSearchParams();
  const language = given.get('lang') ?? undefined;
  if (isLocale(language)) kept.set('lang', language);
  const returned = given.get('returned');
  if (asked === '/console/seller' && returned !== null && /^\w{0,20}$/.test(returned)) kept.set('returned', returned);
  const rest = kept.toString();
  return rest === '' ? asked : `${asked}?${rest}`;
}

const isOurs = (path: string) =>
  (path === '/console' || path.startsWith('/console/')) && path.split('/').slice(2).every(isOneSegment) && isEncoded(path);

/** The router throws at what no address can hold: half a character, say. */
function isEncoded(path: string): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}

/** Encoded slashes could become real ones further on, and dots lead upwards. */
const isOneSegment = (segment: string) => /^[\w.~!$&'()*+,;=:@%-]{1,300}$/.test(segment) && !/^(\.|%2e)+$|%(2f|5c|0|1|7f)/i.test(segment);
