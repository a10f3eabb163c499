import type { Html } from '../../../shared/html.ts';
import { ProviderError } from './objects/provider-error.ts';

export interface HttpRequest {
  method: string;
  path: string;
  query: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  /** Where the hosted pages are. */
  baseUrl: string;
}

export interface HttpReply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export const jsonReply = (body: object, status = 200): HttpReply => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  body: `${JSON.stringify(body, null, 2)}\n`,
});

export const pageReply = (page: Html, status = 200): HttpReply => ({
  status,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    // No form-action: a form's redirect leads to the seller's page, which is another origin.
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
    'Referrer-Policy': 'no-referrer',
  },
  body: String(page),
});

/** A header holds ASCII alone, so an address goes there as a browser would send it; of a path only the letters that do not fit change. */
export const redirectTo = (location: string): HttpReply => ({
  status: 303,
  headers: { Location: URL.parse(location)?.href ?? location.toWellFormed().replace(/[^\x21-\x7e]/gu, encodeURIComponent) },
  body: '',
});

/** The refusal that `error` is; anything else is a fault of the fake provider, written to standard error. */
export function refusalIn(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  process.stderr.write(`fake payment provider: ${error instanceof Error ? error.stack : String(error)}\n`);
  return new ProviderError(500, 'The fake provider failed; its standard error says why.');
}
