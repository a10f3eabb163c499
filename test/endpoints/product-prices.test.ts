import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { compose } from '../../functions/products/compose.ts';
import { settingNames } from '../../functions/products/declaration.ts';
import { routes } from '../../functions/products/routes.ts';
import { addSeller } from '../../shared/sellers/seller-repository.ts';
import { createTestTable } from '../support/engines/test-table.ts';
import { createCaller } from '../support/http/http-event.ts';
import { sampleSeller } from '../support/samples/sample-seller.ts';
import { sampleSettings } from '../support/samples/sample-settings.ts';
import { silentLogger } from '../support/scenes/projection-harness.ts';

const currencies = 'JPY,USD,HUF,TWD,IDR,ISK,UGX,BHD,JOD,KWD,OMR,TND';
const headers = { 'X-User-ID': 'alice' };

let call: ReturnType<typeof createCaller>;
beforeAll(async () => {
  const { table } = await createTestTable();
  await table.transact(addSeller(sampleSeller({ ownerUserId: 'alice', internalReviewStatus: 'approved' })));
  call = createCaller(compose({ settings: sampleSettings(settingNames, { CURRENCIES: currencies }), logger: silentLogger, table }), routes);
});

const priced = (price_amount: number, currency: string) => ({
  name: `Product ${randomUUID()}`,
  description: 'Edits photos.',
  price_amount,
  currency,
  support_email: 'help@example.com',
  refund_policy: 'Within 14 days.',
  software_operating_environment: 'Windows 11',
});

const refused: [number, string, number][] = [
  ...['BHD', 'JOD', 'KWD', 'OMR', 'TND', 'kwd'].flatMap((code): [number, string, number][] => [
    [5124, code, 10],
    [1, code, 10],
    [5005, code, 10],
  ]),
  ...['ISK', 'UGX', 'isk'].flatMap((code): [number, string, number][] => [
    [510, code, 100],
    [99, code, 100],
    [50_050, code, 100],
  ]),
];

describe('a price', () => {
  test.each(refused)('of %i %s is refused, because only multiples of %i can be charged', async (amount, currency, step) => {
    const created = await call('POST', '/v1/products', { headers, body: priced(amount, currency) });
    expect([created.status, created.json.code]).toEqual([400, 'invalid_request']);
    expect(created.json.message).toBe(`price_amount must be a multiple of ${step} in this currency`);

    const product = await call('POST', '/v1/products', { headers, body: priced(0, currency) });
    const updated = await call('PATCH', `/v1/products/${product.json.id}`, { headers, body: priced(amount, currency) });
    expect([updated.status, updated.json.message]).toEqual([400, created.json.message]);
  });

  test.each([
    [5120, 'KWD'],
    [10, 'bhd'],
    [0, 'KWD'],
    [500, 'ISK'],
    [0, 'UGX'],
    [1045, 'HUF'],
    [1, 'TWD'],
    [12_345, 'IDR'],
    [4807, 'JPY'],
    [4907, 'USD'],
  ])('of %i %s is taken', async (amount, currency) => {
    const created = await call('POST', '/v1/products', { headers, body: priced(amount, currency) });
    expect([created.status, created.json.price_amount, created.json.currency]).toEqual([201, amount, currency]);
  });
});
