import type { ArtifactRequest } from '../../../../../build/client.ts';

type Target = Pick<ArtifactRequest, 'platform' | 'arch' | 'kind' | 'bundle'>;

const endings: readonly (readonly [RegExp, ArtifactRequest['platform'], ArtifactRequest['bundle']?])[] = [
  [/\.msi$/, 'windows', 'msi'],
  [/\.(exe|msix|nupkg)$/, 'windows'],
  [/\.app\.tar\.gz$/, 'macos', 'app'],
  [/\.(dmg|pkg)$/, 'macos'],
  [/\.appimage(\.tar\.gz)?$/, 'linux', 'appimage'],
  [/\.deb$/, 'linux', 'deb'],
  [/\.rpm$/, 'linux', 'rpm'],
  [/(?<![a-z])(mac|macos|darwin|osx)(?![a-z])/, 'macos'],
  [/(?<![a-z])(win|windows)(?![a-z])/, 'windows'],
  [/(?<![a-z])linux(?![a-z])/, 'linux'],
];

const arches: readonly (readonly [RegExp, ArtifactRequest['arch']])[] = [
  [/universal/, 'any'],
  [/arm64|aarch64/, 'arm64'],
  [/x64|x86[_-]64|amd64/, 'x64'],
  [/arm(v7|hf)?(?![a-z0-9])/, 'arm'],
  [/x86|i[36]86|ia32|win32/, 'x86'],
];

/** For what a file of a release is, as far as its name tells; to begin with, for its seller to correct. */
export function targetOf(fileName: string): Target {
  const name = fileName.toLowerCase();
  const kind = name.endsWith('.blockmap') ? 'blockmap' : /[.-]delta(?![a-z])/.test(name) ? 'delta' : 'full';
  const whole = name.replace(/\.blockmap$/, '');
  const [, platform = 'any', bundle] = endings.find(([form]) => form.test(whole)) ?? [];
  const [, arch = 'any'] = arches.find(([form]) => form.test(whole)) ?? [];
  return { platform, arch, kind, ...(bundle && kind === 'full' && { bundle }) };
}
