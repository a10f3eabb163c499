import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Bundle, bundleFunctions } from '../../infra/bundles.ts';
import { findFunctions } from '../../infra/functions.ts';
import { keyringOf } from '../support/licenses.ts';
import { createTestTable } from '../support/test-table.ts';

const folder = (path: string) => new URL(`../../${path}`, import.meta.url);
const functionNames = readdirSync(folder('functions/'));
const sampleOf = (name: string) => JSON.parse(readFileSync(folder(`events/${name}.json`), 'utf8'));

/** What each function answers on an empty table; workers have nothing to answer. */
const statuses: Record<string, number> = {
  admin: 404,
  'code-batches': 404,
  docs: 200,
  licenses: 200,
  orders: 200,
  pages: 200,
  'payment-webhooks': 400,
  'product-files': 404,
  products: 400,
  purchases: 202,
  sellers: 201,
  storefront: 404,
};

const keyring = keyringOf('1')
  .all.map(({ version, secret }) => `${version}:${secret.toString('base64url')}`)
  .join();
/** Nothing listens there: no sample may need more than the table. */
const away = 'http://127.0.0.1:9';

describe('the sample events', () => {
  let bundles: ReadonlyMap<string, Bundle>;
  /** The handler as it is deployed. */
  const handlerOf = async (name: string) => (await import(join(bundles.get(name)?.folder ?? '', 'index.js'))).handler;

  beforeAll(async () => {
    bundles = await bundleFunctions(await findFunctions());
    const { tableName } = await createTestTable();
    Object.assign(process.env, {
      STAGE: 'local',
      AUTH_MODE: 'local',
      ADMIN_ALLOWLIST: 'admin@example.com',
      PUBLIC_BASE_URL: 'http://127.0.0.1:3000',
      MAIL_FROM: 'licenses@example.com',
      PAYMENT_SECRET_KEY: 'sk_test_sample',
      PAYMENT_API_BASE: away,
      PAYMENT_WEBHOOK_SECRET: 'whsec_sample',
      PAYMENT_CONNECT_WEBHOOK_SECRET: 'whsec_sample_connect',
      LICENSE_PEPPERS: keyring,
      ENCRYPTION_KEYS: keyring,
      TOKEN_KEYS: keyring,
      TABLE_NAME: tableName,
      ...Object.fromEntries(['WEBHOOK', 'MAIL', 'HASH', 'SCAN', 'IMPORT'].map((queue) => [`${queue}_QUEUE_URL`, `${away}/${queue}`])),
    });
  });

  test('there is one of each function, and no other', () => {
    expect(readdirSync(folder('events/')).sort()).toEqual(functionNames.map((name) => `${name}.json`).sort());
  });

  test.each(functionNames.filter((name) => name !== 'health'))('%s answers its sample', async (name) => {
    const handler = await handlerOf(name);
    const answer = await handler(sampleOf(name), {});
    if (answer.batchItemFailures) expect(answer.batchItemFailures).toEqual([]);
    else if (name === 'sweeper') expect(answer).toEqual({ sent: 0 });
    else expect(answer.statusCode).toBe(statuses[name]);
  });

  test('health says that something is away', async () => {
    const handler = await handlerOf('health');
    expect(await handler(sampleOf('health'), {})).toMatchObject({ statusCode: 503 });
  });
});
