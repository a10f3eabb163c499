import { createHash } from 'node:crypto';
import { previewKey } from '../../db/keys.ts';
import { ifAbsent, type Table, type Write } from '../../db/table.ts';
import { Preview } from './preview.ts';

/** 32 random bytes, as base64url. */
const tokenForm = /^[A-Za-z0-9_-]{43}$/;

const keyOf = (token: string) => previewKey(createHash('sha256').update(token).digest('hex'));

export type PreviewRepository = ReturnType<typeof createPreviewRepository>;

/** Previews by their tokens, of which the table holds hashes alone. */
export function createPreviewRepository({ table, now = () => new Date() }: { table: Table; now?: (() => Date) | undefined }) {
  return {
    addPreview: (token: string, preview: Preview): Write => ({ put: { Item: { ...keyOf(token), ...preview }, ...ifAbsent } }),

    /** What the token opens now; undefined of one that has ended or never was. */
    async findPreview(token: string): Promise<Preview | undefined> {
      const item = tokenForm.test(token) ? await table.get(keyOf(token)) : undefined;
      const preview = item && Preview.parse(item);
      return preview && preview.expiresAt > now().toISOString() ? preview : undefined;
    },
  };
}
