import { AppError } from '../errors.ts';
import type { FullArtifact } from '../releases/artifact.ts';
import { Channel } from '../releases/version.ts';
import type { Target } from './catalog.ts';

/** What an updater asks for by the address alone. */
export interface Followed {
  channel: Channel;
  target: Target;
}

const platforms = ['windows', 'macos', 'linux'] as const;
const arches = ['x64', 'arm64', 'x86', 'arm'] as const;

/** How Tauri names what an app runs on. */
const tauriPlatforms = { windows: 'windows', darwin: 'macos', linux: 'linux' } as const;
const tauriArches = { x86_64: 'x64', aarch64: 'arm64', i686: 'x86', armv7: 'arm' } as const;

/** What electron-updater puts behind the channel. Where it tells no arch it chooses one itself. */
const electronTargets: Readonly<Record<string, Target>> = {
  '': { platform: 'windows', arch: 'every' },
  '-mac': { platform: 'macos', arch: 'every' },
  '-linux': { platform: 'linux', arch: 'x64' },
  '-linux-arm64': { platform: 'linux', arch: 'arm64' },
  '-linux-arm': { platform: 'linux', arch: 'arm' },
  '-linux-ia32': { platform: 'linux', arch: 'x86' },
};

/** @throws AppError invalid_request */
export const parseFollowed = (address: { channel: string; platform: string; arch: string }): Followed => ({
  channel: channelOf(address.channel),
  target: { platform: oneOf(platforms, address.platform, 'platform'), arch: oneOf(arches, address.arch, 'arch') },
});

/** @throws AppError invalid_request */
export const parseTauriFollowed = (address: { channel: string; target: string; arch: string }): Followed => ({
  channel: channelOf(address.channel),
  target: { platform: memberOf(tauriPlatforms, address.target, 'target'), arch: memberOf(tauriArches, address.arch, 'arch') },
});

/** From the name of the file that electron-updater asks for. @throws AppError invalid_request */
export function parseElectronFollowed(name: string): Followed {
  const [, channel = '', suffix = ''] = /^([a-z]+)(-mac|-linux(?:-arm64|-arm|-ia32)?)?\.yml$/.exec(name) ?? [];
  const target = electronTargets[suffix];
  if (channel === '' || !target) throw new AppError('invalid_request', 'name is not that of a channel');
  return { channel: channelOf(channel === 'latest' ? 'stable' : channel), target };
}

/** Velopack adds what it likes to the name, and asks again in lower case. */
export const isVelopackFeed = (fileName: string): boolean => /^releases\..*\.json$/is.test(fileName);

function channelOf(text: string): Channel {
  const { data } = Channel.safeParse(text);
  if (data === undefined) throw unknown('channel', Channel.options);
  return data;
}

function oneOf<Value extends string>(values: readonly Value[], text: string, field: string): Value {
  const found = values.find((value) => value === text);
  if (found === undefined) throw unknown(field, values);
  return found;
}

function memberOf<Value>(values: Readonly<Record<string, Value>>, text: string, field: string): Value {
  const found = Object.hasOwn(values, text) ? values[text] : undefined;
  if (found === undefined) throw unknown(field, Object.keys(values));
  return found;
}

const unknown = (field: string, values: readonly string[]) =>
  new AppError('invalid_request', `${field} must be one of ${values.join(', ')}`);

/** What replies of a feed link to: stable addresses, which hold for as long as the proof in them. */
export interface Links {
  /** Where the artifact is downloaded. */
  fileOf(version: string, artifact: Pick<FullArtifact, 'platform' | 'arch' | 'fileName'>): string;
  /** The page that shows the releases to anyone. */
  releases: string;
}

/** The links of a product's feeds, for who proved by `proof`. */
export function createLinks(options: { publicBaseUrl: string; productId: string; slug: string; proof: string }): Links {
  const { publicBaseUrl, productId, slug, proof } = options;
  const base = `${publicBaseUrl}/v1/updates/${productId}/${proof}`;
  return {
    fileOf: (version, { platform, arch, fileName }) => `${base}/files/${version}/${platform}-${arch}/${encodeURIComponent(fileName)}`,
    releases: `${publicBaseUrl}/p/${encodeURIComponent(slug)}/releases`,
  };
}
