import { createHmac } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { BatchGetCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import middy from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import * as z from 'zod';

/** A validate as it is usually written: middy, zod and the document client, each as its documentation begins. */
const documents = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const table = process.env['TABLE_NAME'] ?? '';
const Body = z.object({
  product_id: z.string().min(1).max(64),
  license_key: z.string().min(1).max(512),
  device_fingerprint: z.string().min(1).max(512).optional(),
});
const Answer = z.object({
  valid: z.boolean(),
  code: z.string(),
  checked_at: z.string(),
  license_id: z.string(),
  status: z.string(),
  activation_limit: z.number(),
  activation_count: z.number(),
  features: z.array(z.string()),
  issued_at: z.string(),
});

let peppers: Promise<string> | undefined;
async function readPeppers(): Promise<string> {
  const setting = process.env['LICENSE_PEPPERS'] ?? '';
  if (!setting.startsWith('arn:')) return setting;
  const { SecretString = '' } = await new SecretsManagerClient({}).send(new GetSecretValueCommand({ SecretId: setting }));
  return SecretString;
}

export const handler = middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>()
  .use(httpJsonBodyParser())
  .handler(async ({ body }) => {
    const { product_id, license_key } = Body.parse(body);
    peppers ??= readPeppers();
    const keys = (await peppers).split(',').map((entry) => {
      const [version = '', secret = ''] = entry.split(':');
      const digest = createHmac('sha256', Buffer.from(secret, 'base64'))
        .update(`license\0${product_id}\0${license_key.replaceAll('-', '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')}`)
        .digest('base64url');
      return { pk: `LICENSE#${version}.${digest}`, sk: 'LICENSE' };
    });
    const reply = await documents.send(new BatchGetCommand({ RequestItems: { [table]: { Keys: keys, ConsistentRead: true } } }));
    const license = reply.Responses?.[table]?.[0];
    if (!license) return { statusCode: 404, body: '' };
    const answer = Answer.parse({
      valid: true,
      code: 'valid',
      checked_at: new Date().toISOString(),
      license_id: license['id'],
      status: 'active',
      activation_limit: license['activationLimit'],
      activation_count: license['activationCount'],
      features: license['features'],
      issued_at: license['issuedAt'],
    });
    return { statusCode: 200, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(answer) };
  });
