import * as z from 'zod/mini';
import type { Html } from '../../shared/html.ts';
import { Reply } from '../../shared/http/endpoint.ts';
import type { Reader, ReaderOf } from './reader.ts';

/** Every page takes `?lang=`: the switch between languages is a plain link. */
export const pageQuery = { lang: z.optional(z.string()) };

export const pageSuccess = { status: 200, contentType: 'text/html; charset=utf-8' };

export function readerFor(
  { headers, query }: { headers: Record<string, string | undefined>; query: { lang?: string | undefined } },
  readerOf: ReaderOf,
): Reader {
  return readerOf(headers['accept-language'], query.lang);
}

/** A page; `shared` ones may be kept for a minute, as long as the product's own data. */
export function pageReply(page: Html, cache: 'shared' | 'never'): Reply {
  return new Reply(page, {
    headers: cache === 'shared' ? { 'Cache-Control': 'public, max-age=60', Vary: 'Accept-Language' } : { 'Cache-Control': 'no-store' },
  });
}

/** What a page of a product has besides, where its slug was written in another form. */
export const movedPage = { 308: { description: 'To the address of the page, with the same query.', bodiless: true } } as const;
/** What a page with a code has besides, where its caller has tried too many. */
export const rateLimitedPage = {
  429: { description: 'The page at the full price: the caller has tried too many discount codes to have another one looked at.' },
};

/** Leads to where a page is, which the presenter gives the query of the request. */
export const moved = (location: string) =>
  new Reply(undefined, { status: 308, headers: { Location: location, 'Cache-Control': 'public, max-age=60' } });

/** A page with a price for this caller alone; `wait`: seconds until a rate-limited caller may try a code again. */
export function privatePageReply(page: Html, wait: number | undefined): Reply {
  const reply = pageReply(page, 'never');
  return wait === undefined ? reply : new Reply(page, { status: 429, headers: { ...reply.headers, 'Retry-After': String(wait) } });
}

/** Sends a browser that posted a form on to a page, so that a reload posts nothing again. */
export const seeOther = (location: string) =>
  new Reply(undefined, { status: 303, headers: { Location: location, 'Cache-Control': 'no-store' } });
