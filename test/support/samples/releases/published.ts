import type { ArtifactWithFile } from '../../../../shared/releases/artifacts/artifact.ts';
import type { PublishedRelease } from '../../../../shared/updates/catalog/catalog.ts';

/** An artifact for Windows on x64 that can be downloaded, in every feed; `fields` in the place of its own. */
export const artifact = (fields: Partial<ArtifactWithFile> = {}): ArtifactWithFile => ({
  fileId: 'fil_1' as ArtifactWithFile['fileId'],
  platform: 'windows',
  arch: 'x64',
  kind: 'full',
  feeds: ['appcast', 'tauri', 'electron', 'velopack'],
  build: '100',
  packageId: 'Lumen',
  ed25519Signature: 'ZWQ=',
  minisignSignature: 'bWluaQ==',
  fileName: 'Lumen-Setup.exe',
  contentType: 'application/octet-stream',
  sizeBytes: 1234,
  sha256Hex: 'ab'.repeat(32),
  sha512Base64: 'c2hhNTEy',
  sha1Hex: 'cd'.repeat(20),
  available: true,
  ...fields,
});

/** A release that everybody may have; its channel is that of its version. */
export const published = (version: string, fields: Partial<PublishedRelease> = {}): PublishedRelease => ({
  id: `rel_${version}` as PublishedRelease['id'],
  version,
  channel: version.includes('-') ? 'beta' : 'stable',
  notes: `Notes of ${version}`,
  critical: false,
  rolloutPercent: 100,
  publishedAt: '2026-03-01T09:00:00.000Z',
  coveredAt: '2026-03-01T09:00:00.000Z',
  requiresFeatures: [],
  artifacts: [artifact()],
  ...fields,
});
