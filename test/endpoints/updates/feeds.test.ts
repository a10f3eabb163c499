import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
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

describe('a check', () => {
  test('offers the highest release that the license covers, with its files', async () => {
    const reply = await get('check/stable/windows/x64?current=1.0.0', { Origin: 'https://app.example' });
    expect(reply.json).toEqual({
      code: 'update_available',
      updates_until: '2026-06-01T00:00:00.000Z',
      update: {
        version: '1.1.0',
        notes: 'What changed in 1.1.0',
        critical: true,
        published_at: expect.any(String),
        artifacts: [
          {
            platform: 'windows',
            arch: 'x64',
            kind: 'full',
            feeds: ['appcast', 'tauri', 'electron', 'velopack'],
            build: '1.1.0',
            package_id: 'Lumen',
            ed25519_signature: expect.any(String),
            minisign_signature: expect.any(String),
            file_name: 'Lumen-1.1.0-full.nupkg',
            size_bytes: 40,
            sha256_hex: expect.any(String),
            url: `http://127.0.0.1:3000${scene.base}/${ticket}/files/1.1.0/windows-x64/Lumen-1.1.0-full.nupkg`,
          },
        ],
      },
    });
    expect(reply.headers).toMatchObject({
      'x-update-code': 'update_available',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': expect.stringContaining('X-Update-Code'),
    });
  });

  test('takes a lease of either kind in its header, which a ticket in the address outdoes', async () => {
    for (const kind of ['online', 'offline'] as const) {
      expect(await check('', { proof: '-', 'X-License-Lease': scene.leaseOf(license, kind) })).toMatchObject({ code: 'update_available' });
    }
    expect(await check('', { 'X-License-Lease': 'x' })).toMatchObject({ code: 'update_available' });
    expect(await check('', { proof: '-', Authorization: `Bearer ${scene.leaseOf(license)}` })).toEqual({ code: 'proof_missing' });
  });

  test('tells what an upgrade of the license would bring', async () => {
    expect(await check('?current=1.1.0')).toEqual({
      code: 'not_covered',
      updates_until: '2026-06-01T00:00:00.000Z',
      upgrade: { version: '2.0.0', url: `http://127.0.0.1:3000/p/${scene.product.slug}/releases` },
    });
  });

  test.each([
    ['?current=', '1.1.0'],
    ['?current=1.1.0&current=1.1.0', '1.1.0'],
    ['?current=v1.1.0', '1.1.0'],
    ['?current=%E0%A4%A&os=%', '1.1.0'],
    ['?os=eleven&other=1&localVersion=9.0.0&bundle=zip', '1.1.0'],
    ['?current=1.0.0%2Bbuild.5', '1.1.0'],
  ])('ignores what is malformed in %s', async (query, version) => {
    expect((await check(query)).update.version).toBe(version);
  });

  test.each([
    ['/nightly/windows/x64', 'channel'],
    ['/stable/any/x64', 'platform'],
    ['/stable/windows/any', 'arch'],
  ])('refuses %s', async (place, field) => {
    const reply = await get(`check${place}`);
    expect([reply.status, reply.json.code]).toEqual([400, 'invalid_request']);
    expect(reply.json.message).toContain(field);
  });

  test('knows no product of another id, whatever the proof', async () => {
    for (const id of [newId('product'), scene.product.id.toLowerCase(), 'x']) {
      const reply = await scene.call('GET', `/v1/updates/${id}/-/check/stable/windows/x64`);
      expect([reply.status, reply.json.code]).toEqual([404, 'product_not_found']);
    }
  });

  test('answers HEAD with the same headers and nothing else', async () => {
    const reply = await scene.call('HEAD', `${scene.base}/${ticket}/check/stable/windows/x64`);
    expect([reply.status, reply.text, reply.headers['x-update-code']]).toEqual([200, '', 'update_available']);
  });
});

