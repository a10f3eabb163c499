import { AppError } from '../errors.ts';

/** In Unicode code points. */
const maxLength = 80;

/** What a slug may hold between dashes: letters, marks and digits of any script. */
const words = /[\p{L}\p{M}\p{Nd}]+/gu;
const slugForm = /^[\p{L}\p{M}\p{Nd}]+(-[\p{L}\p{M}\p{Nd}]+)*$/u;

/** What nobody sees would tell names apart that look alike. It goes first: it keeps a letter and its mark from becoming one. */
const unseen = /\p{Default_Ignorable_Code_Point}/gu;

const wordsOf = (name: string): string[] => name.replace(unseen, '').normalize('NFKC').toLowerCase().match(words) ?? [];

/** The slug that a product of this name reserves; empty when the name has neither letter nor digit. See "Slugs" in README.md */
export function slugOf(name: string): string {
  return [...wordsOf(name).join('-')].slice(0, maxLength).join('').replace(/-$/, '');
}

/** What may not stand in one word with Latin letters: all but Chinese, Japanese and Korean, which no one takes for them, and what has no script of its own. */
const foreignToLatin =
  /[^\p{scx=Latin}\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{Script=Common}\p{Script=Inherited}\p{Nd}]/u;

/** Whether a word of the name mixes Latin letters with those of a script that may look alike, and so may imitate another name. */
export function mixesScripts(name: string): boolean {
  return wordsOf(name).some((word) => /\p{Script=Latin}/u.test(word) && foreignToLatin.test(word));
}

/** Whether the text can be a slug at all; what cannot need not be looked up. */
export function isSlug(text: string): boolean {
  return text.length <= 2 * maxLength && [...text].length <= maxLength && slugForm.test(text);
}

/** Where the public page of a product is, below the base address of the service. */
export const productPath = (slug: string) => `/p/${encodeURIComponent(slug)}`;
/** The page of its releases. */
export const releasesPath = (slug: string) => `${productPath(slug)}/releases`;

/** How many slugs one product may hold. See "Slugs" in README.md */
const maxSlugs = 10;

/** The slugs of a product that needs this one; none is given up. @throws AppError too_many_slugs */
export function slugsWith(slugs: string[], slug: string): string[] {
  if (slugs.includes(slug)) return slugs;
  if (slugs.length >= maxSlugs) throw new AppError('too_many_slugs');
  return [...slugs, slug];
}
