import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { License } from '../../../shared/licenses/license.ts';
import { recordRevocation } from '../../../shared/licenses/license-repository.ts';
import { startUpdateScene, type UpdateScene } from '../../support/scenes/releases/update-scene.ts';

let scene: UpdateScene;
let license: License;
let ticket: string;
beforeAll(async () => {
  scene = await startUpdateScene({ environment: { UPDATE_URL_SECONDS: '60' } });
  license = await scene.license({ updatesUntil: '2026-06-01T00:00:00.000Z' });
  ticket = scene.ticketOf(license);
  await scene.windows('1.0.0', { covered_at: '2026-01-01T00:00:00.000Z', bytes: Buffer.from('the bytes of 1.0.0') });
  await scene.windows('2.0.0', { covered_at: '2026-07-01T00:00:00.000Z' });
});
afterAll(() => scene.stop());

const fileOf = (version: string) => `files/${version}/windows-x64/Lumen-${version}-full.nupkg`;
const byName = (name: string) => `velopack/stable/windows/x64/${name}`;
const get = (path: string, proof = ticket, method = 'GET') => scene.call(method, `${scene.base}/${proof}/${path}`);
const told = async (path: string, proof?: string) => {
  const { status, json } = await get(path, proof);
  return [status, json?.code];
};

describe('a download', () => {
  test.each([
    ['by its address', fileOf('1.0.0')],
    ['by the name that it has in Velopack’s feeds', byName('Lumen-1.0.0-full.nupkg')],
    ['by that name in lower case, wherever it is looked for', 'velopack/any/any/any/lumen-1.0.0-full.nupkg'],
  ])('leads %s to the store, which serves parts too, and tells HEAD how large it is', async (_how, path) => {
    const reply = await get(path);
    expect([reply.status, reply.text, reply.headers['cache-control']]).toEqual([302, '', 'no-store']);
    const { location = '' } = reply.headers;
    const whole = await fetch(location);
    expect(await whole.text()).toBe('the bytes of 1.0.0');
    expect(whole.headers.get('content-disposition')).toContain('attachment; filename="Lumen-1.0.0-full.nupkg"');
    const part = await fetch(location, { headers: { Range: 'bytes=4-8' } });
    expect([part.status, await part.text()]).toEqual([206, 'bytes']);
    expect(new URL(location).searchParams.get('X-Amz-Expires')).toBe('60');
    const head = await get(path, ticket, 'HEAD');
    const described = { 'content-length': '18', 'content-type': 'application/zip', 'accept-ranges': 'bytes', 'cache-control': 'no-store' };
    expect(head).toMatchObject({ status: 200, text: '', headers: described });
  });

  test('takes the lease in its header', async () => {
    const headers = { 'X-License-Lease': scene.leaseOf(license) };
    expect((await scene.call('GET', `${scene.base}/-/${fileOf('1.0.0')}`, { headers })).status).toBe(302);
  });

  test.each([
    ['without a proof', fileOf('2.0.0'), '-', [403, 'update_proof_invalid']],
    ['without a proof by name', byName('Lumen-2.0.0-full.nupkg'), '-', [403, 'update_proof_invalid']],
    ['of a release that there is not', fileOf('3.0.0'), undefined, [404, 'file_not_found']],
    ['of a version that can be none', fileOf('v1'), undefined, [404, 'file_not_found']],
    ['of another file', 'files/1.0.0/windows-x64/Other.exe', undefined, [404, 'file_not_found']],
    ['of another place', 'files/1.0.0/windows-any/Lumen-1.0.0-full.nupkg', undefined, [404, 'file_not_found']],
    ['of a name that there is not', byName('Other.nupkg'), undefined, [404, 'file_not_found']],
    ['of a name that can be none', byName('x'.repeat(2000)), undefined, [404, 'file_not_found']],
    ['of what is not covered', fileOf('2.0.0'), undefined, [403, 'update_not_covered']],
    ['of what is not covered, by name', byName('Lumen-2.0.0-full.nupkg'), undefined, [403, 'update_not_covered']],
  ])('is refused %s', async (_what, path, proof, expected) => {
    expect(await told(path, proof)).toEqual(expected);
  });

  test('is refused of what was never published', async () => {
    const fileId = await scene.cleanFile('Lumen-1.5.0-full.nupkg');
    await scene.submitted('1.5.0', { artifacts: [{ platform: 'windows', arch: 'x64', kind: 'full', file_id: fileId }] });
    expect(await told(fileOf('1.5.0'))).toEqual([404, 'file_not_found']);
  });

  test('is there whatever the rollout, and gone with the release, its file, product or seller', async () => {
    const release = await scene.windows('0.9.0', { covered_at: '2026-01-01T00:00:00.000Z' });
    await scene.move(release.id, 'publish', { rollout_percent: 0 });
    const [there, gone] = [
      [302, undefined],
      [403, 'file_not_available'],
    ];
    expect(await told(fileOf('0.9.0'))).toEqual(there);
    await scene.files.change({ product: { status: 'suspended' } });
    expect(await told(fileOf('0.9.0'))).toEqual(gone);
    await scene.files.change({ product: { status: 'approved' }, seller: { internalReviewStatus: 'suspended' } });
    expect(await told(fileOf('0.9.0'))).toEqual(gone);
    await scene.files.change({ seller: { internalReviewStatus: 'approved' } });
    expect(await told(fileOf('0.9.0'))).toEqual(there);
    await scene.files.review(release.artifacts[0].file_id, { decision: 'disable' });
    expect(await told(fileOf('0.9.0'))).toEqual(gone);
    const yanked = await scene.windows('0.8.0', { covered_at: '2026-01-01T00:00:00.000Z' });
    await scene.move(yanked.id, 'yank', { reason: 'It loses files.' });
    expect(await told(fileOf('0.8.0'))).toEqual(gone);
  });

  test('is refused to a license that is not active, after what there is', async () => {
    const revoked = await scene.license();
    await scene.table.write(recordRevocation(revoked, { revokedAt: scene.files.now().toISOString(), revokedBy: 'admin' }));
    expect(await told(fileOf('2.0.0'), scene.ticketOf(revoked))).toEqual([403, 'license_not_usable']);
    expect(await told(fileOf('3.0.0'), scene.ticketOf(revoked))).toEqual([404, 'file_not_found']);
  });
});

