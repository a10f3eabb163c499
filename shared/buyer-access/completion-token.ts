import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose';
import * as z from 'zod/mini';
import type { Keyring } from '../crypto/keyring.ts';
import { AppError } from '../errors.ts';
import { invalidField } from '../faults/invalid-request.ts';
import * as rules from '../faults/rules.ts';
import { idOf, type OrderId } from '../ids.ts';
import type { Locale } from '../locale.ts';

/**
 * The buyer's completion token: a JWS that gives access to one order.
 *
 * `mail` goes into mails, `redirect` into the checkout's success URL, `admin` to an admin.
 * See "Completion tokens" in README.md
 */
const Claims = z.object({
  sub: idOf('order'),
  use: z.enum(['mail', 'redirect', 'admin']),
  exp: z.number(),
  /** Of a token in a mail: how often the order's address had been corrected; absent: never. */
  gen: z.optional(z.int()),
});

export interface CompletionToken {
  orderId: OrderId;
  use: 'mail' | 'redirect' | 'admin';
  expiresAt: Date;
  /** Of a token in a mail: the order's `emailGeneration`. */
  emailGeneration?: number | undefined;
}

const type = 'completion+jwt';
const minutes = 60_000;

/** Milliseconds a token of each use lives; a redirect token also ends 15 minutes after payment. */
export const tokenLifetimes = {
  mail: 24 * 60 * minutes,
  admin: 15 * minutes,
  redirectAfterSession: 60 * minutes,
  redirectAfterPayment: 15 * minutes,
};

/** The buyer's page, in a language if one was chosen; a tab that it was opened in keeps its token. */
export const completionPageUrl = (publicBaseUrl: string, lang?: Locale) =>
  `${publicBaseUrl}/complete${lang === undefined ? '' : `?lang=${lang}`}`;

/** The same with a token, in the fragment, which no server ever sees. */
export const completionUrl = (publicBaseUrl: string, token: string, lang?: Locale) =>
  `${completionPageUrl(publicBaseUrl, lang)}#token=${token}`;

/** The URL of the receipt alone, for someone who may see nothing else. */
export const receiptUrl = (publicBaseUrl: string, token: string) => `${publicBaseUrl}/receipt#token=${token}`;

/** The same arguments give the same token, so that a repeated checkout request stays the same request. */
export function mintCompletionToken(token: CompletionToken, issuedAt: Date, keys: Keyring): Promise<string> {
  const seconds = (at: Date) => Math.floor(at.getTime() / 1000);
  return new SignJWT({ use: token.use, gen: token.emailGeneration })
    .setProtectedHeader({ alg: 'HS256', kid: keys.current.version, typ: type })
    .setSubject(token.orderId)
    .setIssuedAt(seconds(issuedAt))
    .setExpirationTime(seconds(token.expiresAt))
    .sign(keys.current.secret);
}

/** What stands around a token that was pasted is none of it. @throws AppError invalid_request, completion_token_invalid, completion_token_expired */
export async function verifyCompletionToken(text: string, now: Date, keys: Keyring): Promise<CompletionToken> {
  const [, token = ''] = pastedToken.exec(text) ?? [];
  const { kid = '' } = headerOf(token);
  const key = keys.find(kid);
  if (!key) throw new AppError('completion_token_invalid');
  try {
    const { payload } = await jwtVerify(token, key.secret, { algorithms: ['HS256'], typ: type, currentDate: now });
    const { sub, use, exp, gen } = Claims.parse(payload);
    return { orderId: sub, use, expiresAt: new Date(exp * 1000), emailGeneration: gen };
  } catch (error) {
    throw new AppError(error instanceof errors.JWTExpired ? 'completion_token_expired' : 'completion_token_invalid');
  }
}

/** Behind it may be full stops, and whatever no token has. */
const pastedToken = /^\s*([\w-]+\.[\w-]+\.[\w-]*)\.*(?![\w.-])/;

function headerOf(token: string): { kid?: string } {
  try {
    if (token !== '') return decodeProtectedHeader(token);
  } catch {
    // The header is not JSON: refused below, like every other wrong form.
  }
  throw invalidField('token', rules.notCompletionToken);
}
