import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { keyringOf } from '../support/licenses.ts';

type Handler = (event: APIGatewayProxyEventV2, context: never) => Promise<APIGatewayProxyStructuredResultV2>;

test('the pages function answers its sample event with a compressed page in the language that was chosen', async () => {
  const keyring = keyringOf('1')
    .all.map(({ version, secret }) => `${version}:${secret.toString('base64url')}`)
    .join();
  Object.assign(process.env, {
    STAGE: 'local',
    TABLE_NAME: 'unused',
    PUBLIC_BASE_URL: 'http://127.0.0.1:3000',
    PAYMENT_SECRET_KEY: 'sk_test_local',
    TOKEN_KEYS: keyring,
    ENCRYPTION_KEYS: keyring,
  });
  const { handler }: { handler: Handler } = await import('../../functions/pages/handler.ts');
  const event = JSON.parse(readFileSync(new URL('../../events/pages.json', import.meta.url), 'utf8'));
  const reply = await handler(event, {} as never);
  expect(reply).toMatchObject({
    statusCode: 200,
    isBase64Encoded: true,
    headers: { 'Content-Encoding': 'gzip', 'Content-Type': 'text/html; charset=utf-8', 'X-Request-Id': event.requestContext.requestId },
  });
  expect(gunzipSync(Buffer.from(reply.body ?? '', 'base64')).toString()).toContain('<html lang="ja">');
});
