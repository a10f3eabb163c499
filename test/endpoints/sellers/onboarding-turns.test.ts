import { expect, test } from '@jest/globals';
import { compose } from '../../../functions/sellers/compose.ts';
import { routes } from '../../../functions/sellers/routes.ts';
import { settingNames } from '../../../shared/config.ts';
import { createStripeClient } from '../../../shared/payments/provider/stripe-client.ts';
import { addSeller } from '../../../shared/sellers/seller-repository.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { sampleSeller } from '../../support/samples/sample-seller.ts';
import { sampleSettings } from '../../support/samples/sample-settings.ts';
import { startRecorder } from '../../support/scenes/deployment.ts';
import { silentLogger } from '../../support/scenes/projection-harness.ts';

const start = Date.parse('2026-05-01T00:00:00.000Z');

test('half a minute after the right to make an onboarding link was taken, another request may make one', async () => {
  const released = Promise.withResolvers<void>();
  const arrivals = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const provider = await startRecorder(async () => {
    arrivals[provider.received.length - 1]?.resolve();
    await released.promise;
    return Response.json({ error: { type: 'invalid_request_error', code: 'test', message: 'No.' } }, { status: 400 });
  });
  const { table } = await createTestTable();
  const seller = sampleSeller({ internalReviewStatus: 'approved' });
  await table.transact(addSeller(seller));
  let clock = start;
  const client = createStripeClient({ secretKey: 'sk_test_x', apiBase: provider.endpoint });
  const c = { settings: sampleSettings(settingNames), logger: silentLogger, table, provider: client, now: () => new Date(clock) };
  const call = createCaller(compose(c), routes);
  const ask = () => call('POST', '/v1/sellers/payment/account-link', { headers: { 'X-User-ID': seller.ownerUserId } });

  const first = ask();
  await arrivals[0]?.promise;
  clock = start + 29_999;
  expect(await ask()).toMatchObject({ status: 409, json: { code: 'onboarding_link_conflict' } });
  expect(provider.received).toHaveLength(1);

  clock = start + 30_000;
  const next = ask();
  await arrivals[1]?.promise;
  expect(provider.received).toHaveLength(2);
  released.resolve();
  expect((await Promise.all([first, next])).map(({ status }) => status)).toEqual([503, 503]);
  await provider.stop();
});
