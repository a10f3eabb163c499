import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { keyringOf } from '../support/licenses.ts';
import { createTestTable } from '../support/test-table.ts';

type Handler = (event: APIGatewayProxyEventV2, context: never) => Promise<APIGatewayProxyStructuredResultV2>;

const sample = (name: string) => JSON.parse(readFileSync(new URL(`../../events/${name}.json`, import.meta.url), 'utf8'));
const keyring = keyringOf('1')
  .all.map(({ version, secret }) => `${version}:${secret.toString('base64url')}`)
  .join();

describe('the sample events', () => {
  beforeAll(async () => {
    const { tableName } = await createTestTable();
    Object.assign(process.env, {
      STAGE: 'local',
      AUTH_MODE: 'local',
      ADMIN_ALLOWLIST: 'admin@example.com',
      PUBLIC_BASE_URL: 'http://127.0.0.1:3000',
      TABLE_NAME: tableName,
      LICENSE_PEPPERS: keyring,
      TOKEN_KEYS: keyring,
      ENCRYPTION_KEYS: keyring,
    });
  });

  test('the licenses function answers its sample', async () => {
    const { handler }: { handler: Handler } = await import('../../functions/licenses/handler.ts');
    const reply = await handler(sample('licenses'), {} as never);
    expect(reply).toMatchObject({ statusCode: 200, headers: { 'Content-Type': 'application/json', 'Access-Control-Allow-Origin': '*' } });
    expect(JSON.parse(reply.body ?? '')).toEqual({ valid: false, code: 'license_not_found', checked_at: expect.any(String) });
  });

  test('the admin function answers its sample', async () => {
    const { handler }: { handler: Handler } = await import('../../functions/admin/handler.ts');
    const reply = await handler(sample('admin'), {} as never);
    expect(reply.statusCode).toBe(404);
    expect(JSON.parse(reply.body ?? '')).toMatchObject({ code: 'license_not_found' });
  });
});
