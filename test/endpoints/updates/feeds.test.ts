import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { releaseKey } from '../../../shared/db/keys.ts';
import { newId } from '../../../shared/ids.ts';
import type { License } from '../../../shared/licenses/license.ts';
import { recordRevocation } from '../../../shared/licenses/license-repository.ts';
import { startUpdateScene, type UpdateScene } from '../../support/scenes/releases/update-scene.ts';

let scene: UpdateScene;
let license: License;
let ticket: string;
beforeAll(async () => {
  scene = await startUpdateScene();
  license = await scene.license({ updatesUntil: '2026-06-01T00:00:00.000Z' });
  ticket = scene.ticketOf(license);
  await scene.windows('1.0.0', { covered_at: '2026-01-01T00:00:00.000Z', notes: '<b>One</b> ]]> 新版' });
  await scene.windows('1.1.0', { covered_at: '2026-05-01T00:00:00.000Z', critical: true });
  await scene.windows('2.0.0', { covered_at: '2026-07-01T00:00:00.000Z' });
});
afterAll(() => scene.stop());

const get = (path: string, { proof = ticket, ...headers }: Record<string, string> = {}) =>
  scene.call('GET', `${scene.base}/${proof}/${path}`, { headers });
const check = async (query = '', headers?: Record<string, string>) => (await get(`check/stable/windows/x64${query}`, headers)).json;
const addressOf = (version: string) =>
  `http://127.0.0.1:3000${scene.base}/${ticket}/files/${version}/windows-x64/Lumen-${version}-full.nupkg`;

describe('a check', () => {
  test('offers the highest release that the license covers, with its files', async () => {
    const reply = await get('check/stable/windows/x64?current=1.0.0', { Origin: 'https://app.example' });
    const artifact = {
      platform: 'windows',
      arch: 'x64',
      kind: 'full',
      feeds: ['appcast', 'tauri', 'velopack'],
      build: '1.1.0',
      package_id: 'Lumen',
      ed25519_signature: expect.any(String),
      minisign_signature: expect.any(String),
      file_name: 'Lumen-1.1.0-full.nupkg',
      size_bytes: 40,
      sha256_hex: expect.any(String),
      url: addressOf('1.1.0'),
    };
    const update = { version: '1.1.0', notes: 'What changed in 1.1.0', critical: true, published_at: expect.any(String) };
    const updates_until = '2026-06-01T00:00:00.000Z';
    expect(reply.json).toEqual({ code: 'update_available', updates_until, update: { ...update, artifacts: [artifact] } });
    const headers = {
      'x-update-code': 'update_available',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': expect.stringContaining('X-Update-Code'),
    };
    expect(reply.headers).toMatchObject(headers);
    const head = await scene.call('HEAD', `${scene.base}/${ticket}/check/stable/windows/x64`);
    expect([head.status, head.text, head.headers['x-update-code']]).toEqual([200, '', 'update_available']);
  });

  test('takes a lease of either kind in its header, which a ticket in the address outdoes', async () => {
    for (const kind of ['online', 'offline'] as const)
      expect((await check('', { proof: '-', 'X-License-Lease': scene.leaseOf(license, kind) })).code).toBe('update_available');
    expect((await check('', { 'X-License-Lease': 'x' })).code).toBe('update_available');
    expect(await check('', { proof: '-', Authorization: `Bearer ${scene.leaseOf(license)}` })).toEqual({ code: 'proof_missing' });
  });

  test('tells what an upgrade of the license would bring', async () => {
    expect(await check('?current=1.1.0')).toEqual({
      code: 'not_covered',
      updates_until: '2026-06-01T00:00:00.000Z',
      upgrade: { version: '2.0.0', url: `http://127.0.0.1:3000/p/${scene.product.slug}/releases` },
    });
  });

  test.each(['?current=', '?current=1.1.0&current=1.1.0', '?current=%E0%A4%A&os=%', '?os=eleven&other=1&localVersion=9.0.0&bundle=zip'])(
    'ignores what is malformed in %s',
    async (query) => {
      expect((await check(query)).update.version).toBe('1.1.0');
    },
  );

  test.each([
    ['/nightly/windows/x64', 'channel'],
    ['/stable/any/x64', 'platform'],
    ['/stable/windows/any', 'arch'],
  ])('refuses %s', async (place, field) => {
    const { status, json } = await get(`check${place}`);
    expect([status, json.code, json.message]).toEqual([400, 'invalid_request', expect.stringContaining(field)]);
  });

  test('knows no product of another id, whatever the proof', async () => {
    const feeds = ['check/stable/windows/x64', 'appcast/stable/windows/x64', 'tauri/stable/windows/x86_64/1.0.0', 'electron/latest.yml'];
    for (const id of [newId('product'), scene.product.id.toLowerCase(), 'x']) {
      const replies = await Promise.all(feeds.map((feed) => scene.call('GET', `/v1/updates/${id}/-/${feed}`)));
      expect(replies.map(({ status, json }) => [status, json.code])).toEqual(feeds.map(() => [404, 'product_not_found']));
    }
  });
});

