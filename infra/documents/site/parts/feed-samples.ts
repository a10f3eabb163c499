import { type Html, html } from '../../../../shared/html.ts';
import { codeBlock } from '../section.ts';

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
  'electron-updater (JavaScript)': `autoUpdater.setFeedURL({ provider: 'generic', url: \`\${base}/v1/updates/\${productId}/-/electron\` });
autoUpdater.requestHeaders = { 'X-License-Lease': lease };
autoUpdater.checkForUpdates();`,
  'Velopack (JavaScript)': `// activate or validate with "update_feed": true gave update_feed_url
const manager = new UpdateManager(\`\${updateFeedUrl}/velopack/stable/windows/x64\`);
const update = await manager.checkForUpdatesAsync();`,
  'Your own updater': `curl -H "X-License-Lease: $LEASE" "$BASE/v1/updates/$PRODUCT_ID/-/check/stable/linux/x64?current=1.0.0"`,
};

export const feedSamples: Html = html`${Object.entries(feedOf).map(([name, code]) => codeBlock(name, code))}`;