describe('the limits of a license', () => {
  const limited = () => scene.files.openService({ RATE_LIMIT_UPDATES: '2', RATE_LIMIT_UPDATE_DOWNLOAD: '1' });
  async function countAllowed(call: UpdateScene['call'], path: string, method = 'GET'): Promise<number> {
    for (let allowed = 0; allowed < 20; allowed += 1) if ((await call(method, `${scene.base}/${path}`)).status === 429) return allowed;
    return Number.POSITIVE_INFINITY;
  }

  test('count its checks, and not those of others or of nobody', async () => {
    const call = limited();
    const [one, other] = [scene.ticketOf(await scene.license()), scene.ticketOf(await scene.license())];
    const check = 'check/stable/windows/x64';
    expect([await countAllowed(call, `${one}/${check}`), await countAllowed(call, `${other}/${check}`)]).toEqual([2, 2]);
    for (const feed of [
      'appcast/stable/macos/arm64',
      'tauri/stable/linux/x86_64/1.0.0',
      'electron/latest.yml',
      'velopack/stable/windows/x64/releases.win.json',
    ])
      expect((await call('GET', `${scene.base}/${one}/${feed}`)).json.code).toBe('rate_limited');
    expect(await countAllowed(call, `-/${check}`)).toBe(Number.POSITIVE_INFINITY);
  });

  test('count what leads to a file, four times more for each seat, and not HEAD', async () => {
    const call = limited();
    const path = `${scene.ticketOf(await scene.license({ activationLimit: 2 }))}/${fileOf('1.0.0')}`;
    expect(await countAllowed(call, path, 'HEAD')).toBe(Number.POSITIVE_INFINITY);
    expect(await countAllowed(call, path)).toBe(9);
    const { headers, json } = await call('GET', `${scene.base}/${path}`);
    expect([json.code, Number(headers['retry-after']) > 60]).toEqual(['rate_limited', true]);
  });
});
