import * as z from 'zod/mini';
import { fault, faultOf } from '../faults/fault.ts';
import { invalidRequest } from '../faults/invalid-request.ts';
import * as rules from '../faults/rules.ts';
import { looseIdOf } from '../ids.ts';
import { crossFieldRule, line, nonBlankLine, nonBlankLines, requestTime, text } from '../schemas.ts';
import { artifactTarget, Bundle, Feed, StoredArtifact } from './artifacts/artifact.ts';
import { ReleaseRecord } from './release.ts';
import { Channel, dottedNumbers, version } from './versions/version.ts';
import { isStableVersion } from './versions/version-form.ts';

/** What a seller says of one file of a release. */
export const ArtifactRequest = z.object({
  fileId: looseIdOf('file'),
  ...artifactTarget,
  feeds: z.optional(z.array(Feed).check(z.maxLength(20))),
  build: z.optional(dottedNumbers),
  minimumOs: z.optional(dottedNumbers),
  fromVersion: z.optional(version),
  packageId: z.optional(nonBlankLine(500)),
  blockMapSize: z.optional(z.int().check(z.minimum(1))),
  bundle: z.optional(Bundle),
  ed25519Signature: z.optional(nonBlankLine(500)),
  minisignSignature: z.optional(nonBlankLine(500)),
});

const percent = z.int().check(z.minimum(0), z.maximum(100));

/**
 * What a seller sends to make or edit a draft: `version` alone says which; the others may be left out where there is a
 * draft of that version, and what is given takes the place of what it has.
 */
export const ReleaseRequest = z
  .object({
    version,
    channel: z.optional(Channel),
    notes: z.optional(text(20_000)),
    critical: z.optional(z.boolean()),
    publishOnApproval: z.optional(z.boolean()),
    rolloutPercent: z.optional(percent),
    requiresFeatures: z.optional(z.array(line(64).check(z.minLength(1))).check(z.maxLength(10))),
    coveredAt: z.optional(requestTime({ offset: true })),
    artifacts: z.optional(z.array(ArtifactRequest).check(z.maxLength(40))),
  })
  .check(
    crossFieldRule(['version', 'channel'], ({ version, channel }) =>
      channel === undefined || (channel === 'stable') === isStableVersion(version) ? undefined : fault(rules.otherStability),
    ),
  );
export type ReleaseRequest = z.infer<typeof ReleaseRequest>;

/** What a seller sends to publish, or to set how many get what is published. */
export const PublishReleaseRequest = z.object({
  rolloutPercent: z._default(percent, 100),
  expectedRevision: z.optional(z.int().check(z.minimum(0))),
});
export type PublishReleaseRequest = z.infer<typeof PublishReleaseRequest>;

/** Why a published release is taken back. */
export const yankReason = nonBlankLines(500);

/** A draft of a version that there was none of. @throws AppError invalid_request when something is missing */
export function newDraft(
  request: ReleaseRequest,
  identity: Pick<ReleaseRecord, 'id' | 'productId' | 'sellerId'>,
  at: string,
): ReleaseRecord {
  const { version, channel, notes } = request;
  if (channel === undefined || notes === undefined) {
    const missing = Object.entries({ channel, notes }).filter(([, value]) => value === undefined);
    throw invalidRequest(missing.map(([name]) => faultOf(name, rules.missing)));
  }
  const blank = { critical: false, publishOnApproval: false, requiresFeatures: [], artifacts: [], files: {} };
  return draftAfterEdit({ ...identity, ...blank, version, channel, notes, status: 'draft', createdAt: at, revision: 0 }, request);
}

/** The draft with what was sent in the place of what it had; what is kept of its files is not its seller's to say. */
export function draftAfterEdit(draft: ReleaseRecord, request: ReleaseRequest): ReleaseRecord {
  const { artifacts, ...fields } = request;
  const sent = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const listed = artifacts?.map((artifact) =>
    StoredArtifact.parse({ ...artifact, ...(artifact.feeds && { feeds: [...new Set(artifact.feeds)] }) }),
  );
  return ReleaseRecord.parse({ ...draft, ...sent, ...(listed && { artifacts: listed }) });
}
