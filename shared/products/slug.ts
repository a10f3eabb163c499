import { AppError } from '../errors.ts';

/** In Unicode code points. */
const maxLength = 80;

/** What a slug may hold between dashes: letters, marks and digits of any script. */
const words = /[\p{L}\p{M}\p{Nd}]+/gu;
const slugForm = /^[\p{L}\p{M}\p{Nd}]+(-[\p{L}\p{M}\p{Nd}]+)*$/u;

const wordsOf = (name: string): string[] => name.normalize('NFKC').toLowerCase().match(words) ?? [];

/** The slug that a product of this name reserves; empty when the name has neither letter nor digit. See "Slugs" in README.md */
export function slugOf(name: string): string {
  return [...wordsOf(name).join('-')].slice(0, maxLength).join('').replace(/-$/, '');
}

/** Whether a word of the name mixes Latin letters with Cyrillic or Greek ones, which look alike and so imitate another name. */
export function mixesScripts(name: string): boolean {
  return wordsOf(name).some((word) => /\p{Script=Latin}/u.test(word) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word));
}

/** Whether the text can be a slug at all; what cannot need not be looked up. */
export function isSlug(text: string): boolean {
  return text.length <= 2 * maxLength && [...text].length <= maxLength && slugForm.test(text);
}

/** How many slugs one product may hold. See "Slugs" in README.md */
const maxSlugs = 10;

/** The slugs of a product that needs this one; none is given up. @throws AppError too_many_slugs */
export function slugsWith(slugs: string[], slug: string): string[] {
  if (slugs.includes(slug)) return slugs;
  if (slugs.length >= maxSlugs) throw new AppError('too_many_slugs');
  return [...slugs, slug];
}
