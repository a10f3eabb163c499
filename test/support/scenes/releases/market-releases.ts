import type { Marketplace, Shop } from '../marketplace.ts';

export type Stage = 'draft' | 'pending_review' | 'approved' | 'published';

/** What its seller says of a release of the marketplace. */
export const sentOf = (version: string) => ({ version, channel: 'stable', notes: 'New' });

/** A release of the shop's product with one file, as far as it is to come; the one of that version, if there is one. Its id. */
export async function bringRelease(
  { call, addFile }: Pick<Marketplace, 'call' | 'addFile'>,
  shop: Shop,
  stage: Stage,
  version: string,
): Promise<string> {
  const base = `/v1/products/${shop.product.id}/releases`;
  const headers = { 'X-User-ID': shop.userId };
  const post = (path: string, body: object = {}) => call('POST', `${base}${path}`, { headers, body });
  const { json } = await call('GET', `${base}?limit=100`, { headers });
  const there = json.items.find((release: { version: string }) => release.version === version)?.id;
  if (there !== undefined) return there;
  const clean = { hashStatus: 'verified', scanStatus: 'clean', scanTrustedClean: true, scanTrustSource: 'scanner' } as const;
  const file = await addFile(shop.product, { ...clean, purpose: 'release' });
  const artifacts = [{ file_id: file.id, platform: 'any', arch: 'any', kind: 'full' }];
  const { id } = (await post('', { ...sentOf(version), artifacts })).json;
  if (stage !== 'draft') await post(`/${id}/submit`);
  const admin = { 'X-User-ID': 'reviewer', 'X-User-Email': 'admin@example.com' };
  const review = `/v1/admin/products/${shop.product.id}/releases/${id}/review`;
  if (stage === 'approved' || stage === 'published') await call('PATCH', review, { headers: admin, body: { decision: 'approve' } });
  if (stage === 'published') await post(`/${id}/publish`);
  return id;
}
