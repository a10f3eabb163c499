import { monotonicFactory } from 'ulid';

/** Type prefixes of our ids. Source: decisions.md §1. */
const prefixes = {
  seller: 'sel',
  product: 'prd',
  file: 'fil',
  order: 'ord',
  license: 'lic',
  activation: 'act',
  batch: 'bat',
  mail: 'mai',
  audit: 'aud',
} as const;

export type IdKind = keyof typeof prefixes;

const ulid = monotonicFactory();
const ulidForm = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** A new id, e.g. `sel_01K…`: sorts by creation time within one process. */
export function newId(kind: IdKind, now: Date = new Date()): string {
  return `${prefixes[kind]}_${ulid(now.getTime())}`;
}

/** Whether `text` has the form of an id of this kind. Anything else cannot exist, so it need not be looked up. */
export function isId(kind: IdKind, text: string): boolean {
  const prefix = `${prefixes[kind]}_`;
  return text.startsWith(prefix) && ulidForm.test(text.slice(prefix.length));
}
