import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { conformingFetch } from '../../support/interface/conformance.ts';
import { type HeldScanner, heldBytes } from '../../support/scenes/releases/held-scanner.ts';
import { sell } from '../../support/scenes/sold-stock.ts';
import { eventually, offerProduct, uploadFile } from '../../support/scenes/stack-harness.ts';
import { admin, anyone, seller, stack } from './desk.ts';

type Json = any;

/** Releases, from a build machine's draft to a buyer's update, and back again. */
export function describeReleases(open: () => HeldScanner): void {
  describe('releases', () => {
    let product: { id: string; slug: string };
    let token: string;
    const releases = () => `/v1/products/${product.id}/releases`;
    const move = (id: string, verb: string, body?: object) => seller('POST', `${releases()}/${id}/${verb}`, body);
    const ci = (method: string, path: string, body?: unknown) =>
      stack.call(method, path, { body, headers: { Authorization: `Bearer ${token}` } });
    const review = (id: string, body: object) => admin('PATCH', `/v1/admin/products/${product.id}/releases/${id}/review`, body);
    const reviewFile = (id: string, body: object) => admin('PATCH', `/v1/admin/products/${product.id}/files/${id}/review`, body);

    /** A file that an admin vouched for. */
    async function file(name: string, bytes = `the bytes of ${name}`): Promise<string> {
      const id = await uploadFile(stack, product.id, name, Buffer.from(bytes), { purpose: 'release' });
      await eventually('the file is verified', 30, async () => {
        const { items } = await seller('GET', `/v1/products/${product.id}/files`);
        return items.find((item: Json) => item.id === id && item.hash_status === 'verified');
      });
      await reviewFile(id, { decision: 'manual_clean', manual_scan_clean_reason: 'Checked by hand.' });
      return id;
    }

    const nameOf = (version: string) => `Lumen-${version}-full.nupkg`;
    const artifact = (fileId: string, version: string) => ({
      file_id: fileId,
      platform: 'windows',
      arch: 'x64',
      kind: 'full',
      feeds: ['appcast', 'tauri', 'velopack'],
      build: version,
      package_id: 'Lumen',
      ed25519_signature: Buffer.alloc(64, 7).toString('base64'),
      minisign_signature: 'c2lnbmVk',
    });
    const draft = (version: string, fileId: string, more: object = {}) =>
      seller('POST', releases(), { version, channel: 'stable', notes: 'Faster.', artifacts: [artifact(fileId, version)], ...more });

    test('are drafted and handed in by a build machine, and reviewed', async () => {
      product = await offerProduct(stack, { name: 'Lumen', updates_days: 30 });
      const scopes = ['releases:read', 'releases:write', 'releases:publish'];
      ({ token } = await seller('POST', '/v1/api-tokens', { name: 'CI', scopes, product_ids: [product.id], expires_in_days: 1 }));
      const [kept, left, approved] = [await file(nameOf('1.0.0')), await file('left.nupkg'), await file('approved.nupkg')];
      const files = `/v1/products/${product.id}/files`;
      const body = { version: '1.0.0', channel: 'stable', notes: 'The first.' };
      const sent = { ...artifact(left, '1.0.0'), feeds: ['velopack'], arch: 'arm64' };
      const { id } = await ci('POST', releases(), { ...body, artifacts: [artifact(kept, '1.0.0'), sent, { ...sent, file_id: approved }] });
      // One is of no use to anybody yet, the other could be had, were its draft published.
      await reviewFile(approved, { decision: 'approve' });
      for (const gone of [left, approved]) await seller('POST', `${files}/${gone}/withdraw`);
      expect((await seller('GET', `${releases()}/${id}`)).artifacts).toMatchObject([{}, { available: false }, { available: false }]);
      await ci('POST', releases(), { version: '1.0.0', artifacts: [artifact(kept, '1.0.0')] });
      expect(await ci('POST', `${releases()}/${id}/submit`)).toMatchObject({ status: 'pending_review' });
      expect(await ci('POST', `${releases()}/${id}/withdraw`)).toMatchObject({ status: 'draft' });
      await move(id, 'submit');
      expect((await admin('GET', `/v1/admin/releases?product_id=${product.id}`)).items).toMatchObject([{ id }]);
      await review(id, { decision: 'reject', rejection_reason: 'The notes say too little.' });
      const attention = expect.arrayContaining([expect.objectContaining({ kind: 'release_rejected', target_id: id })]);
      expect(await seller('GET', '/v1/overview')).toMatchObject({ attention });
      await move(id, 'submit');
      // Once more it is seen, and changes nothing.
      for (const _ of ['first', 'again'])
        expect(await review(id, { decision: 'approve' })).toMatchObject({ status: 'approved', artifacts: [{ available: true }] });
      expect(await ci('POST', `${releases()}/${id}/publish`, { rollout_percent: 0 })).toMatchObject({ status: 'published' });
      expect(await ci('POST', `${releases()}/${id}/publish`, {})).toMatchObject({ rollout_percent: 0 });
      expect(await ci('POST', `${releases()}/${id}/publish`, { rollout_percent: 100 })).toMatchObject({ rollout_percent: 100 });
      const unwanted = await draft('9.0.0', await file(nameOf('9.0.0')));
      await ci('POST', `${releases()}/${unwanted.id}/delete`);
      expect((await ci('GET', releases())).items).toMatchObject([{ id, status: 'published' }]);
    });

    test('are updated to, and downloaded, until they are taken back', async () => {
      const { token: purchase, key } = await sell(stack, product.slug);
      const device = { product_id: product.id, license_key: key, device_fingerprint: 'laptop', update_feed: true };
      const told = await anyone('POST', '/v1/licenses/activate', device);

      const kept = artifact(await file(nameOf('1.1.0')), '1.1.0');
      const installer = { platform: 'windows', arch: 'x64', kind: 'full', feeds: ['electron'], file_id: await file('Lumen-1.1.0.exe') };
      const first = await draft('1.1.0', kept.file_id, { artifacts: [kept, installer], publish_on_approval: true });
      const second = await draft('1.2.0', await file(nameOf('1.2.0')), { publish_on_approval: true });
      const third = await draft('1.3.0', await file(nameOf('1.3.0'), heldBytes), { publish_on_approval: true });
      for (const { id } of [first, second, third]) {
        await move(id, 'submit');
        expect(await review(id, { decision: 'approve' })).toMatchObject({ status: 'published' });
      }

      const ask = (path: string, init: RequestInit = {}) => conformingFetch(path, { redirect: 'manual', ...init });
      const check = async () => {
        const headers = { 'X-License-Lease': told.lease };
        const reply = await ask(`${stack.baseUrl}/v1/updates/${product.id}/-/check/stable/windows/x64?current=1.0.0`, { headers });
        return ((await reply.json()) as Json).update?.version;
      };
      expect(await check()).toBe('1.3.0');
      open().findInfected();
      await eventually('an infected file is offered no more', 30, async () => ((await check()) === '1.2.0' ? true : undefined));
      await move(second.id, 'yank', { reason: 'It loses settings.' });
      expect(await check()).toBe('1.1.0');
      await review(third.id, { decision: 'yank', yank_reason: 'It is infected.' });

      const feed = told.update_feed_url;
      for (const path of [
        'appcast/stable/windows/x64',
        'tauri/stable/windows/x86_64/1.0.0',
        'electron/latest.yml',
        'velopack/stable/windows/x64/releases.win.json',
      ]) {
        const reply = await ask(`${feed}/${path}`);
        expect([path, reply.status, reply.headers.get('x-update-code')]).toEqual([path, 200, 'update_available']);
        expect(await reply.text()).toContain('1.1.0');
      }
      for (const path of [`files/1.1.0/windows-x64/${nameOf('1.1.0')}`, `velopack/stable/windows/x64/${nameOf('1.1.0').toLowerCase()}`]) {
        const { status, headers } = await ask(`${feed}/${path}`);
        expect(status).toBe(302);
        const bytes = Buffer.from(await (await fetch(headers.get('location') ?? '')).arrayBuffer());
        expect(createHash('sha256').update(bytes).digest('hex')).toBe(first.artifacts[0].sha256_hex);
        expect((await ask(`${feed}/${path}`, { method: 'HEAD' })).headers.get('content-length')).toBe(String(bytes.length));
      }

      const covered = (await anyone('POST', '/v1/purchases/releases', { token: purchase })).items;
      expect(covered.map(({ version }: Json) => version)).toEqual(['1.1.0', '1.0.0']);
      const [{ file_id: fileId }] = covered[0].artifacts;
      const { download_url: url } = await anyone('POST', `/v1/purchases/files/${fileId}/download-intent`, { token: purchase });
      expect(await (await fetch(url)).text()).toBe(`the bytes of ${nameOf('1.1.0')}`);
      expect((await anyone('GET', `/v1/public/products/${product.slug}/releases`)).items).toHaveLength(2);
      expect(await (await fetch(`${stack.baseUrl}/p/${product.slug}/releases`)).text()).toContain('1.1.0');
    });
  });
}
