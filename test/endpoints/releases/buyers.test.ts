import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mintCompletionToken } from '../../../shared/buyer-access/completion-token.ts';
import { newId, type OrderId } from '../../../shared/ids.ts';
import type { Order } from '../../../shared/orders/order.ts';
import type { Call } from '../../support/http/service.ts';
import { refundEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import { createProjectionHarness, type ProjectionHarness, sampleOrder } from '../../support/scenes/projection-harness.ts';
import { type ReleaseHarness, startReleaseHarness } from '../../support/scenes/releases/release-harness.ts';

const error = (status: number, code: string) => ({ status, json: { code } });

describe('releases as buyers see them', () => {
  let harness: ReleaseHarness;
  let sales: ProjectionHarness;
  let call: Call;
  let order: Order;
  /** Sold without updates, before 1.2.0. */
  let early: Order;
  const idOf: Record<string, string> = {};
  const fileOf: Record<string, string> = {};

  beforeAll(async () => {
    harness = await startReleaseHarness({ environment: { RATE_LIMIT_COMPLETE: '0', RATE_LIMIT_DOWNLOAD: '0' } });
    const { ENCRYPTION_KEYS: encryptionKeys, LICENSE_PEPPERS: peppers } = harness.files.settings;
    sales = await createProjectionHarness({ table: harness.table, encryptionKeys, peppers });
    call = harness.files.service;
    order = await sell();
    const publish = async (version: string, body: Record<string, unknown> = {}) => {
      const made = await harness.published(version, body);
      idOf[version] = made.id;
      fileOf[version] = made.artifacts[0].file_id;
    };
    await publish('1.0.0', { covered_at: '2020-01-01T00:00:00.000Z' });
    await publish('1.1.0-beta.1', { critical: true });
    early = await sell(0);
    await publish('1.2.0', { requires_features: ['pro'] });
    await publish('1.3.0', { requires_features: ['team'] });
    await publish('1.4.0');
    await harness.move(idOf['1.4.0'] ?? '', 'yank', { reason: 'Broken' });
    const { artifacts } = await harness.approved('1.5.0');
    fileOf['1.5.0'] = artifacts[0].file_id;
  });
  afterAll(() => harness.stop());

  /** An order of the product with a license. */
  async function sell(updatesDays = 100): Promise<Order> {
    const terms = { ...sampleOrder().terms, features: ['pro'], updatesDays };
    const sold = await sales.addOrder({ productId: harness.product.id, sellerId: harness.product.sellerId, terms });
    await sales.deliver(sessionEvent(sold, 'completed'));
    return sold;
  }
  const tokenOf = (orderId: OrderId) =>
    mintCompletionToken({ orderId, use: 'mail', expiresAt: new Date(Date.now() + 3600_000) }, new Date(), sales.settings.TOKEN_KEYS);
  const list = async (of: Order, cursor?: string) =>
    call('POST', '/v1/purchases/releases', { body: { token: await tokenOf(of.id), ...(cursor && { cursor }) } });
  const download = async (of: Order, version: string) =>
    call('POST', `/v1/purchases/files/${fileOf[version]}/download-intent`, { body: { token: await tokenOf(of.id) } });
  const coveredOf = (reply: { json: { items: { covered: boolean }[] } }) => reply.json.items.map(({ covered }) => covered);
  const versions = (reply: { json: { items: { version: string }[] } }) => reply.json.items.map(({ version }) => version);

  test('are all that is published, and come with files where the license covers them', async () => {
    const reply = await list(order);
    expect(reply.status).toBe(200);
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(versions(reply)).toEqual(['1.3.0', '1.2.0', '1.1.0-beta.1', '1.0.0']);
    expect(coveredOf(reply)).toEqual([false, true, true, true]);
    const [uncovered, first] = reply.json.items;
    expect(uncovered).not.toHaveProperty('artifacts');
    expect(first).toEqual({
      version: '1.2.0',
      channel: 'stable',
      notes: 'What changed in 1.2.0',
      critical: false,
      published_at: expect.any(String),
      covered: true,
      artifacts: (await harness.show(idOf['1.2.0'] ?? '')).json.artifacts,
    });
    const purchase = await call('POST', '/v1/purchases/complete', { body: { token: await tokenOf(order.id) } });
    expect(Date.parse(reply.json.updates_until) - Date.parse(purchase.json.license.issued_at)).toBe(100 * 24 * 3600_000);
  });

  test('are covered by a license until its updates end, as each release says', async () => {
    const reply = await list(early);
    expect(coveredOf(reply)).toEqual([false, false, true, true]);
    expect(await download(early, '1.0.0')).toMatchObject({ status: 200, json: { download_url: expect.stringContaining('http') } });
    expect(await download(early, '1.2.0')).toMatchObject(error(403, 'update_not_covered'));
  });

  test('are downloaded in the order of what refuses', async () => {
    expect(await download(order, '1.2.0')).toMatchObject({ status: 200 });
    expect(await download(order, '1.3.0')).toMatchObject(error(403, 'update_not_covered'));
    expect(await download(order, '1.4.0')).toMatchObject(error(403, 'file_not_available'));
    expect(await download(order, '1.5.0')).toMatchObject(error(403, 'file_not_available'));
    const refunded = await sell();
    await sales.deliver(refundEvent(refunded, refunded.amount));
    expect(await download(refunded, '1.2.0')).toMatchObject(error(403, 'license_not_usable'));
    expect(coveredOf(await list(refunded))).toEqual([false, false, false, false]);
  });

  test('are none of an order without license', async () => {
    const unpaid = await sales.addOrder({ productId: harness.product.id, sellerId: harness.product.sellerId });
    expect(await list(unpaid)).toMatchObject(error(403, 'order_not_paid'));
    expect(await list({ ...order, id: newId('order') })).toMatchObject(error(404, 'order_not_found'));
    expect(await list(order, 'abc')).toMatchObject(error(400, 'invalid_request'));
  });

  test('are public by channel, the highest first, whatever the share of devices', async () => {
    await harness.move(idOf['1.3.0'] ?? '', 'publish', { rollout_percent: 0 });
    const target = `/v1/public/products/${harness.product.slug}/releases`;
    const stable = await call('GET', target);
    expect(stable).toMatchObject({ status: 200, headers: { 'cache-control': 'public, max-age=60', etag: expect.any(String) } });
    expect((await call('GET', target, { headers: { 'if-none-match': stable.headers['etag'] ?? '' } })).status).toBe(304);
    expect(versions(stable)).toEqual(['1.3.0', '1.2.0', '1.0.0']);
    expect(stable.json.items[0]).toEqual({
      version: '1.3.0',
      channel: 'stable',
      notes: 'What changed in 1.3.0',
      published_at: expect.any(String),
      critical: false,
    });
    expect(versions(await call('GET', `${target}?channel=beta`))).toEqual(['1.3.0', '1.2.0', '1.1.0-beta.1', '1.0.0']);
    const first = await call('GET', `${target}?channel=rc&limit=2`);
    expect(versions(first)).toEqual(['1.3.0', '1.2.0']);
    const next = await call('GET', `${target}?channel=rc&limit=2&cursor=${first.json.next_cursor}`);
    expect(versions(next)).toEqual(['1.0.0']);
    expect(next.json).not.toHaveProperty('next_cursor');
    expect(await call('GET', `${target}?channel=nightly`)).toMatchObject(error(400, 'invalid_request'));
    const foreign = Buffer.from(`published-${harness.product.id} no-version`).toString('base64url');
    expect(await call('GET', `${target}?cursor=${foreign}`)).toMatchObject(error(400, 'invalid_request'));
    expect(await call('GET', '/v1/public/products/unknown/releases')).toMatchObject(error(404, 'product_not_found'));
  });
});
