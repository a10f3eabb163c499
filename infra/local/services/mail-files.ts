import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { replaceFile } from '../durable-file.ts';

const Mail = z.object({
  from: z.optional(z.string()),
  reply_to: z.optional(z.string()),
  to: z.string(),
  subject: z.string(),
  headers: z.optional(z.record(z.string(), z.string())),
  text: z.string(),
  html: z.string(),
  sent_at: z.string(),
});
export type Mail = z.infer<typeof Mail>;

/** Where mails are kept, in the order of their ids. */
export interface MailFiles {
  keep(id: string, mail: Mail): Promise<void>;
  /** Every mail, newest last. */
  list(): Promise<Mail[]>;
}

/** Each mail as a file in `directory`, else in memory. */
export async function openMailFiles(directory: string | undefined): Promise<MailFiles> {
  if (directory === undefined) {
    const mails: Mail[] = [];
    return { keep: async (_, mail) => void mails.push(mail), list: async () => mails };
  }
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return {
    keep: (id, mail) => replaceFile(join(directory, `${id}.json`), JSON.stringify(mail)),
    async list() {
      const files = (await readdir(directory)).filter((file) => file.endsWith('.json')).sort();
      return Promise.all(files.map(async (file) => z.parse(Mail, JSON.parse(await readFile(join(directory, file), 'utf8')))));
    },
  };
}
