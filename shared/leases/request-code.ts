import * as z from 'zod/mini';
import { fault } from '../faults/fault.ts';
import * as rules from '../faults/rules.ts';
import { lineWithoutBidi, nonBlankText } from '../schemas.ts';

/** What an app sends to know its lease from an older one. */
export const leaseNonce = z.string().check(z.regex(/^[\w-]{1,128}$/, fault(rules.notNonce)));

/** The strings of a body are checked before its fields; this text is nested in another, so it is checked here. */
const wellFormed = z.refine<string>((value) => !value.includes('\0') && value.isWellFormed());

/** What a device without network says of itself. Members that are not known are ignored. */
const RequestCode = z.object({
  p: nonBlankText(64).check(wellFormed),
  d: nonBlankText(512).check(wellFormed),
  l: z.optional(lineWithoutBidi(100).check(wellFormed)),
  n: z.optional(leaseNonce),
});

/** What a request code stands for. */
export interface OfflineRequest {
  productId: string;
  deviceFingerprint: string;
  deviceLabel?: string | undefined;
  nonce?: string | undefined;
}

const prefix = 'LAR1.';
const maxSymbols = 4000;
/** As in license keys: no-break and zero-width spaces count too, since mail and chat programs insert them. */
const whiteSpace = /[\s\p{White_Space}\p{Cf}]+/gu;

/** Reads a request code, in which white space means nothing; undefined when it is none. See "Request codes" in README.md */
export function parseRequestCode(code: string): OfflineRequest | undefined {
  const symbols = code.replaceAll(whiteSpace, '');
  if (symbols.length > maxSymbols || !symbols.startsWith(prefix)) return undefined;
  const { data } = z.safeParse(RequestCode, parseJson(decode(symbols.slice(prefix.length))));
  return data && { productId: data.p, deviceFingerprint: data.d, deviceLabel: data.l, nonce: data.n };
}

/** Undefined when the text is not what encoding would have written, byte for byte. */
function decode(base64url: string): Buffer | undefined {
  const bytes = Buffer.from(base64url, 'base64url');
  return bytes.toString('base64url') === base64url ? bytes : undefined;
}

function parseJson(bytes: Buffer | undefined): unknown {
  if (!bytes) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
