import { exampleIds, exampleSha256, type FieldText } from './field-texts.ts';

const at = '2026-02-10T09:00:00.000Z';
const artifact = (name: string) => [`ArtifactRequest.${name}`, `Artifact.${name}`];
const release = (name: string) => [`Release.${name}`, `ReleaseAdmin.${name}`];
const same = (paths: readonly string[], text: FieldText) => Object.fromEntries(paths.map((path) => [path, text]));

/** The fields of releases, named as those of `fieldTexts`. */
export const releaseFieldTexts: Readonly<Record<string, FieldText>> = {
  arch: { text: 'For which processors: x64, arm64, x86, arm, or any.', example: 'arm64' },
  artifacts: { text: 'What it is made of: at most 40 files, each for a platform, an architecture and the updaters that are told of it.' },
  'Artifact.available': {
    text: 'Whether it can be downloaded: its file is approved, visible to buyers, verified and trusted clean.',
    example: true,
  },
  block_map_size: { text: 'In bytes: of the block map that electron-updater finds at the end of the file.', example: 4096 },
  build: { text: 'What Sparkle and WinSparkle compare: 1 to 4 dotted numbers that rise with the versions.', example: '120.1' },
  bundle: { text: 'How it is packed, for Tauri.', example: 'app' },
  channel: {
    text: 'From the steadiest: stable, rc, beta, alpha, dev. Stable has exactly the versions without prerelease. Who follows one is offered what is steadier too.',
    example: 'stable',
  },
  covered_at: {
    text: 'From when on a license must be owed updates to have it: a time before its publication, which counts where none is named.',
    example: '2026-01-31T09:00:00.000Z',
  },
  covered: { text: 'Whether the license covers it now: it is active, has the features, and was owed updates then.', example: true },
  critical: { text: 'Whether updaters should press for it.', example: false },
  ed25519_signature: { text: 'Your signature for Sparkle, in base64; told as it is.', example: `${'A'.repeat(86)}==` },
  feeds: { text: 'Which updaters are told of it; none: it is for pages alone.', example: ['appcast'] },
  from_version: { text: 'Of a delta: from which version it leads to this one.', example: '1.1.0' },
  kind: { text: 'Whether it is the whole app, a delta from another version, or a block map.', example: 'full' },
  minimum_os: { text: 'The lowest version of the system that runs it, as the system calls itself.', example: '13.0' },
  minisign_signature: { text: 'Your signature for Tauri, in base64; told as it is.', example: 'dW50cnVzdGVkIGNvbW1lbnQ6' },
  notes: { text: 'What is new, in CommonMark; HTML in it is shown as text.', example: 'Exports are twice as fast.' },
  package_id: { text: 'What Velopack calls the app.', example: 'PhotoEditor' },
  platform: { text: 'For which system: windows, macos, linux, or any.', example: 'macos' },
  publish_on_approval: { text: 'Whether its approval publishes it too, to the share in `rollout_percent`.', example: false },
  published_at: { text: 'When it was published for the first time.', example: at },
  release_id: { text: 'A release’s id.', example: exampleIds.release },
  requires_features: { text: 'What a license must have among its features to be offered it.', example: ['export'] },
  rollout_percent: {
    text: 'To which share of devices it is offered; 0 pauses. Who may have it can download it whatever the share.',
    example: 100,
  },
  submitted_at: { text: 'When it last came into review from another state; of what is older nobody knows.', example: at },
  version: { text: 'SemVer 2.0.0 without build metadata, its numbers of at most 9 digits.', example: '1.2.0' },
  yank_reason: { text: 'Why it was taken back.', example: 'It loses settings.' },
  yanked_at: { text: 'When it was taken back for good.', example: at },
  'YankReleaseRequest.reason': { text: 'Why it is taken back; at most 500 characters.', example: 'It loses settings.' },
  'ReviewReleaseRequest.decision': { text: 'What is to become of the release.', example: 'approve' },
  ...same(artifact('file_id'), { text: 'A file of the product that was uploaded with purpose `release`.', example: exampleIds.file }),
  ...same(artifact('file_name'), { text: 'The name of the file.', example: 'PhotoEditor-1.2.0.dmg' }),
  ...same(artifact('size_bytes'), { text: 'The size of the file.', example: 10_485_760 }),
  ...same(artifact('sha256_hex'), { text: 'The SHA-256 of the file.', example: exampleSha256 }),
  ...same(release('id'), { text: 'Its id.', example: exampleIds.release }),
  ...same(release('status'), { text: 'Where the release stands.', example: 'published' }),
  ...same(release('rejection_reason'), {
    text: 'Why it was not approved, until it is handed in again.',
    example: 'The installer does not start.',
  }),
};
