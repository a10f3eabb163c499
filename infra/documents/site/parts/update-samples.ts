import { type Html, html } from '../../../../shared/html.ts';
import { codeBlock } from '../section.ts';

/** How an app asks whether its license covers it, by language. `status` is what a call of the client returned. */
const coveredIn: Readonly<Record<string, string>> = {
  'JavaScript and TypeScript': `import { covers } from './license-client.js'; // .ts in TypeScript

const releasedAt = 1769846400; // written by your build
if (status.allowed && !covers(status, releasedAt)) {
  offerCoveredVersion(status.updatesUntil);
}`,
  Python: `RELEASED_AT = 1769846400  # written by your build

if status.allowed and not status.covers(RELEASED_AT):
    offer_covered_version(status.updates_until)`,
  Go: `const releasedAt = 1769846400 // written by your build

if status.Allowed && !status.Covers(releasedAt) {
	offerCoveredVersion(status.UpdatesUntil)
}`,
  'Java and Kotlin': `final long releasedAt = 1769846400L; // written by your build

if (status.allowed && !status.covers(releasedAt)) {
  offerCoveredVersion(status.updatesUntil);
}`,
  Rust: `const RELEASED_AT: i64 = 1_769_846_400; // written by your build

if status.allowed && !status.covers(RELEASED_AT) {
    offer_covered_version(status.updates_until);
}`,
};

export const coveredSamples: Html = html`${Object.entries(coveredIn).map(([language, code]) => html`${codeBlock(language, code)}\n`)}`;

const feeds = 'https://api.example.com/v1/updates/prd_01KG9T3W6P9RA5Y8S4C7E1G2JK';

/** How each updater is told where its feed is, and who asks; `lease`, `key` and `fingerprint` are what the client keeps. */
const feedOf: Readonly<Record<string, string>> = {
  'Sparkle 2 (Swift, in the delegate of SPUUpdater)': `func feedURLString(for updater: SPUUpdater) -> String? {
  updater.httpHeaders = ["X-License-Lease": lease]
  let version = Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") ?? ""
  return "${feeds}/-/appcast/stable/macos/\\(arch)?current=\\(version)"  // arch: x64 or arm64
}`,
  'WinSparkle (C)': `win_sparkle_set_http_header("X-License-Lease", lease);
win_sparkle_set_app_build_version(L"120");  // the build of this version's artifact, by which feeds are compared
win_sparkle_set_appcast_url("${feeds}/-/appcast/stable/windows/x64?current=1.2.0");
win_sparkle_init();`,
  'Tauri 2 (Rust)': `use tauri_plugin_updater::UpdaterExt;

let endpoint = "${feeds}/-/tauri/stable/{{target}}/{{arch}}/{{current_version}}?bundle={{bundle_type}}";
let update = app.updater_builder().endpoints(vec![endpoint.parse()?])?.header("X-License-Lease", lease)?.build()?.check().await?;`,
  'electron-updater (JavaScript)': `import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { app } from 'electron';
import electronUpdater from 'electron-updater';

const { autoUpdater } = electronUpdater;
// On Linux: as what this was installed. electron-builder writes the file into deb, rpm and pacman.
const packageType = join(process.resourcesPath, 'package-type');
const bundle = existsSync(packageType) ? readFileSync(packageType, 'utf8').trim() : 'appimage';
autoUpdater.setFeedURL({
  provider: 'generic',
  url: \`${feeds}/-/electron?current=\${app.getVersion()}&bundle=\${bundle}\`,
});
autoUpdater.requestHeaders = { 'X-License-Lease': lease };
autoUpdater.channel = 'latest'; // or 'beta'; for one arch alone 'latest-arm64'
autoUpdater.allowDowngrade = false; // to name a channel turned it on
autoUpdater.checkForUpdates().catch(() => undefined); // it has logged why`,
  'Velopack (JavaScript)': `import { UpdateManager } from 'velopack';

const reply = await fetch('https://api.example.com/v1/licenses/validate', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    product_id: 'prd_01KG9T3W6P9RA5Y8S4C7E1G2JK',
    license_key: key,
    device_fingerprint: fingerprint,
    update_feed: true,
  }),
});
const { update_feed_url: feed } = await reply.json(); // absent where this device has no seat
const manager = feed && new UpdateManager(\`\${feed}/velopack/stable/windows/x64\`);
const update = await manager?.checkForUpdatesAsync();`,
  'Your own updater': `curl -s -H "X-License-Lease: $LEASE" "${feeds}/-/check/stable/linux/x64?current=1.0.0"`,
};

export const feedSamples: Html = html`${Object.entries(feedOf).map(([name, code]) => codeBlock(name, code))}`;
