import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { openGuide } from '../../support/http/guide-code.ts';
import { bytesOf, type SoldApp, sellApp } from '../../support/scenes/releases/sold-app.ts';
import { type StackHarness, startStackHarness } from '../../support/scenes/stack-harness.ts';

// Updaters that do not run here: what the guide shows for them is compared with what their sources know, and the address in it is
// asked as they ask it.
jest.setTimeout(120_000);

let harness: StackHarness;
let app: SoldApp;
let guide: (caption: string) => string;
let lease: string;
const signature = Buffer.alloc(64, 7).toString('base64');

beforeAll(async () => {
  harness = await startStackHarness();
  app = await sellApp(harness);
  guide = await openGuide(`${harness.baseUrl}/docs/updates?lang=en`, app.productId);
  const artifact = (name: string, platform: string, more: object) => ({ name, bytes: bytesOf(name), platform, arch: 'x64', ...more });
  const appcast = { feeds: ['appcast'], build: '110', ed25519_signature: signature };
  const tauri = { feeds: ['tauri'], minisign_signature: signature };
  await app.release('1.1.0', [
    artifact('Lumen.dmg', 'macos', appcast),
    artifact('Lumen.exe', 'windows', appcast),
    ...['AppImage', 'deb', 'rpm'].map((ending) => artifact(`lumen.${ending}`, 'linux', { ...tauri, bundle: ending.toLowerCase() })),
    artifact('Lumen.app.tar.gz', 'macos', { ...tauri, bundle: 'app' }),
    artifact('Lumen.msi', 'windows', { ...tauri, bundle: 'msi' }),
    artifact('Lumen-setup.exe', 'windows', { ...tauri, bundle: 'nsis' }),
  ]);
  lease = (await app.activate('laptop')).lease;
});
afterAll(() => harness?.stop());

const ask = (address: string) => fetch(address, { headers: { 'X-License-Lease': lease } });
const addressIn = (code: string) => /"(http[^"]*)"/.exec(code)?.[1] ?? '';

/** Sparkle 2: `SPUUpdaterDelegate.h` and `SPUUpdater.h`, with the names that Swift gives; it compares builds with `CFBundleVersion`. */
test('what the guide shows for Sparkle is in its headers, and its address leads to what is newer', async () => {
  const code = guide('Sparkle 2 (Swift, in the delegate of SPUUpdater)');
  expect(code.split('\n').slice(0, 2)).toEqual([
    'func feedURLString(for updater: SPUUpdater) -> String? {',
    '  updater.httpHeaders = ["X-License-Lease": lease]',
  ]);
  const address = (version: string) =>
    addressIn(code.split('return ')[1] ?? '')
      .replace('\\(arch)', 'x64')
      .replace('\\(version)', version);
  expect(await (await ask(address('1.0.0'))).text()).toContain('<sparkle:version>110</sparkle:version>');
  expect(await (await ask(address('1.1.0'))).text()).not.toContain('<item>');
});

/** WinSparkle: `include/winsparkle.h`, the header since 0.7. Without a build it would compare the product's version with ours. */
test('what the guide shows for WinSparkle is in its header, and its address leads to what is newer', async () => {
  const code = guide('WinSparkle (C)');
  expect(code.match(/win_sparkle_\w+/g)).toEqual([
    'win_sparkle_set_http_header',
    'win_sparkle_set_app_build_version',
    'win_sparkle_set_appcast_url',
    'win_sparkle_init',
  ]);
  expect(await (await ask(addressIn(code).replace('1.2.0', '1.0.0'))).text()).toContain('<sparkle:version>110</sparkle:version>');
});

/** Tauri: `plugins/updater/src/updater.rs` of 2.10; before, the last of these variables stays as it stands. */
const variables = ['target', 'arch', 'current_version', 'bundle_type'];

test.each([
  ['linux', 'appimage', 'lumen.AppImage'],
  ['linux', 'deb', 'lumen.deb'],
  ['linux', 'rpm', 'lumen.rpm'],
  ['linux', 'unknown', 'lumen.AppImage'],
  ['linux', '{{bundle_type}}', 'lumen.AppImage'],
  ['darwin', 'app', 'Lumen.app.tar.gz'],
  ['windows', 'msi', 'Lumen.msi'],
  ['windows', 'nsis', 'Lumen-setup.exe'],
])('the address that the guide shows for Tauri leads an app on %s that was installed as %s to %s', async (target, bundle, name) => {
  const address = addressIn(guide('Tauri 2 (Rust)'));
  expect([...address.matchAll(/\{\{(.*?)\}\}/g)].map(([, variable]) => variable)).toEqual(variables);
  const fill = (version: string) => {
    const values = [target, 'x86_64', version, bundle];
    return variables.reduce((filled, variable, index) => filled.replace(`{{${variable}}}`, values[index] ?? ''), address);
  };
  const reply = await ask(fill('1.0.0'));
  expect(await reply.json()).toMatchObject({ version: '1.1.0', url: expect.stringContaining(`/${name}`) });
  expect((await ask(fill('1.1.0'))).status).toBe(204);
});

test('an updater of one’s own asks by the command that the guide shows', async () => {
  const env = { PATH: process.env['PATH'], LEASE: lease };
  const { stdout } = await promisify(execFile)('sh', ['-c', guide('Your own updater')], { env });
  expect(JSON.parse(stdout)).toMatchObject({ code: 'update_available', update: { version: '1.1.0' } });
});
