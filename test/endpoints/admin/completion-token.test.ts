import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { compose } from '../../../functions/admin/compose.ts';
import { settingNames } from '../../../functions/admin/declaration.ts';
import { routes } from '../../../functions/admin/routes.ts';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import { newId } from '../../../shared/ids.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { refundEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import { sampleSettings } from '../../support/samples/sample-settings.ts';
import { type SalesHarness, startSalesHarness } from '../../support/scenes/sales-harness.ts';

describe('the completion token that an admin requests', () => {
  let harness: SalesHarness;
  beforeAll(async () => {
    harness = await startSalesHarness();
  });
  afterAll(() => harness.fakeProvider.stop());

  const ask = (orderId: string, stage: 'staging' | 'production' = 'staging') => {
    const environment = { ADMIN_ALLOWLIST: 'sub:admin', PUBLIC_BASE_URL: 'https://shop.example.com' };
    const settings = { ...sampleSettings(settingNames, environment), TOKEN_KEYS: harness.tokenKeys, STAGE: stage };
    const call = createCaller(
      compose({ settings, logger: createLogger({}, () => undefined), table: harness.table, store: undefined, sender: harness.queue }),
      routes,
    );
    return call('POST', `/v1/admin/orders/${orderId}/completion-token`, { headers: { 'X-User-ID': 'admin' } });
  };

  test('opens the purchase for a quarter of an hour, shows no key and is audited', async () => {
    const order = await harness.addOrder();
    await harness.deliver(sessionEvent(order, 'completed'));
    const reply = await ask(order.id);
    expect(reply).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    const { order_id, completion_token, completion_url, expires_at } = reply.json;
    expect(order_id).toBe(order.id);
    expect(completion_url).toBe(`https://shop.example.com/complete#token=${completion_token}`);
    expect(Math.abs(Date.parse(expires_at) - Date.now() - 15 * 60_000)).toBeLessThan(10_000);
    expect(reply.text).not.toMatch(/[A-Z0-9]{5}-[A-Z0-9]{5}-/);
    const purchase = await harness.purchaseCall('POST', '/v1/purchases/complete', { body: { token: completion_token } });
    expect(purchase).toMatchObject({ status: 200, json: { order: { id: order.id } } });
    expect((await listAudit(harness.table, { targetId: order.id, limit: 10 })).items).toContainEqual(
      expect.objectContaining({ actor: 'admin', action: 'order.create_completion_token' }),
    );
  });

  test('is for orders that were ever paid, refunded ones too', async () => {
    const order = await harness.addOrder();
    expect(await ask(order.id)).toMatchObject({ status: 400, json: { code: 'order_not_paid' } });
    await harness.deliver(sessionEvent(order, 'completed'));
    await harness.deliver(refundEvent(order, 1200));
    expect((await ask(order.id)).status).toBe(200);
    expect(await ask(newId('order'))).toMatchObject({ status: 404, json: { code: 'order_not_found' } });
    expect(await ask('nothing')).toMatchObject({ status: 404, json: { code: 'order_not_found' } });
  });

  test('does not exist in production', async () => {
    const order = await harness.addOrder();
    await harness.deliver(sessionEvent(order, 'completed'));
    expect(await ask(order.id, 'production')).toMatchObject({ status: 403, json: { code: 'disabled_in_production' } });
  });
});
