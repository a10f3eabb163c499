import type { Artifact } from '../../../../../build/client.ts';
import { messageOf } from '../../../../../shared/faults/fault.ts';
import { readMessage } from '../../../../../shared/faults/read-fault.ts';
import { type SubmittedArtifact, submissionFaults } from '../../../../../shared/releases/artifacts/submission.ts';

/** What a release lacks to be handed in: of all of it, or of one of its artifacts. */
export interface MissingField {
  /** The artifact's place in the release, from 0 on; none where it is of the release itself. */
  at?: number;
  field: string;
  /** What goes after the field's name, as the API says it. */
  text: string;
}

/** What the service would refuse the draft for if it were handed in now. A file that is not among those read counts as uploaded. */
export function missingFieldsOf(
  { artifacts }: { artifacts: readonly Artifact[] },
  files: readonly { id: string; status: string }[],
): MissingField[] {
  const unfinished = new Set(files.filter(({ status }) => status !== 'pending_review' && status !== 'approved').map(({ id }) => id));
  return missingFieldsIn(messageOf(submissionFaults(artifacts.map(asSubmitted), ({ fileId }) => !unfinished.has(fileId))));
}

const asSubmitted = (artifact: Artifact): SubmittedArtifact & { fileId: string } => ({
  ...artifact,
  fileId: artifact.file_id,
  fileName: artifact.file_name,
  fromVersion: artifact.from_version,
  packageId: artifact.package_id,
  ed25519Signature: artifact.ed25519_signature,
  minisignSignature: artifact.minisign_signature,
});

/** The same as the service says it in the message of `release_incomplete`. */
export function missingFieldsIn(message: string): MissingField[] {
  return readMessage(message).flatMap(({ field: path, text }) => {
    const [whole, at, field = 'artifacts'] = path.split('.');
    if (whole === 'notes') return [{ field: whole, text }];
    return whole === 'artifacts' ? [{ ...(at !== undefined && { at: Number(at) }), field, text }] : [];
  });
}
