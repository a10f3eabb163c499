import { exampleIds, exampleSha256, type FieldTexts, ofEach } from './field-texts.ts';

const at = '2026-02-10T09:00:00.000Z';

/** The fields of releases, and of what updaters ask. */
export const releaseFieldTexts: FieldTexts = {
  arch: { text: 'For which processors: x64, arm64, x86, arm, or any.', example: 'arm64' },
  artifacts: { text: 'What it is made of: at most 40 files, each for a platform, an architecture and the updaters that are told of it.' },
  'AddArtifactsRequest.artifacts': {
    text: 'One to 40, each for a place of its own: platform, arch, kind and file name. The draft has at most 40 with them.',
  },
  ...ofEach(['AddArtifactsRequest', 'PublishReleaseRequest', 'ReleaseRequest', 'SubmitReleaseRequest', 'WithdrawReleaseRequest'], {
    expected_revision: { text: 'The revision that you read; if the release changed since, nothing is written.', example: 3 },
  }),
  'PublishReleaseRequest.rollout_percent': {
    text: 'To which share of devices it is offered; 0 pauses. Left out, it is what the draft says, else 100; of what is published already it stays.',
    example: 10,
  },
  'Artifact.available': {
    text: 'Whether it can be downloaded: its file is approved, visible to buyers, verified and trusted clean.',
    example: true,
  },
  block_map_size: { text: 'In bytes: of the block map that electron-updater finds at the end of the file.', example: 4096 },
  build: {
    text: 'What Sparkle and WinSparkle compare: 1 to 4 dotted numbers of at most 18 digits that rise with the versions.',
    example: '120.1',
  },
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
  ...ofEach(['ArtifactRequest', 'Artifact'], {
    file_id: { text: 'A file of the product that was uploaded with purpose `release`.', example: exampleIds.file },
  }),
  'Artifact.file_name': { text: 'The name of the file.', example: 'PhotoEditor-1.2.0.dmg' },
  'Artifact.size_bytes': { text: 'The size of the file.', example: 10_485_760 },
  'Artifact.sha256_hex': { text: 'The SHA-256 of the file.', example: exampleSha256 },
  ...ofEach(['Release', 'ReleaseAdmin'], {
    id: { text: 'Its id.', example: exampleIds.release },
    status: { text: 'Where the release stands.', example: 'published' },
    rejection_reason: { text: 'Why it was not approved, until it is handed in again.', example: 'The installer does not start.' },
  }),
  current: {
    text: 'The version that asks; without it older releases may be offered. What is malformed, empty or repeated counts as not sent, here and in every parameter of a feed.',
    example: '1.1.0',
  },
  current_version: { text: 'The version that asks; malformed it counts as not sent.', example: '1.1.0' },
  current_yanked: { text: 'The version that asks was published and taken back; absent of any other.', example: true, isRare: true },
  localVersion: { text: 'The version that asks.', example: '1.1.0' },
  os: { text: 'The version of the system, of which releases say the lowest that runs them.', example: '13.4' },
  proof: { text: 'The ticket from `update_feed_url`; or `-`, and a lease of either kind in the header `X-License-Lease`.', example: '-' },
  pub_date: { text: 'When it was published.', example: at },
  signature: { text: 'The seller’s minisign signature, as it was given.', example: 'dW50cnVzdGVkIGNvbW1lbnQ6' },
  target: { text: 'What the app runs on, as Tauri calls it: linux, darwin or windows.', example: 'darwin' },
  'getUpdateFile.target': { text: 'Platform and arch of the file, such as windows-x64.', example: 'macos-arm64' },
  'getUpdateFile.file_name': { text: 'The name of the file.', example: 'PhotoEditor-1.2.0.dmg' },
  'getElectronFeed.bundle': {
    text: 'On Linux: as what the app was installed, which is all that its updater can take. Without it the newest of each is listed, and the version is the highest.',
    example: 'appimage',
  },
  'getElectronFeed.file_name': { text: 'As electron-updater names the feed.', example: 'latest-mac.yml' },
  'getVelopackFile.file_name': { text: 'As Velopack names the feed, or a file in it.', example: 'releases.osx.json' },
  'getTauriUpdate.arch': { text: 'And on which processor, as Tauri calls it: x86_64, aarch64, i686 or armv7.', example: 'aarch64' },
  ...ofEach(['checkUpdate', 'getAppcast', 'getVelopackFile'], {
    platform: { text: 'What the app runs on: windows, macos or linux.', example: 'macos' },
    arch: { text: 'And on which processor: x64, arm64, x86 or arm.', example: 'arm64' },
  }),
  ...ofEach(['TauriUpdate', 'UpdateCheck.update.artifacts'], {
    url: {
      text: 'Where the file is downloaded, for as long as the proof in the address holds; its answer leads to the file store.',
      example: 'https://licenses.example.com/v1/updates/prd_01KG9T3W6P9RA5Y8S4C7E1G2JK/-/files/1.2.0/macos-arm64/PhotoEditor-1.2.0.dmg',
    },
  }),
  'UpdateCheck.code': {
    text: 'Why there is an update or none, the first that holds: product_unavailable, proof_missing, proof_invalid, proof_expired; license_revoked, license_refunded, license_disputed, license_suspended, license_expired; update_available, not_covered, no_release, up_to_date.',
    example: 'update_available',
  },
  update_feed: {
    text: 'Whether the app’s updater wants `update_feed_url`; deactivate ignores it.',
    example: true,
  },
  update_feed_expires_at: { text: 'Until when the address of the feeds holds: a day from now.', example: at },
  update_feed_url: {
    text: 'What the addresses of the feeds begin with, for updaters that can send no header; given where `update_feed` was asked for and the device has a seat of a valid license. As secret as a download’s address.',
    example: 'https://licenses.example.com/v1/updates/prd_01KG9T3W6P9RA5Y8S4C7E1G2JK/eyJhbGciOiJIUzI1NiJ9.e30.c2ln',
  },
  update: { text: 'The highest release that is offered, with all of its files for this target.' },
  upgrade: {
    text: 'The highest release that would be offered to a license that covers it, where this one covers nothing above `current`.',
    isRare: true,
  },
  'UpdateCheck.upgrade.url': {
    text: 'The page of the product’s releases.',
    example: 'https://licenses.example.com/p/photo-editor/releases',
  },
};
