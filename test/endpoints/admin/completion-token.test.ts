import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import { createService } from '../../support/http/service.ts';
import { refundEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import { silentLogger } from '../../support/scenes/projection-harness.ts';
import { type SalesHarness, startSalesHarness } from '../../support/scenes/sales-harness.ts';

describe('the completion token that an admin requests', () => {
  let sales: SalesHarness;
  beforeAll(async () => {
    sales = await startSalesHarness();
  });
  afterAll(() => sales.fakeProvider.stop());

  const ask = (orderId: string, stage: 'staging' | 'production' = 'staging') => {
    const { table, queue, now } = sales;
    const settings = { ...sales.settings, STAGE: stage };
    const call = createService({ settings, logger: silentLogger, table, sender: queue, now });
    const headers = { 'X-User-ID': 'admin', 'X-User-Email': 'admin@example.com' };
    return call('POST', `/v1/admin/orders/${orderId}/completion-token`, { headers });
  };

  test('opens the purchase for a quarter of an hour, shows no key and is audited', async () => {
    const order = await sales.addOrder();
    await sales.deliver(sessionEvent(order, 'completed'));
    const before = sales.now().getTime();
    const reply = await ask(order.id);
    const { completion_token, completion_url, expires_at } = reply.json;
    expect(reply).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' }, json: { order_id: order.id } });
    expect(completion_url).toBe(`http://shop.test/complete#token=${completion_token}`);
    const made = Date.parse(expires_at) - 15 * 60_000;
    expect([made > before - 1000, made <= sales.now().getTime()]).toEqual([true, true]);
    const purchase = await sales.purchaseCall('POST', '/v1/purchases/complete', { body: { token: completion_token } });
    expect(purchase).toMatchObject({ status: 200, json: { order: { id: order.id } } });
    expect(reply.text).not.toContain(purchase.json.license.license_key);
    expect((await listAudit(sales.table, { targetId: order.id, limit: 10 })).items).toContainEqual(
      expect.objectContaining({ actor: 'admin', action: 'order.create_completion_token' }),
    );
  });

  test('is for orders that were ever paid, refunded ones too, and for none in production', async () => {
    const order = await sales.addOrder();
    expect(await ask(order.id)).toMatchObject({ status: 400, json: { code: 'order_not_paid' } });
    await sales.deliver(sessionEvent(order, 'completed'));
    await sales.deliver(refundEvent(order, 1200));
    expect((await ask(order.id)).status).toBe(200);
    expect(await ask(order.id, 'production')).toMatchObject({ status: 403, json: { code: 'disabled_in_production' } });
  });
});
