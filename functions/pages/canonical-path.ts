import { canonicalSlug, isSlug } from '../../shared/products/slug.ts';

const pasted = '(?:[/.。]|%[eE]3%80%82)+$';
const fixedPage = new RegExp(`^(/(?:complete|receipt|manage|activate))${pasted}`);
const ofProduct = new RegExp(`^(/p/|/v1/public/products/)([^/]+)(/(?:releases|checkout|quote))?${pasted}`);

/** The path that is meant by one which leads nowhere for a slash or full stop behind it: of a page, or of a product in the interface. */
export function canonicalPathOf(path: string): string | undefined {
  const [, page] = fixedPage.exec(path) ?? [];
  if (page !== undefined) return page;
  const [, room, segment = '', more = ''] = ofProduct.exec(path) ?? [];
  const slug = canonicalSlug(decoded(segment));
  return room !== undefined && isSlug(slug) ? `${room}${encodeURIComponent(slug)}${more}` : undefined;
}

/** What is malformed names nothing. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
