import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { createProductRepository } from '../../shared/products/product-repository.ts';
import { createSellerRepository } from '../../shared/sellers/seller-repository.ts';
import { keyringOf } from '../support/licenses.ts';
import { sampleProduct } from '../support/sample-product.ts';
import { sampleSeller } from '../support/sample-seller.ts';
import { createTestTable } from '../support/test-table.ts';

type Handler = (event: APIGatewayProxyEventV2, context: never) => Promise<APIGatewayProxyStructuredResultV2>;

const sample = (name: string) => JSON.parse(readFileSync(new URL(`../../events/${name}.json`, import.meta.url), 'utf8'));
const keyring = keyringOf('1')
  .all.map(({ version, secret }) => `${version}:${secret.toString('base64url')}`)
  .join();

describe('the sample events', () => {
  beforeAll(async () => {
    const { table, tableName } = await createTestTable();
    Object.assign(process.env, {
      STAGE: 'local',
      AUTH_MODE: 'local',
      PUBLIC_BASE_URL: 'http://127.0.0.1:3000',
      PAYMENT_SECRET_KEY: 'sk_test_sample',
      TABLE_NAME: tableName,
      TOKEN_KEYS: keyring,
      ENCRYPTION_KEYS: keyring,
    });
    const seller = sampleSeller({ ownerUserId: 'user-1', internalReviewStatus: 'approved' });
    const product = sampleProduct({ slug: 'photo-studio', status: 'approved', sellerId: seller.id });
    await table.transact([
      ...createSellerRepository({ table }).createSeller(seller),
      ...createProductRepository({ table }).createProduct(product),
    ]);
  });

  test('the products function answers its sample', async () => {
    const { handler }: { handler: Handler } = await import('../../functions/products/handler.ts');
    const reply = await handler(sample('products'), {} as never);
    expect(reply.statusCode).toBe(201);
    expect(JSON.parse(reply.body ?? '')).toMatchObject({ slug: 'photo-studio-pro', status: 'draft' });
  });

  test('the storefront function answers its sample', async () => {
    const { handler }: { handler: Handler } = await import('../../functions/storefront/handler.ts');
    const reply = await handler(sample('storefront'), {} as never);
    expect(reply).toMatchObject({ statusCode: 200, headers: { 'Cache-Control': 'public, max-age=60' } });
    expect(JSON.parse(reply.body ?? '')).toMatchObject({ slug: 'photo-studio', seller_display_name: 'Example Shop' });
  });
});