describe('what each updater gets', () => {
  test('Sparkle', async () => {
    const { headers, text } = await get('appcast/stable/windows/x64');
    expect(headers['content-type']).toBe('application/rss+xml');
    expect(text.match(/(?<=<sparkle:shortVersionString>)[^<]*/g)).toEqual(['1.1.0', '1.0.0']);
    expect(text.match(/(?<=<enclosure url=")[^"]*/g)).toEqual([addressOf('1.1.0'), addressOf('1.0.0')]);
    const descriptions = async (call = scene.call) =>
      (await call('GET', `${scene.base}/${ticket}/appcast/stable/windows/x64`)).text.match(/(?<=<description>)[^<]*/g)?.slice(1);
    const made = [
      '&#x3C;p>What changed in 1.1.0&#x3C;/p>\n',
      '&#x3C;p>&#x26;lt;b&#x26;gt;One&#x26;lt;/b&#x26;gt; ]]&#x26;gt; 新版&#x3C;/p>\n',
    ];
    expect(await descriptions()).toEqual(made);
    const key = releaseKey(scene.product.id, '1.0.0');
    const { renderedNotes: kept, ...release } = (await scene.table.get(key)) ?? {};
    expect(kept).toEqual({ html: '<p>&lt;b&gt;One&lt;/b&gt; ]]&gt; 新版</p>\n', writer: expect.any(Number) });
    await scene.table.write({ put: { Item: { ...release, ...key, renderedNotes: { ...(kept as object), html: 'kept' } } } });
    expect(await descriptions(scene.files.openService())).toEqual([made[0], 'kept']);
    // As releases were before what notes become was kept.
    await scene.table.write({ put: { Item: { ...release, ...key } } });
    expect(await descriptions(scene.files.openService())).toEqual(made);
    expect((await get('appcast/stable/windows/x64?current=1.1.0')).text).toMatch(/<item>(?!.*<enclosure).*2\.0\.0.*<\/item>/s);
  });

  test('Tauri', async () => {
    const said = { version: '1.1.0', url: addressOf('1.1.0'), notes: 'What changed in 1.1.0' };
    const { json } = await get('tauri/stable/windows/x86_64/1.0.0');
    expect(json).toEqual({ ...said, signature: expect.any(String), pub_date: expect.any(String) });
    const none = await get('tauri/stable/windows/x86_64/1.1.0');
    expect([none.status, none.text, none.headers['x-update-code']]).toEqual([204, '', 'not_covered']);
    expect((await get('tauri/stable/windows/x86_64/one')).json.version).toBe('1.1.0');
  });

  test('electron-updater', async () => {
    const file_id = await scene.cleanFile('Lumen-1.2.0.zip');
    const forMac = { platform: 'macos', arch: 'arm64', kind: 'full', feeds: ['electron'], file_id };
    await scene.published('1.2.0', { covered_at: '2026-05-02T00:00:00.000Z', artifacts: [forMac, { ...forMac, arch: 'x64' }] });
    const addressFor = (arch: string) => addressOf('1.2.0').replace('windows-x64', `macos-${arch}`).replace('-full.nupkg', '.zip');
    const [path, other] = [addressFor('x64'), addressFor('arm64')];
    expect(load((await get('electron/latest-mac.yml')).text)).toMatchObject({
      version: '1.2.0',
      path,
      files: [{ url: path }, { url: other }],
    });
    expect(load((await get('electron/latest-arm64-mac.yml')).text)).toMatchObject({
      version: '1.2.0',
      path: other,
      files: [{ url: other }],
    });
    expect(load((await get('electron/latest-mac.yml?bundle=deb')).text)).toMatchObject({ version: '1.2.0' });
    expect((await get('electron/stable-mac.yml?current=1.2.0')).text).toBe('version: "1.2.0"\nfiles: []\n');
    const forLinux = (file_id: string) => ({ ...forMac, platform: 'linux', arch: 'x64', file_id });
    const publish = async (version: string, ...names: string[]) => {
      const artifacts = await Promise.all(names.map(async (name) => forLinux(await scene.cleanFile(name))));
      await scene.published(version, { covered_at: '2026-05-02T00:00:00.000Z', artifacts });
    };
    await publish('1.2.1', 'L3.AppImage', 'l3.deb');
    await publish('1.2.2', 'l4.deb', 'l4.rpm');
    const linux = async (query = '') => {
      const { headers, text } = await get(`electron/latest-linux.yml${query}`);
      const { version, files } = load(text) as { version: string; files: { url: string }[] };
      return [headers['x-update-code'], version, ...files.map(({ url }) => url.replace(/^.*files/, ''))];
    };
    const [image, deb, rpm] = ['/1.2.1/linux-x64/L3.AppImage', '/1.2.2/linux-x64/l4.deb', '/1.2.2/linux-x64/l4.rpm'];
    expect(await linux()).toEqual(['update_available', '1.2.2', image, deb, rpm]);
    expect(await linux('?bundle=appimage')).toEqual(['update_available', '1.2.1', image]);
    expect(await linux('?bundle=deb&current=1.2.1')).toEqual(['update_available', '1.2.2', deb]);
    expect(await linux('?bundle=rpm')).toEqual(['update_available', '1.2.2', rpm]);
    expect(await linux('?bundle=appimage&current=1.2.1')).toEqual(['up_to_date', '1.2.1']);
    expect(await linux('?bundle=pacman&current=1.0.0')).toEqual(['no_release', '1.0.0']);
    expect(await linux('?current=1.2.1')).toEqual(['update_available', '1.2.2', deb, rpm]);
    const none = await get('electron/latest.yml');
    expect([none.status, none.text, none.headers['x-update-code']]).toEqual([200, 'version: "0.0.0"\nfiles: []\n', 'no_release']);
  });

  test('Velopack', async () => {
    const { Assets } = (await get('velopack/stable/windows/x64/RELEASES.win.json?localVersion=1.0.0&os=win&arch=x64')).json;
    const full = { PackageId: 'Lumen', Version: '1.1.0', Type: 'Full', FileName: 'Lumen-1.1.0-full.nupkg', Size: 40 };
    expect(Assets).toEqual([expect.objectContaining(full)]);
    expect([Assets[0].SHA1, Assets[0].SHA256]).toEqual([expect.stringMatching(/^[\dA-F]{40}$/), expect.stringMatching(/^[\dA-F]{64}$/)]);
    expect((await get('velopack/stable/macos/arm64/releases.osx.json')).json).toEqual({ Assets: [] });
  });

  test('Velopack, with no delta over a release that the license does not cover', async () => {
    const forLinux = { platform: 'linux', arch: 'x64', feeds: ['velopack'], package_id: 'Lumen' };
    const step = async (from_version: string, version: string, covered_at: string) => {
      const full = { ...forLinux, kind: 'full', file_id: await scene.cleanFile(`Lumen-${version}-linux-full.nupkg`) };
      const delta = { ...forLinux, kind: 'delta', from_version, file_id: await scene.cleanFile(`Lumen-${version}-linux-delta.nupkg`) };
      await scene.published(version, { covered_at, artifacts: [full, delta] });
    };
    await step('1.2.0', '1.3.0', '2026-07-01T00:00:00.000Z');
    await step('1.3.0', '1.4.0', '2026-05-03T00:00:00.000Z');
    const feed = 'velopack/stable/linux/x64/releases.linux.json?localVersion=1.2.0';
    const assets = async (proof?: string) =>
      (await get(feed, proof ? { proof } : {})).json.Assets.map(({ Version, Type }: any) => `${Version} ${Type}`);
    expect(await assets()).toEqual(['1.4.0 Full']);
    const endless = scene.ticketOf(await scene.license());
    expect(await assets(endless)).toEqual(['1.4.0 Full', '1.4.0 Delta', '1.3.0 Delta']);
  });
});

