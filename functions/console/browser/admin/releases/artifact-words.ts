import { wordOf } from '../../words/words.ts';
import type { ReviewedRelease } from './last-release.ts';
import { texts } from './releases-texts.ts';

export type Artifact = ReviewedRelease['artifacts'][number];

/** What a file of a release is for. */
export function usageWords(artifact: Artifact): string {
  const { platform, arch, kind, feeds = [], build, minimum_os, from_version, package_id, bundle } = artifact;
  const { ed25519_signature, minisign_signature } = artifact;
  return [
    `${wordOf('platform', platform)} ${wordOf('arch', arch)}`,
    wordOf('artifact', kind),
    ...feeds.map((feed) => wordOf('feed', feed)),
    bundle && wordOf('bundle', bundle),
    build && texts.build(build),
    from_version && texts.from(from_version),
    minimum_os && texts.os(minimum_os),
    package_id,
    (ed25519_signature ?? minisign_signature) && texts.signed,
  ]
    .filter(Boolean)
    .join(', ');
}
