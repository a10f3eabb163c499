import { createHash } from 'node:crypto';
import { eventually, offerProduct, type StackHarness, uploadFile } from '../stack-harness.ts';

type Json = any;

/** A product on a stack, sold to somebody whose updates ended, or never end; all of it made over HTTP. */
export interface SoldApp {
  productId: string;
  licenseKey: string;
  /** Uploads the files, makes a release of them, and publishes it, for all devices unless it is said. Its id. */
  release(
    version: string,
    artifacts: { name: string; bytes: Buffer; [field: string]: unknown }[],
    more?: object,
    rolloutPercent?: number,
  ): Promise<string>;
  /** Sets how many devices get a release that is published. */
  rollOut(releaseId: string, percent: number): Promise<void>;
  /** What apps are told on this device. */
  activate(device: string): Promise<Json>;
}

export async function sellApp(harness: StackHarness): Promise<SoldApp> {
  const { id: productId, slug } = await offerProduct(harness, { name: 'Lumen', activation_limit: 100, updates_days: 30 });
  const { checkout_url } = await harness.call('POST', `/v1/public/products/${slug}/checkout`);
  const buyer = `buyer-of-${slug}@example.com`;
  await harness.provider(`/test/checkout/${checkout_url.split('/').at(-1)}/pay`, { email: buyer });
  const mail = await harness.mailTo(buyer);
  const [, token] = /#token=(\S+)/.exec(mail.text) ?? [];
  const { license } = await harness.call('POST', '/v1/purchases/complete', { body: { token } });
  const releases = `/v1/products/${productId}/releases`;
  const rollOut = async (id: string, percent: number) => {
    await harness.call('POST', `${releases}/${id}/publish`, { as: 'seller', body: { rollout_percent: percent } });
  };

  return {
    productId,
    licenseKey: license.license_key,

    async release(version, artifacts, more = {}, rolloutPercent = 100) {
      const sent = [];
      for (const { name, bytes, ...artifact } of artifacts) {
        const fileId = await uploadFile(harness, productId, name, bytes, { purpose: 'release' });
        await eventually('the file is verified', 30, async () => {
          const { items } = await harness.call('GET', `/v1/products/${productId}/files`, { as: 'seller' });
          return items.find(({ id, hash_status }: Json) => id === fileId && hash_status === 'verified');
        });
        const review = { decision: 'manual_clean', manual_scan_clean_reason: 'Checked by hand.' };
        await harness.call('PATCH', `/v1/admin/products/${productId}/files/${fileId}/review`, { as: 'admin', body: review });
        sent.push({ kind: 'full', ...artifact, file_id: fileId });
      }
      const body = {
        version,
        channel: version.includes('-') ? 'beta' : 'stable',
        notes: `新版 ${version} <b>]]>`,
        artifacts: sent,
        ...more,
      };
      const { id } = await harness.call('POST', releases, { as: 'seller', body });
      await harness.call('POST', `${releases}/${id}/submit`, { as: 'seller' });
      const path = `/v1/admin/products/${productId}/releases/${id}/review`;
      await harness.call('PATCH', path, { as: 'admin', body: { decision: 'approve' } });
      await rollOut(id, rolloutPercent);
      return id;
    },
    rollOut,

    activate: (device) =>
      harness.call('POST', '/v1/licenses/activate', {
        body: { product_id: productId, license_key: license.license_key, device_fingerprint: device, update_feed: true },
      }),
  };
}

/** The same bytes for the same text, so that a test knows them. */
export const bytesOf = (text: string): Buffer => Buffer.from(createHash('sha256').update(text).digest('hex'));
