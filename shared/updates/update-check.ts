import * as z from 'zod/mini';
import { Artifact } from '../releases/artifacts/artifact.ts';
import { dateTime, storedUri } from '../schemas.ts';
import type { Candidate } from './catalog/catalog.ts';
import type { UpdateChoice } from './catalog/choose-updates.ts';
import type { FeedLinks } from './feeds/feed-addresses.ts';
import { updateCodes } from './update-codes.ts';

/** A file of an update, and where it is downloaded. */
const OfferedArtifact = z.extend(z.omit(Artifact, { fileId: true, available: true }), { url: storedUri });

/** The answer to an app that asks by itself. */
export const UpdateCheck = z.object({
  code: z.enum(updateCodes),
  updatesUntil: z.optional(dateTime),
  /** The version that asks was taken back. */
  currentYanked: z.optional(z.literal(true)),
  update: z.optional(
    z.object({
      version: z.string(),
      notes: z.string(),
      critical: z.boolean(),
      publishedAt: dateTime,
      artifacts: z.array(OfferedArtifact),
    }),
  ),
  upgrade: z.optional(z.object({ version: z.string(), url: storedUri })),
});
export type UpdateCheck = z.infer<typeof UpdateCheck>;

/** What a check says of the offers: the highest with all that there is for its target, and what an upgrade would bring. */
export function describeUpdates(
  { offered: [best], upgrade }: Pick<UpdateChoice, 'offered' | 'upgrade'>,
  links: FeedLinks,
): Pick<UpdateCheck, 'update' | 'upgrade'> {
  return {
    ...(best && { update: describeUpdate(best, links) }),
    ...(upgrade && { upgrade: { version: upgrade.release.version, url: links.releasesUrl } }),
  };
}

function describeUpdate({ release, fullPackages }: Candidate, links: FeedLinks): UpdateCheck['update'] {
  const { version, notes, critical, publishedAt } = release;
  const [full] = fullPackages;
  const artifacts = release.artifacts
    .filter(({ available, platform, arch }) => available && platform === full?.platform && arch === full.arch)
    .map((artifact) => ({ ...artifact, url: links.fileUrl(version, artifact) }));
  return { version, notes, critical, publishedAt, artifacts };
}
