import * as z from 'zod/mini';
import { dateTime, shownUri } from '../schemas.ts';
import type { Links } from './addresses.ts';
import type { Candidate } from './catalog.ts';

/** What Tauri's updater reads of a server that is asked for one target. */
export const TauriUpdate = z.object({
  version: z.string(),
  url: shownUri,
  signature: z.string(),
  notes: z.string(),
  pubDate: dateTime,
});

export function writeTauriUpdate({ release, fulls: [full] }: Candidate, links: Links): z.infer<typeof TauriUpdate> | undefined {
  if (full?.minisignSignature === undefined) return undefined;
  const { version, notes, publishedAt } = release;
  return { version, url: links.fileOf(version, full), signature: full.minisignSignature, notes, pubDate: publishedAt };
}
