import { encodeTime, monotonicFactory } from 'ulid';
import * as z from 'zod/mini';
import { nonBlankText } from './schemas.ts';

/** Type prefixes of ids. To clients an id is an opaque text of at most 64 characters. */
const prefixes = {
  seller: 'sel',
  product: 'prd',
  file: 'fil',
  order: 'ord',
  license: 'lic',
  activation: 'act',
  batch: 'bat',
  endpoint: 'whe',
  release: 'rel',
  token: 'tok',
  discount: 'dis',
  event: 'evt',
  mail: 'mai',
  audit: 'aud',
} as const;

export type IdKind = keyof typeof prefixes;

/**
 * Text that names one thing of this kind. The brand keeps the kinds apart, so that
 * arguments that are swapped do not compile; whether the thing exists is known from the table only.
 */
export type Id<Kind extends IdKind> = string & z.core.$brand<Kind>;
export type SellerId = Id<'seller'>;
export type ProductId = Id<'product'>;
export type FileId = Id<'file'>;
export type OrderId = Id<'order'>;
export type LicenseId = Id<'license'>;
export type ActivationId = Id<'activation'>;
export type BatchId = Id<'batch'>;
export type EndpointId = Id<'endpoint'>;
export type ReleaseId = Id<'release'>;
export type TokenId = Id<'token'>;
export type DiscountId = Id<'discount'>;
export type EventId = Id<'event'>;

/** The schema of an id in a record, a message or a reply. */
export const idOf = <Kind extends IdKind>(kind: Kind) => z.string().brand(kind);

/** The schema of an id that a query filters by. A text of whatever form passes: what is no id names nothing. */
export const looseIdOf = <Kind extends IdKind>(kind: Kind) => nonBlankText(64).brand(kind);

// Loaded lazily: a bundle that creates no ids does not need the generator.
const ulid = /* @__PURE__ */ monotonicFactory();
const ulidForm = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** A new id, e.g. `sel_01K…`: sorts by creation time within one process. */
export function newId<Kind extends IdKind>(kind: Kind, now: Date = new Date()): Id<Kind> {
  const id = `${prefixes[kind]}_${ulid(now.getTime())}`;
  if (!isId(kind, id)) throw new Error('The id generator made something else.');
  return id;
}

/** The last id that could have been made before `at`: every id that is made from then on sorts after it. */
export function lastIdBefore<Kind extends IdKind>(kind: Kind, at: Date): Id<Kind> {
  const id = `${prefixes[kind]}_${encodeTime(Math.max(0, at.getTime() - 1), 10)}${'Z'.repeat(16)}`;
  if (!isId(kind, id)) throw new Error('The id generator made something else.');
  return id;
}

/** Whether `text` has the form of an id of this kind. Anything else cannot exist, so it need not be looked up. */
export function isId<Kind extends IdKind>(kind: Kind, text: string): text is Id<Kind> {
  const prefix = `${prefixes[kind]}_`;
  return text.startsWith(prefix) && ulidForm.test(text.slice(prefix.length));
}
