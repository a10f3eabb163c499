import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { openGuide } from '../../support/http/guide-code.ts';
import { bytesOf, type SoldApp, sellApp } from '../../support/scenes/releases/sold-app.ts';
import { temporaryFolder } from '../../support/scenes/stack.ts';
import { type StackHarness, startStackHarness } from '../../support/scenes/stack-harness.ts';

jest.setTimeout(120_000);

const run = promisify(execFile);
const driver = join(import.meta.dirname, 'electron-driver.ts');
const platforms = { win32: ['windows', 'exe'], darwin: ['macos', 'zip'], linux: ['linux', 'AppImage'] } as const;
type Platform = keyof typeof platforms;
const all = Object.keys(platforms) as Platform[];

let harness: StackHarness;
let app: SoldApp;
let told: any;
let snippet: string;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  [harness, folder] = await Promise.all([startStackHarness(), temporaryFolder()]);
  app = await sellApp(harness);
  const artifacts = (version: string) =>
    Object.values(platforms).map(([platform, extension]) => {
      const name = `Lumen-${version}.${extension}`;
      return { name, bytes: bytesOf(name), platform, arch: 'any', feeds: ['electron'] };
    });
  await app.release('1.0.0', artifacts('1.0.0'));
  const deb = { name: 'Lumen-1.1.0.deb', bytes: bytesOf('Lumen-1.1.0.deb'), platform: 'linux', arch: 'x64', feeds: ['electron'] };
  await app.release('1.1.0', [...artifacts('1.1.0'), deb]);
  await app.release('2.0.0', artifacts('2.0.0'), { requires_features: ['another edition'] });
  told = await app.activate('laptop');
  const guide = await openGuide(`${harness.baseUrl}/docs/updates?lang=en`, app.productId);
  snippet = guide('electron-updater (JavaScript)');
});
afterAll(async () => {
  await Promise.all([harness.stop(), folder.remove()]);
});

async function drive(platform: Platform, version: string, more: object = {}) {
  const task = { folder: folder.path, platform, version, snippet, lease: told.lease, ...more };
  const { stdout } = await run(process.execPath, [driver, JSON.stringify(task)], {
    env: { ...process.env, NODE_OPTIONS: '' },
    timeout: 30_000,
  });
  return JSON.parse(stdout);
}

describe.each(all)('electron-updater on %s, with the code of the guide', (platform) => {
  test('finds what the license covers, with the notes and the date as they are, and downloads it', async () => {
    expect(await drive(platform, '1.0.0')).toEqual({
      isUpdateAvailable: true,
      version: '1.1.0',
      notes: '新版 1.1.0 <b>]]>',
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    const name = `Lumen-1.1.0.${platforms[platform][1]}`;
    expect(await drive(platform, '1.0.0', { download: true })).toEqual({ bytes: bytesOf(name).toString() });
  });
});

test.each(all)('it finds nothing for the same version, and for a newer one none that is older, on %s', async (platform) => {
  for (const version of ['1.1.0', '1.5.0']) expect(await drive(platform, version)).toEqual({ isUpdateAvailable: false, version });
});

test('installed as a deb it downloads the deb', async () => {
  const downloaded = await drive('linux', '1.0.0', { packageType: 'deb', download: true });
  expect(downloaded).toEqual({ bytes: bytesOf('Lumen-1.1.0.deb').toString() });
});

test('it takes a ticket in the address, to the file too', async () => {
  const url = `${told.update_feed_url}/electron`;
  expect(await drive('linux', '1.0.0', { url, download: true })).toEqual({ bytes: bytesOf('Lumen-1.1.0.AppImage').toString() });
});

test('it takes a proof that fails for no update, and no fault', async () => {
  const url = `${told.update_feed_url.toLowerCase().replace(/prd_[^/]*/, app.productId)}/electron`;
  expect(await drive('win32', '1.0.0', { url })).toMatchObject({ isUpdateAvailable: false });
});

test('it takes no file that is not the one of the feed', async () => {
  // What it downloaded before it would take.
  const empty = await temporaryFolder();
  const spoilt = await drive('linux', '1.0.0', { folder: empty.path, download: true, spoilt: true });
  await empty.remove();
  expect(spoilt).toEqual({ error: 'ERR_CHECKSUM_MISMATCH' });
});

test('it waits until a release is rolled out to it', async () => {
  const bytes = bytesOf('1.2.0');
  const id = await app.release('1.2.0', [{ name: 'Lumen-1.2.0.exe', bytes, platform: 'windows', arch: 'any', feeds: ['electron'] }], {}, 0);
  expect(await drive('win32', '1.0.0')).toMatchObject({ isUpdateAvailable: true, version: '1.1.0' });
  await app.rollOut(id, 100);
  expect(await drive('win32', '1.0.0')).toMatchObject({ isUpdateAvailable: true, version: '1.2.0' });
});