describe('nothing is offered', () => {
  test.each([
    ['without a proof', () => '-', 'proof_missing'],
    ['for a ticket in lower case', () => ticket.toLowerCase(), 'proof_invalid'],
    ['for bidi controls', () => '%E2%80%AE', 'proof_invalid'],
    ['for a proof of another product', () => scene.ticketOf({ ...license, productId: newId('product') }), 'proof_invalid'],
    ['for a license that is not there', () => scene.ticketOf({ ...license, id: newId('license') }), 'proof_invalid'],
  ])('%s', async (_what, proofOf, code) => {
    const proof = proofOf();
    expect(await check('', { proof })).toEqual({ code });
    const feeds = ['appcast/stable/windows/x64', 'tauri/stable/windows/x86_64/1.0.0', 'electron/latest.yml'];
    const replies = await Promise.all([...feeds, 'velopack/stable/windows/x64/releases.win.json'].map((feed) => get(feed, { proof })));
    expect(replies.map(({ status }) => status)).toEqual([200, 204, 200, 200]);
    expect(replies.map(({ headers }) => headers['x-update-code'])).toEqual([code, code, code, code]);
  });

  test('for the license of a test key, or of another product', async () => {
    const own = await scene.license({ orderId: undefined as unknown as License['orderId'] });
    const foreign = { ...(await scene.license({ productId: newId('product') })), productId: scene.product.id };
    for (const other of [own, foreign]) expect(await check('', { proof: scene.ticketOf(other) })).toEqual({ code: 'proof_invalid' });
  });

  test.each([
    ['license_refunded', { paymentHold: 'refunded' }],
    ['license_suspended', { suspendedAt: '2026-03-01T00:00:00.000Z' }],
    ['license_expired', { expiresAt: '2026-03-01T00:00:00.000Z' }],
  ] as const)('to a license that is held: %s', async (code, facts) => {
    expect(await check('', { proof: scene.ticketOf(await scene.license(facts)) })).toEqual({ code });
  });

  test('from the moment at which the license is revoked, or the proof ends', async () => {
    const revoked = await scene.license({ updatesUntil: '2026-06-01T00:00:00.000Z' });
    const proof = scene.ticketOf(revoked);
    expect((await check('', { proof })).code).toBe('update_available');
    await scene.table.write(recordRevocation(revoked, { revokedAt: scene.files.now().toISOString(), revokedBy: 'admin' }));
    expect(await check('', { proof })).toEqual({ code: 'license_revoked', updates_until: '2026-06-01T00:00:00.000Z' });
    scene.files.pass(24 * 3600 + 1);
    expect(await check()).toEqual({ code: 'proof_expired' });
  });
});
