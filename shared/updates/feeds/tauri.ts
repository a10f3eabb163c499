import * as z from 'zod/mini';
import { dateTime, storedUri } from '../../schemas.ts';
import type { Candidate } from '../catalog/catalog.ts';
import type { FeedLinks } from './feed-addresses.ts';

/** What Tauri's updater reads of a server that is asked for one target. */
export const TauriUpdate = z.object({
  version: z.string(),
  url: storedUri,
  signature: z.string(),
  notes: z.string(),
  pubDate: dateTime,
});

export function writeTauriUpdate({ release, fullPackages: [full] }: Candidate, links: FeedLinks): z.infer<typeof TauriUpdate> | undefined {
  if (full?.minisignSignature === undefined) return undefined;
  const { version, notes, publishedAt } = release;
  return { version, url: links.fileUrl(version, full), signature: full.minisignSignature, notes, pubDate: publishedAt };
}
