import * as z from 'zod/mini';
import { fault, faultOf } from '../faults/fault.ts';
import { invalidField, invalidRequest } from '../faults/invalid-request.ts';
import * as rules from '../faults/rules.ts';
import { type FileId, looseIdOf } from '../ids.ts';
import { crossFieldRule, line, nonBlankLine, nonBlankLines, requestTime, text } from '../schemas.ts';
import { artifactTarget, Bundle, Feed, StoredArtifact } from './artifacts/artifact.ts';
import { asciiLower } from './artifacts/artifact-form.ts';
import { maxArtifacts, ReleaseRecord } from './release.ts';
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
type ArtifactRequest = z.infer<typeof ArtifactRequest>;

/** The revision that was looked at. */
export const expectedRevision = z.optional(z.int().check(z.minimum(0)));

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
    artifacts: z.optional(z.array(ArtifactRequest).check(z.maxLength(maxArtifacts))),
    expectedRevision,
  })
  .check(
    crossFieldRule(['version', 'channel'], ({ version, channel }) =>
      channel === undefined || (channel === 'stable') === isStableVersion(version) ? undefined : fault(rules.otherStability),
    ),
  );
export type ReleaseRequest = z.infer<typeof ReleaseRequest>;

/** What a job of a build adds to a draft. */
export const AddArtifactsRequest = z.object({
  artifacts: z.array(ArtifactRequest).check(z.minLength(1), z.maxLength(maxArtifacts)),
  expectedRevision,
});
export type AddArtifactsRequest = z.infer<typeof AddArtifactsRequest>;

/** What a seller sends to publish, or to set how many get what is published. */
export const PublishReleaseRequest = z.object({
  rolloutPercent: z.optional(percent),
  expectedRevision,
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
  return ReleaseRecord.parse({ ...draft, ...sent, ...(artifacts && { artifacts: artifacts.map(toStored) }) });
}

/**
 * The draft with these artifacts too: each in the place of the draft's one with the same platform, arch, kind and file
 * name, letters of either case alike, else after the others.
 *
 * @throws AppError invalid_request where two of them have one place, or there are too many in all
 */
export function draftWithArtifacts(
  draft: ReleaseRecord,
  added: readonly ArtifactRequest[],
  fileNameOf: (fileId: FileId) => string,
): ReleaseRecord {
  const places = added.map((artifact) => placeOf(artifact, fileNameOf(artifact.fileId)));
  const repeated = places.flatMap((place, index) => {
    const first = places.indexOf(place);
    return first === index ? [] : [faultOf(`artifacts.${index}.file_id`, rules.sameName, { artifact: `artifacts.${first}` })];
  });
  if (repeated.length > 0) throw invalidRequest(repeated);
  const unplaced = new Map(added.map((artifact, index) => [places[index], toStored(artifact)]));
  const kept = draft.artifacts.flatMap((artifact) => {
    const place = placeOf(artifact, draft.files[artifact.fileId]?.fileName ?? '');
    if (!places.includes(place)) return [artifact];
    const next = unplaced.get(place);
    unplaced.delete(place);
    return next ? [next] : [];
  });
  const artifacts = [...kept, ...unplaced.values()];
  if (artifacts.length > maxArtifacts) throw invalidField('artifacts', rules.tooMany, { max: maxArtifacts });
  return { ...draft, artifacts };
}

const placeOf = ({ platform, arch, kind }: Pick<StoredArtifact, 'platform' | 'arch' | 'kind'>, fileName: string) =>
  [platform, arch, kind, asciiLower(fileName)].join(' ');

const toStored = (artifact: ArtifactRequest): StoredArtifact =>
  StoredArtifact.parse({ ...artifact, ...(artifact.feeds && { feeds: [...new Set(artifact.feeds)] }) });