describe('what each updater gets', () => {
  const files = (version: string) =>
    `http://127.0.0.1:3000${scene.base}/${ticket}/files/${version}/windows-x64/Lumen-${version}-full.nupkg`;

  test('Sparkle', async () => {
    const reply = await get('appcast/stable/windows/x64');
    expect(reply.headers['content-type']).toBe('application/rss+xml');
    expect(reply.text.match(/(?<=<sparkle:shortVersionString>)[^<]*/g)).toEqual(['1.1.0', '1.0.0']);
    expect(reply.text.match(/(?<=<enclosure url=")[^"]*/g)).toEqual([files('1.1.0'), files('1.0.0')]);
    expect((await get('appcast/stable/windows/x64?current=1.1.0')).text).toMatch(/<item>(?!.*<enclosure).*2\.0\.0.*<\/item>/s);
  });

  test('Tauri', async () => {
    const reply = await get('tauri/stable/windows/x86_64/1.0.0');
    expect(reply.json).toEqual({
      version: '1.1.0',
      url: files('1.1.0'),
      signature: expect.any(String),
      notes: 'What changed in 1.1.0',
      pub_date: expect.any(String),
    });
    const none = await get('tauri/stable/windows/x86_64/1.1.0');
    expect([none.status, none.text, none.headers['x-update-code']]).toEqual([204, '', 'not_covered']);
    expect((await get('tauri/stable/windows/x86_64/one')).json.version).toBe('1.1.0');
  });

  test('electron-updater', async () => {
    expect(load((await get('electron/latest.yml')).text)).toMatchObject({
      version: '1.1.0',
      path: files('1.1.0'),
      files: [{ url: files('1.1.0'), size: 40 }],
    });
    expect((await get('electron/stable.yml?current=1.1.0')).text).toBe('version: "1.1.0"\nfiles: []\n');
    const none = await get('electron/latest-mac.yml');
    expect([none.status, none.text, none.headers['x-update-code']]).toEqual([200, 'version: "0.0.0"\nfiles: []\n', 'no_release']);
  });

  test('Velopack', async () => {
    const { Assets } = (await get('velopack/stable/windows/x64/RELEASES.win.json?localVersion=1.0.0&os=win&arch=x64')).json;
    expect(Assets).toEqual([
      expect.objectContaining({ PackageId: 'Lumen', Version: '1.1.0', Type: 'Full', FileName: 'Lumen-1.1.0-full.nupkg', Size: 40 }),
    ]);
    for (const hash of [Assets[0].SHA1, Assets[0].SHA256]) expect(hash).toMatch(/^(?:[\dA-F]{40}|[\dA-F]{64})$/);
    expect((await get('velopack/stable/macos/arm64/releases.osx.json')).json).toEqual({ Assets: [] });
  });
});

describe('nothing is offered', () => {
  test.each([
    ['without a proof', '-', 'proof_missing'],
    ['for a ticket in lower case', () => ticket.toLowerCase(), 'proof_invalid'],
    ['for bidi controls', '%E2%80%AE', 'proof_invalid'],
    ['for a proof of another product', () => scene.ticketOf({ ...license, productId: newId('product') }), 'proof_invalid'],
    ['for a license that is not there', () => scene.ticketOf({ ...license, id: newId('license') }), 'proof_invalid'],
  ])('%s', async (_what, proof, code) => {
    const proven = typeof proof === 'string' ? proof : proof();
    expect(await check('', { proof: proven })).toEqual({ code });
    const feeds = [
      'appcast/stable/windows/x64',
      'tauri/stable/windows/x86_64/1.0.0',
      'electron/latest.yml',
      'velopack/stable/windows/x64/releases.win.json',
    ];
    const replies = await Promise.all(feeds.map((feed) => get(feed, { proof: proven })));
    expect(replies.map(({ status }) => status)).toEqual([200, 204, 200, 200]);
    expect(replies.map(({ headers }) => headers['x-update-code'])).toEqual([code, code, code, code]);
  });

  test('for the license of a test key', async () => {
    const own = await scene.license({ orderId: undefined as unknown as License['orderId'] });
    expect(await check('', { proof: scene.ticketOf(own) })).toEqual({ code: 'proof_invalid' });
  });

  test('for the license of another product', async () => {
    const foreign = await scene.license({ productId: newId('product') });
    expect(await check('', { proof: scene.ticketOf({ ...foreign, productId: scene.product.id }) })).toEqual({ code: 'proof_invalid' });
  });

  test.each([
    ['license_refunded', { paymentHold: 'refunded' }],
    ['license_disputed', { paymentHold: 'disputed' }],
    ['license_suspended', { suspendedAt: '2026-03-01T00:00:00.000Z' }],
    ['license_expired', { expiresAt: '2026-03-01T00:00:00.000Z' }],
  ] as const)('to a license that is held: %s', async (code, facts) => {
    expect(await check('', { proof: scene.ticketOf(await scene.license(facts)) })).toEqual({ code });
  });

  test('from the moment at which the license is revoked', async () => {
    const revoked = await scene.license({ updatesUntil: '2026-06-01T00:00:00.000Z' });
    const proof = scene.ticketOf(revoked);
    expect(await check('', { proof })).toMatchObject({ code: 'update_available' });
    await scene.table.write(recordRevocation(revoked, { revokedAt: new Date().toISOString(), revokedBy: 'admin' }));
    expect(await check('', { proof })).toEqual({ code: 'license_revoked', updates_until: '2026-06-01T00:00:00.000Z' });
  });

  test('from the moment at which the proof ends', async () => {
    const old = scene.ticketOf(license);
    scene.files.pass(24 * 3600 + 1);
    expect(await check('', { proof: old })).toEqual({ code: 'proof_expired' });
    ticket = scene.ticketOf(license);
  });
});
