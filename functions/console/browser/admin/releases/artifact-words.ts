import { wordOf } from '../../words/words.ts';
import type { ReviewedRelease } from './last-release.ts';
import { say } from './releases-texts.ts';

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
    build && say.build(build),
    from_version && say.from(from_version),
    minimum_os && say.os(minimum_os),
    package_id,
    (ed25519_signature ?? minisign_signature) && say.signed,
  ]
    .filter(Boolean)
    .join(', ');
}
