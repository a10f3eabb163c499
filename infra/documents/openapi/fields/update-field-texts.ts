import type { FieldText } from './field-texts.ts';

const at = '2026-02-10T09:00:00.000Z';
const file = {
  text: 'Where the file is downloaded, for as long as the proof in the address holds; its answer leads to the file store.',
  example: 'https://licenses.example.com/v1/updates/prd_01KG9T3W6P9RA5Y8S4C7E1G2JK/-/files/1.2.0/macos-arm64/PhotoEditor-1.2.0.dmg',
};
const platform = { text: 'What the app runs on: windows, macos or linux.', example: 'macos' };
const arch = { text: 'And on which processor: x64, arm64, x86 or arm.', example: 'arm64' };
const inFeeds = (name: string, text: FieldText) =>
  Object.fromEntries(['checkUpdate', 'getAppcast', 'getVelopackFile'].map((operation) => [`${operation}.${name}`, text]));

/** The fields and parameters of what updaters ask, named as those of `fieldTexts`. */
export const updateFieldTexts: Readonly<Record<string, FieldText>> = {
  current: {
    text: 'The version that asks; without it older releases may be offered. What is malformed, empty or repeated counts as not sent, here and in every parameter of a feed.',
    example: '1.1.0',
  },
  current_version: { text: 'The version that asks; malformed it counts as not sent.', example: '1.1.0' },
  current_yanked: { text: 'The version that asks was published and taken back; absent of any other.', example: true },
  localVersion: { text: 'The version that asks.', example: '1.1.0' },
  os: { text: 'The version of the system, of which releases say the lowest that runs them.', example: '13.4' },
  proof: { text: 'The ticket from `update_feed_url`; or `-`, and a lease of either kind in the header `X-License-Lease`.', example: '-' },
  pub_date: { text: 'When it was published.', example: at },
  signature: { text: 'The seller’s minisign signature, as it was given.', example: 'dW50cnVzdGVkIGNvbW1lbnQ6' },
  target: { text: 'What the app runs on, as Tauri calls it: linux, darwin or windows.', example: 'darwin' },
  'getUpdateFile.target': { text: 'Platform and arch of the file, such as windows-x64.', example: 'macos-arm64' },
  'getUpdateFile.file_name': { text: 'The name of the file.', example: 'PhotoEditor-1.2.0.dmg' },
  'getElectronFeed.file_name': { text: 'As electron-updater names the feed.', example: 'latest-mac.yml' },
  'getVelopackFile.file_name': { text: 'As Velopack names the feed, or a file in it.', example: 'releases.osx.json' },
  'getTauriUpdate.arch': { text: 'And on which processor, as Tauri calls it: x86_64, aarch64, i686 or armv7.', example: 'aarch64' },
  ...inFeeds('platform', platform),
  ...inFeeds('arch', arch),
  'TauriUpdate.url': file,
  'UpdateCheck.update.artifacts.url': file,
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
  },
  'UpdateCheck.upgrade.url': {
    text: 'The page of the product’s releases.',
    example: 'https://licenses.example.com/p/photo-editor/releases',
  },
};
