import { redact } from '../logging/logger.ts';

const patterns = [
  /\b[a-z][a-z0-9+.-]*:\/\//i, // any URL
  /\b(?:mailto|data):\S/i,
  /\bwww\.\S/i,
  /\b[\w-]+(?:\.[\w-]+)*\.[a-z]{2,24}\/\S/i, // a host and path without scheme
  /\bamazonaws\.com\b/i,
  /(?=[^\s]*\d)[0-9a-z]{5}(?:[-\s]+[0-9a-z]{5}){4,}/i, // a license key, perhaps typed with spaces
  /[A-Za-z0-9_+/=-]{32,}/, // a token, hash or secret
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/, // an access key id
];

/**
 * Whether a reason looks as if it held a license key, token, e-mail address or URL: reasons
 * are kept in the audit, which must hold none of them.
 */
export function looksSensitive(reason: string): boolean {
  const folded = reason
    .normalize('NFKC')
    .replace(/\p{Pd}/gu, '-')
    .replace(/\p{Cf}/gu, '');
  return redact(folded) !== folded || patterns.some((pattern) => pattern.test(folded));
}
