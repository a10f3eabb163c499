import type { Links } from './addresses.ts';
import type { Candidate } from './catalog.ts';

/** What Tauri's updater reads of a server that is asked for one target. */
export function writeTauriUpdate({ release, fulls: [full] }: Candidate, links: Links): object | undefined {
  if (!full) return undefined;
  const { version, notes, publishedAt } = release;
  return { version, url: links.fileOf(version, full), signature: full.minisignSignature, notes, pubDate: publishedAt };
}
