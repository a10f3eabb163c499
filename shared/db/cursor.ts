import { invalidField } from '../faults/invalid-request.ts';
import * as rules from '../faults/rules.ts';

/** An opaque cursor meaning "after `position` in `list`". */
export function encodeCursor(list: string, position: string): string {
  return Buffer.from(`${list} ${position}`, 'utf8').toString('base64url');
}

/** @throws AppError invalid_request when the text is not a cursor of this list. */
export function decodeCursor(list: string, cursor: string): string {
  const decoded = Buffer.from(cursor, 'base64url').toString('utf8');
  const position = decoded.slice(list.length + 1);
  const wellFormed = /^[\x21-\x7e]{1,500}$/.test(position) && encodeCursor(list, position) === cursor;
  if (!wellFormed) throw invalidCursor();
  return position;
}

export const invalidCursor = () => invalidField('cursor', rules.foreignCursor);
