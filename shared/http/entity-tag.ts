import { createHash } from 'node:crypto';

/** A strong entity tag: equal bodies have equal tags. */
export function entityTagOf(body: string): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}

/** Whether an If-None-Match header names the tag, weakly or not, or names any. */
export function isMatched(ifNoneMatch: string | undefined, tag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((entry) => entry.trim().replace(/^W\//, ''));
  return tags.includes(tag) || tags.includes('*');
}
