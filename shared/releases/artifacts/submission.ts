import { faultOf } from '../../faults/fault.ts';
import * as rules from '../../faults/rules.ts';
import type { ArtifactFile, StoredArtifact } from './artifact.ts';
import { asciiLower, electronInstallers, extensionOf, isInFeed } from './artifact-form.ts';

/** An artifact as far as a submission looks at it. */
export type SubmittedArtifact = Omit<StoredArtifact, 'fileId'> & Pick<ArtifactFile, 'fileName'>;
type Named = { artifact: SubmittedArtifact; index: number };

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const isBase64 = (text: string) => text !== '' && base64.test(text);
/** 64 bytes are so many characters, of which two fill up. */
const isEd25519 = (text: string) => isBase64(text) && text.length === 88 && text.endsWith('==');

/**
 * Everything that keeps a release from being submitted, one message each, naming artifact and field; empty if nothing
 * does. See "What a submission needs" in shared/releases/submission.md
 */
export function submissionFaults<Submitted extends SubmittedArtifact>(
  artifacts: readonly Submitted[],
  isFinalized: (artifact: Submitted) => boolean,
): string[] {
  const named = artifacts.map((artifact, index) => ({ artifact, index }));
  const own = named.flatMap((entry) => {
    const faults = fieldFaults(entry.artifact, artifacts);
    const unfinished = isFinalized(entry.artifact) ? [] : [faultOf('file_id', rules.notFinalized)];
    return [...unfinished, ...faults].map((fault) => `artifacts.${entry.index}.${fault}`);
  });
  const none = artifacts.some(({ kind }) => kind === 'full') ? [] : [faultOf('artifacts', rules.noFull)];
  return [...none, ...own, ...repeated(named, placesOf, 'feeds'), ...repeated(named, (artifact) => [nameIn(artifact)], 'file_id')];
}

function fieldFaults(artifact: SubmittedArtifact, all: readonly SubmittedArtifact[]): string[] {
  const { kind, fileName } = artifact;
  const faults: string[] = [];
  const need = (holds: boolean, fault: string) => {
    if (!holds) faults.push(fault);
  };
  if (isInFeed(artifact, 'appcast') && kind !== 'blockmap') {
    if (kind === 'full') need(artifact.build !== undefined, faultOf('build', rules.missingFor, { use: 'appcast' }));
    need(isEd25519(artifact.ed25519Signature ?? ''), faultOf('ed25519_signature', rules.notEd25519));
  }
  if (isInFeed(artifact, 'tauri') && kind !== 'blockmap') {
    need(isBase64(artifact.minisignSignature ?? ''), faultOf('minisign_signature', rules.notMinisign));
  }
  if (isInFeed(artifact, 'velopack') && kind !== 'blockmap') {
    need(artifact.packageId !== undefined, faultOf('package_id', rules.missingFor, { use: 'velopack' }));
    need(extensionOf(artifact) === '.nupkg', faultOf('file_id', rules.notNupkg));
  }
  if (isInFeed(artifact, 'electron') && kind === 'full') {
    need(isInstaller(artifact, all), faultOf('file_id', rules.notInstaller));
  }
  if (kind === 'delta') {
    need(artifact.fromVersion !== undefined, faultOf('from_version', rules.missingFor, { use: 'a delta' }));
    need(isInFeed(artifact, 'appcast') || isInFeed(artifact, 'velopack'), faultOf('feeds', rules.noFeedOfDelta));
  }
  if (kind === 'blockmap') {
    const isMapped = all.some((other) => isFullOfTarget(other, artifact) && fileName === `${other.fileName}.blockmap`);
    need(isMapped, faultOf('file_id', rules.notBlockmapOfFull));
  }
  return faults;
}

const ofEveryPlatform = Object.values(electronInstallers).flat();

/** Whether electron-updater can install it: no portable program, and a disk image only beside the archive that it takes in its place. */
function isInstaller(artifact: SubmittedArtifact, all: readonly SubmittedArtifact[]): boolean {
  const { platform, fileName } = artifact;
  const known: readonly string[] = platform === 'any' ? ofEveryPlatform : electronInstallers[platform];
  const extension = extensionOf(artifact);
  if (extension === '.dmg')
    return all.some((other) => isFullOfTarget(other, artifact) && isInFeed(other, 'electron') && extensionOf(other) === '.zip');
  return known.includes(extension) && !(extension === '.exe' && /portable/i.test(fileName));
}

const isFullOfTarget = (other: SubmittedArtifact, { platform, arch }: SubmittedArtifact) =>
  other.kind === 'full' && other.platform === platform && other.arch === arch;

/** Where a full is offered: an updater that looks there must find one. */
function placesOf(artifact: SubmittedArtifact): string[] {
  const { platform, arch, kind, feeds = [], bundle } = artifact;
  if (kind !== 'full') return [];
  const variantIn = { appcast: '', velopack: '', tauri: bundle ?? '', electron: extensionOf(artifact) };
  return feeds.map((feed) => [platform, arch, feed, variantIn[feed]].join(' '));
}

const nameIn = ({ platform, arch, fileName }: SubmittedArtifact) => [platform, arch, asciiLower(fileName)].join(' ');

/** Reports every artifact whose target or name an earlier one already has. */
function repeated(named: readonly Named[], keysOf: (artifact: SubmittedArtifact) => string[], field: 'feeds' | 'file_id'): string[] {
  const first = new Map<string, number>();
  const faults = new Map<number, string>();
  for (const { artifact, index } of named) {
    for (const key of keysOf(artifact)) {
      const before = first.get(key);
      if (before === undefined) first.set(key, index);
      else faults.set(index, faultOf(`artifacts.${index}.${field}`, ruleOf[field], { artifact: `artifacts.${before}` }));
    }
  }
  return [...faults.values()];
}

const ruleOf = { feeds: rules.sameOffer, file_id: rules.sameName } as const;
