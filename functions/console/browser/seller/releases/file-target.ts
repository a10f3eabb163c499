import type { ArtifactRequest } from '../../../../../build/client.ts';

const platforms = [
  ['windows', /\.(exe|msix?|nupkg)$|(?<![a-z])win/],
  ['macos', /\.(dmg|pkg)$|\.app\.|(?<![a-z])(mac|osx)|darwin/],
  ['linux', /\.(appimage|deb|rpm)(?![a-z])|linux/],
] as const;

const arches = [
  ['any', /universal/],
  ['arm64', /arm64|aarch64/],
  ['x64', /x64|x86[_-]64|amd64/],
  ['arm', /arm(?![a-z]*64)/],
  ['x86', /x86|i[36]86|ia32|win32/],
] as const;

const bundles = [
  ['msi', /\.msi$/],
  ['app', /\.app\./],
  ['appimage', /\.appimage/],
  ['deb', /\.deb$/],
  ['rpm', /\.rpm$/],
] as const;

/** For what a file is, as far as its name tells: to begin with, for its seller to correct. */
export function targetOf(fileName: string): Pick<ArtifactRequest, 'platform' | 'arch' | 'kind' | 'bundle'> {
  const name = fileName.toLowerCase();
  const kind = name.endsWith('.blockmap') ? 'blockmap' : /[.-]delta(?![a-z])/.test(name) ? 'delta' : 'full';
  const whole = name.replace(/\.blockmap$/, '');
  const [platform = 'any'] = platforms.find(([, form]) => form.test(whole)) ?? [];
  const [arch = 'any'] = arches.find(([, form]) => form.test(whole)) ?? [];
  const [bundle] = bundles.find(([, form]) => form.test(name)) ?? [];
  return { platform, arch, kind, ...(bundle && { bundle }) };
}
