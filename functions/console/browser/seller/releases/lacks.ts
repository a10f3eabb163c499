import * as z from 'zod/mini';
import type { ProductFile, Release } from '../../../../../build/client.ts';
import { Artifact } from '../../../../../shared/releases/artifact.ts';
import { faultsOf } from '../../../../../shared/releases/submission.ts';
import { fromWire } from '../../../../../shared/wire.ts';

/** What a release lacks to be handed in: of all of it, or of one of its artifacts. */
export interface Lack {
  /** The artifact's place in the release, from 0 on. */
  at?: number;
  field: string;
  /** What goes after the field's name, as the API says it. */
  text: string;
}

const Artifacts = z.array(Artifact);

/** What the service would refuse the draft for if it were handed in now. A file that is not among those read counts as uploaded. */
export function lacksOf({ artifacts }: Pick<Release, 'artifacts'>, files: readonly ProductFile[]): Lack[] {
  const read = z.safeParse(Artifacts, fromWire(artifacts));
  if (!read.success) return [];
  const unfinished = new Set(files.filter(({ status }) => status !== 'pending_review' && status !== 'approved').map(({ id }) => id));
  return lacksIn(faultsOf(read.data, ({ fileId }) => !unfinished.has(fileId)).join('; '));
}

/** The same as the service says it in the message of `release_incomplete`. */
export function lacksIn(message: string): Lack[] {
  return message.split('; ').flatMap((fault) => {
    const [, at, field = 'artifacts', text] = /^artifacts(?:\.(\d+)\.(\w+))? (.+)$/s.exec(fault) ?? [];
    return text === undefined ? [] : [{ ...(at !== undefined && { at: Number(at) }), field, text }];
  });
}
