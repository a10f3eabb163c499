import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { compose as composeSellers } from '../../../functions/sellers/compose.ts';
import { routes as sellerRoutes } from '../../../functions/sellers/routes.ts';
import { settingNames } from '../../../shared/config.ts';
import { createStripeClient } from '../../../shared/payments/provider/stripe-client.ts';
import { addSeller } from '../../../shared/sellers/seller-repository.ts';
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { sampleSeller } from '../../support/samples/sample-seller.ts';
import { sampleSettings } from '../../support/samples/sample-settings.ts';
import { startRecorder } from '../../support/scenes/deployment.ts';
import { silentLogger } from '../../support/scenes/projection-harness.ts';

const start = Date.parse('2026-05-01T00:00:00.000Z');

describe('the very moment', () => {
  let store: TestTable;
  let clock = start;
  beforeAll(async () => {
    store = await createTestTable();
  });
  const now = () => new Date(clock);
  const settings = sampleSettings(settingNames);

  describe('at which the right to make an onboarding link ends', () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let provider: Awaited<ReturnType<typeof startRecorder>>;
    let arrived: () => void = () => undefined;
    beforeAll(async () => {
      provider = await startRecorder(async () => {
        arrived();
        await released;
        return Response.json({ error: { type: 'invalid_request_error', code: 'test', message: 'No.' } }, { status: 400 });
      });
    });
    afterAll(() => provider.stop());

    test('half a minute after it was taken, another request may make one', async () => {
      const { table } = store;
      const seller = sampleSeller({ internalReviewStatus: 'approved' });
      await table.transact(addSeller(seller));
      const client = createStripeClient({ secretKey: 'sk_test_x', apiBase: provider.endpoint });
      const call = createCaller(composeSellers({ settings, logger: silentLogger, table, provider: client, now }), sellerRoutes);
      const ask = () => call('POST', '/v1/sellers/payment/account-link', { headers: { 'X-User-ID': seller.ownerUserId } });
      const atProvider = () =>
        new Promise<void>((resolve) => {
          arrived = resolve;
        });

      clock = start;
      const firstArrives = atProvider();
      const first = ask();
      await firstArrives;
      clock = start + 29_999;
      expect(await ask()).toMatchObject({ status: 409, json: { code: 'onboarding_link_conflict' } });
      expect(provider.received).toHaveLength(1);

      clock = start + 30_000;
      const nextArrives = atProvider();
      const next = ask();
      await nextArrives;
      expect(provider.received).toHaveLength(2);
      release();
      expect((await Promise.all([first, next])).map(({ status }) => status)).toEqual([503, 503]);
    });
  });
});
