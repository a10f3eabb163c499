import * as z from 'zod/mini';
import { Channel } from './versions/version.ts';

/** What the index says of a release. */
const IndexEntry = z.object({
  channel: Channel,
  /** That of the release; a reader who has this one need not read it again. */
  revision: z.int(),
  yanked: z.optional(z.literal(true)),
});

export type IndexEntry = z.infer<typeof IndexEntry>;

/** What a product's feeds must know before they read a release. */
export const ReleaseIndex = z.object({
  /** Counts every change of a published release. */
  revision: z.int(),
  /** How many releases there are, and how many of them were never published. */
  total: z.int(),
  unpublished: z.int(),
  /** Every release that was ever published, by version. */
  published: z.record(z.string(), IndexEntry),
});
export type ReleaseIndex = z.infer<typeof ReleaseIndex>;
