import { type Html, html } from '../../../../shared/html.ts';
import { codeBlock } from '../section.ts';

/** How an app asks whether its license covers it, by language. `status` is what a call of the client returned. */
const coveredIn: Readonly<Record<string, string>> = {
  'JavaScript and TypeScript': `import { covers } from './license-client.ts';

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
  'Java and Kotlin': `static final long RELEASED_AT = 1769846400L; // written by your build

if (status.allowed && !status.covers(RELEASED_AT)) {
  offerCoveredVersion(status.updatesUntil);
}`,
  Rust: `const RELEASED_AT: i64 = 1_769_846_400; // written by your build

if status.allowed && !status.covers(RELEASED_AT) {
    offer_covered_version(status.updates_until);
}`,
};

export const coveredSamples: Html = html`${Object.entries(coveredIn).map(([language, code]) => html`${codeBlock(language, code)}\n`)}`;

/** How each updater is told where its feed is, and who asks. `base` is the service, `lease` what the client keeps, `ticket` a feed's base. */
const feedOf: Readonly<Record<string, string>> = {
  'Sparkle 2 (Swift, in the delegate of SPUUpdater)': `func feedURLString(for updater: SPUUpdater) -> String? {
  updater.httpHeaders = ["X-License-Lease": lease]
  return "\\(base)/v1/updates/\\(productId)/-/appcast/stable/macos/\\(arch)"  // arch: x64 or arm64
}`,
  'WinSparkle (C)': `win_sparkle_set_http_header("X-License-Lease", lease);
win_sparkle_set_appcast_url("https://licenses.example.com/v1/updates/prd_.../-/appcast/stable/windows/x64");
win_sparkle_init();`,
  'Tauri 2 (Rust)': `let endpoint = format!("{base}/v1/updates/{product_id}/-/tauri/stable/{{{{target}}}}/{{{{arch}}}}/{{{{current_version}}}}");
let update = app.updater_builder().endpoints(vec![endpoint.parse()?])?.header("X-License-Lease", lease)?.build()?.check().await?;`,
  'electron-updater (JavaScript)': `const bundle = process.env.APPIMAGE ? 'appimage' : 'deb';  // on Linux: what this is a build for
const asker = \`current=\${app.getVersion()}&bundle=\${bundle}\`;
autoUpdater.setFeedURL({ provider: 'generic', url: \`\${base}/v1/updates/\${productId}/-/electron?\${asker}\` });
autoUpdater.requestHeaders = { 'X-License-Lease': lease };
autoUpdater.checkForUpdates();`,
  'Velopack (JavaScript)': `// activate or validate with "update_feed": true gave update_feed_url
const manager = new UpdateManager(\`\${updateFeedUrl}/velopack/stable/windows/x64\`);
const update = await manager.checkForUpdatesAsync();`,
  'Your own updater': `curl -H "X-License-Lease: $LEASE" "$BASE/v1/updates/$PRODUCT_ID/-/check/stable/linux/x64?current=1.0.0"`,
};

export const feedSamples: Html = html`${Object.entries(feedOf).map(([name, code]) => codeBlock(name, code))}`;
