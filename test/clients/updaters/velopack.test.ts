import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { openGuide } from '../../support/http/guide-code.ts';
import { bytesOf, type SoldApp, sellApp } from '../../support/scenes/releases/sold-app.ts';
import { temporaryFolder } from '../../support/scenes/stack.ts';
import { type StackHarness, startStackHarness } from '../../support/scenes/stack-harness.ts';

jest.setTimeout(120_000);

const run = promisify(execFile);
const driver = join(import.meta.dirname, 'velopack-driver.ts');
const nameOf = (version: string) => `Lumen-${version}-full.nupkg`;
const isInstalled = existsSync(join(import.meta.dirname, '..', '..', '..', 'node_modules', 'velopack'));

(isInstalled ? describe : describe.skip)(`velopack${isInstalled ? '' : ', which is built for other systems alone'}`, () => {
  let harness: StackHarness;
  let app: SoldApp;
  let asked: object;
  beforeAll(async () => {
    harness = await startStackHarness();
    app = await sellApp(harness);
    const artifact = { platform: 'windows', arch: 'x64', feeds: ['velopack'], package_id: 'Lumen' };
    const full = (version: string) => ({ ...artifact, name: nameOf(version), bytes: bytesOf(version) });
    await app.release('1.0.0', [full('1.0.0')]);
    const delta = { ...artifact, kind: 'delta', name: 'Lumen-1.1.0-delta.nupkg', bytes: bytesOf('delta'), from_version: '1.0.0' };
    await app.release('1.1.0', [full('1.1.0'), delta]);
    await app.release('2.0.0', [full('2.0.0')], { requires_features: ['another edition'] });
    await app.activate('laptop');
    const guide = await openGuide(`${harness.baseUrl}/docs/updates?lang=en`, app.productId);
    asked = { snippet: guide('Velopack (JavaScript)'), key: app.licenseKey, fingerprint: 'laptop' };
  });
  afterAll(() => harness?.stop());

  async function drive(version: string, more: object = {}) {
    const folder = await temporaryFolder();
    const task = { folder: folder.path, version, ...asked, ...more };
    const env = { ...process.env, NODE_OPTIONS: '' };
    const { stdout } = await run(process.execPath, [driver, JSON.stringify(task)], { env, timeout: 30_000 });
    await folder.remove();
    // It logs there too.
    return JSON.parse(stdout.split('\n').at(-1) ?? '');
  }

  test('finds what the license covers by the code of the guide, with its notes, and downloads it', async () => {
    expect(await drive('0.9.0')).toEqual({ version: '1.1.0', notes: '新版 1.1.0 <b>]]>' });
    expect(await drive('0.9.0', { download: true })).toEqual({ bytes: bytesOf('1.1.0').toString() });
  });

  test('finds nothing for the same version, a newer one, a device without a seat, and for a proof that fails', async () => {
    for (const version of ['1.1.0', '1.5.0']) expect(await drive(version)).toEqual({});
    expect(await drive('0.9.0', { fingerprint: 'desktop' })).toEqual({});
    const url = `${harness.baseUrl}/v1/updates/${app.productId}/-/velopack/stable/windows/x64`;
    expect(await drive('0.9.0', { url })).toEqual({});
  });
});
