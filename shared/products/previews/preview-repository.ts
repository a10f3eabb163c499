/** Previews by their tokens, of which the table holds hashes alone. */

import { createHash } from 'node:crypto';
import type { Needs } from '../../context.ts';
import { findItem } from '../../db/find-items.ts';
import { previewKey } from '../../db/keys.ts';
import { ifAbsent, type Write } from '../../db/table.ts';
import { Preview } from './preview.ts';

/** 32 random bytes, as base64url. */
const tokenForm = /^[A-Za-z0-9_-]{43}$/;

const keyOf = (token: string) => previewKey(createHash('sha256').update(token).digest('hex'));

export const addPreview = (token: string, preview: Preview): Write => ({ put: { Item: { ...keyOf(token), ...preview }, ...ifAbsent } });

/** The preview of a token; undefined if it expired or never existed. */
export async function findPreview(c: Needs<'table' | 'now'>, token: string): Promise<Preview | undefined> {
  const preview = tokenForm.test(token) ? await findItem(c.table, keyOf(token), Preview) : undefined;
  return preview && preview.expiresAt > c.now().toISOString() ? preview : undefined;
}
