import type { Html } from '../../shared/html.ts';

/** What a server of the local stack answers by itself. */
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
