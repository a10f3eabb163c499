import * as z from 'zod/mini';
import { type FileId, idOf } from '../../ids.ts';
import { asciiLower } from './artifact-form.ts';

export const Platform = z.enum(['windows', 'macos', 'linux', 'any']);
export type Platform = z.infer<typeof Platform>;
export const Arch = z.enum(['x64', 'arm64', 'x86', 'arm', 'any']);
export type Arch = z.infer<typeof Arch>;
export const ArtifactKind = z.enum(['full', 'delta', 'blockmap']);
/** In which updaters' feeds an artifact is offered; in none, it is for pages only. */
export const Feed = z.enum(['appcast', 'tauri', 'electron', 'velopack']);
export type Feed = z.infer<typeof Feed>;
export const Bundle = z.enum(['appimage', 'deb', 'rpm', 'app', 'msi', 'nsis']);
export type Bundle = z.infer<typeof Bundle>;

export const artifactTarget = { platform: Platform, arch: Arch, kind: ArtifactKind };

/** One file of a release, as it is stored and shown. */
const artifactFields = {
  fileId: idOf('file'),
  ...artifactTarget,
  feeds: z.optional(z.array(Feed)),
  build: z.optional(z.string()),
  minimumOs: z.optional(z.string()),
  fromVersion: z.optional(z.string()),
  packageId: z.optional(z.string()),
  blockMapSize: z.optional(z.int()),
  bundle: z.optional(Bundle),
  ed25519Signature: z.optional(z.string()),
  minisignSignature: z.optional(z.string()),
};
export const StoredArtifact = z.object(artifactFields);
export type StoredArtifact = z.infer<typeof StoredArtifact>;

/** What a release keeps of each of its files, so that feeds need not read them. */
export const ArtifactFile = z.object({
  fileName: z.string(),
  contentType: z.string(),
  sizeBytes: z.int(),
  sha256Hex: z.string(),
  /** Known once the file is verified. */
  sha512Base64: z.optional(z.string()),
  sha1Hex: z.optional(z.string()),
  /** Whether it may be downloaded, as far as the file itself is concerned. */
  available: z.boolean(),
});
export type ArtifactFile = z.infer<typeof ArtifactFile>;

/** An artifact as seller, admin and the buyer's page see it. */
export const Artifact = z.object({
  ...artifactFields,
  fileName: z.string(),
  sizeBytes: z.int(),
  sha256Hex: z.string(),
  available: z.boolean(),
});
export type Artifact = z.infer<typeof Artifact>;

/** An artifact together with what its release keeps of its file. */
export type ArtifactWithFile = StoredArtifact & ArtifactFile;

/** The files that artifacts are of, each once. */
export const fileIdsOf = (artifacts: readonly Pick<StoredArtifact, 'fileId'>[]): FileId[] => [
  ...new Set(artifacts.map(({ fileId }) => fileId)),
];

/** The name under which no other file of the product may be in a velopack feed. */
export const velopackName = ({ fileName }: Pick<ArtifactWithFile, 'fileName'>): string => asciiLower(fileName);

/** Which file has a name in the velopack feeds of its product. */
export const VelopackName = z.object({ fileId: idOf('file'), version: z.string() });
export type VelopackName = z.infer<typeof VelopackName>;
