import { AppError } from '../errors.ts';
import { wordsOf } from '../text/words.ts';

/** In Unicode code points. */
const maxLength = 80;

const slugForm = /^[\p{L}\p{M}\p{Nd}]+(-[\p{L}\p{M}\p{Nd}]+)*$/u;

/** The slug that a product of this name reserves; empty when the name has neither letter nor digit. See "Slugs" in names.md */
export function slugOf(name: string): string {
  return [...wordsOf(name).join('-')].slice(0, maxLength).join('').replace(/-$/, '');
}

/** Whether the text can be a slug at all; what cannot need not be looked up. */
export function isSlug(text: string): boolean {
  return text.length <= 2 * maxLength && [...text].length <= maxLength && slugForm.test(text);
}

/** The slug that is meant by one that was pasted: composed, and without the slash or full stop behind it. See "Slugs" in names.md */
export const canonicalSlug = (text: string): string => text.normalize('NFC').replace(/[/.。]+$/, '');

/** Where the public page of a product is, below the base address of the service. */
export const productPath = (slug: string) => `/p/${encodeURIComponent(slug)}`;
/** The page of its releases. */
export const releasesPath = (slug: string) => `${productPath(slug)}/releases`;

/** How many slugs one product may hold. See "Slugs" in names.md */
const maxSlugs = 10;

/** The slugs of a product that needs this one; none is given up. @throws AppError too_many_slugs */
export function withSlug(slugs: string[], slug: string): string[] {
  if (slugs.includes(slug)) return slugs;
  if (slugs.length >= maxSlugs) throw new AppError('too_many_slugs');
  return [...slugs, slug];
}
