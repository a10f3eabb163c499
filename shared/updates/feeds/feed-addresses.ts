import * as z from 'zod/mini';
import { invalidField, invalidRequest } from '../../faults/invalid-request.ts';
import * as rules from '../../faults/rules.ts';
import type { ArtifactWithFile } from '../../releases/artifacts/artifact.ts';
import { electronInstallers } from '../../releases/artifacts/artifact-form.ts';
import { Channel } from '../../releases/versions/version.ts';
import type { Target } from '../catalog/catalog.ts';

/** What an updater asks for by the address alone. */
export interface FeedScope {
  channel: Channel;
  target: Target;
  /** Kinds of file of which each is offered by itself, the highest release that has it; without, releases are. */
  extensions?: readonly string[] | undefined;
}

const Address = z.object({
  channel: Channel,
  platform: z.enum(['windows', 'macos', 'linux']),
  arch: z.enum(['x64', 'arm64', 'x86', 'arm']),
});

/** How Tauri names what an app runs on. */
const tauriPlatforms = { windows: 'windows', darwin: 'macos', linux: 'linux' } as const;
const tauriArches = { x86_64: 'x64', aarch64: 'arm64', i686: 'x86', armv7: 'arm' } as const;
const TauriAddress = z.object({
  channel: Channel,
  target: z.enum(['windows', 'darwin', 'linux']),
  arch: z.enum(['x86_64', 'aarch64', 'i686', 'armv7']),
});

/**
 * What electron-updater puts behind the channel. Where it tells no arch it chooses one itself; an app for one arch has a channel
 * of its own, which ends in it.
 */
const electronTargets: Readonly<Record<string, Target>> = {
  '': { platform: 'windows', arch: 'every' },
  '-arm64': { platform: 'windows', arch: 'arm64' },
  '-ia32': { platform: 'windows', arch: 'x86' },
  '-mac': { platform: 'macos', arch: 'every' },
  '-arm64-mac': { platform: 'macos', arch: 'arm64' },
  '-linux': { platform: 'linux', arch: 'x64' },
  '-linux-arm64': { platform: 'linux', arch: 'arm64' },
  '-linux-arm': { platform: 'linux', arch: 'arm' },
  '-linux-ia32': { platform: 'linux', arch: 'x86' },
};

/** @throws AppError invalid_request */
export function parseFeedScope(address: Record<keyof z.infer<typeof Address>, string>): FeedScope {
  const { channel, ...target } = parsed(Address, address);
  return { channel, target };
}

/** @throws AppError invalid_request */
export function parseTauriScope(address: Record<keyof z.infer<typeof TauriAddress>, string>): FeedScope {
  const { channel, target, arch } = parsed(TauriAddress, address);
  return { channel, target: { platform: tauriPlatforms[target], arch: tauriArches[arch] } };
}

/** As what an app can be installed on Linux, which has updaters of its own for each. */
export const LinuxBundle = z.enum(['appimage', 'deb', 'rpm', 'pacman']);

/** From the name of the file that electron-updater asks for. @throws AppError invalid_request */
export function parseElectronScope(fileName: string, bundle?: z.infer<typeof LinuxBundle>): FeedScope {
  const [, name = '', suffix = ''] = /^([a-z]+)(-[a-z0-9-]{1,20})?\.yml$/.exec(fileName) ?? [];
  const channel = name === 'latest' ? 'stable' : Channel.safeParse(name).data;
  const target = Object.hasOwn(electronTargets, suffix) ? electronTargets[suffix] : undefined;
  if (!channel || !target) throw invalidField('file_name', rules.notFeedName);
  if (target.platform !== 'linux') return { channel, target };
  return { channel, target, extensions: bundle ? [`.${bundle}`] : electronInstallers.linux };
}

/** Velopack adds what it likes to the name, and asks again in lower case. */
export const isVelopackFeed = (fileName: string): boolean => /^releases\..*\.json$/is.test(fileName);

/** Names every part of the address that is not known. */
function parsed<Schema extends z.ZodMiniType>(schema: Schema, address: object): z.output<Schema> {
  const { success, data, error } = z.safeParse(schema, address);
  if (success) return data;
  throw invalidRequest(error.issues.map(({ path, message }) => `${String(path[0])} ${message}`));
}

/** What replies of a feed link to: stable addresses, which hold for as long as the proof in them. */
export interface FeedLinks {
  /** Where the artifact is downloaded. */
  fileUrl(version: string, artifact: Pick<ArtifactWithFile, 'platform' | 'arch' | 'fileName'>): string;
  /** The page that shows the releases to anyone. */
  releasesUrl: string;
}

/** The links of a product's feeds, for who proved by `proof`. */
export function createLinks(options: { publicBaseUrl: string; productId: string; slug: string; proof: string }): FeedLinks {
  const { publicBaseUrl, productId, slug, proof } = options;
  const base = `${publicBaseUrl}/v1/updates/${productId}/${proof}`;
  return {
    fileUrl: (version, { platform, arch, fileName }) => `${base}/files/${version}/${platform}-${arch}/${encodeURIComponent(fileName)}`,
    releasesUrl: `${publicBaseUrl}/p/${encodeURIComponent(slug)}/releases`,
  };
}
