import { expect, jest, test } from '@jest/globals';
import { constructAt, operatorSettings } from '../support/synthesized.ts';
import { everySetting as atEdge } from '../support/templates/stacks-at.ts';

jest.setTimeout(60_000);

const pool = { ...operatorSettings, OIDC_ISSUER: '', OIDC_AUDIENCE: '', CONSOLE_USER_POOL: 'create' };

test.each<[change: Record<string, string>, refusal: string, beside?: Record<string, string>]>([
  [{ AUTH_MODE: 'local' }, 'AUTH_MODE local needs STAGE local'],
  [{ PAYMENT_API_BASE: 'http://127.0.0.1:1' }, 'PAYMENT_API_BASE needs STAGE local'],
  [{ RESERVED_CONCURRENCY: 'checkout=50' }, 'RESERVED_CONCURRENCY names checkout, which is no function'],
  [{ RESERVED_CONCURRENCY: 'licenses=0' }, 'RESERVED_CONCURRENCY is malformed'],
  [{ RESERVED_CONCURRENCY: 'licenses' }, 'RESERVED_CONCURRENCY is malformed'],
  [{ DEPLOY_ACCOUNT: '1234', DEPLOY_REGION: 'Tokyo' }, 'DEPLOY_ACCOUNT is malformed; DEPLOY_REGION is malformed'],
  [{ ROLLOUT: 'never' }, 'ROLLOUT is malformed'],
  [{ MAIL_IDENTITY: 'none' }, 'MAIL_IDENTITY is malformed'],
  [{ RESTORED_TABLE_STREAM_ARN: 'restored-0131' }, 'RESTORED_TABLE_STREAM_ARN is malformed'],
  [{ CONSOLE_CLIENT_ID: 'console' }, 'CONSOLE_CLIENT_ID is not in OIDC_AUDIENCE'],

  [{ CONSOLE_USER_POOL: 'yes' }, 'CONSOLE_USER_POOL is malformed', pool],
  [{ OIDC_ISSUER: 'https://id.example.com' }, 'OIDC_ISSUER is given, and CONSOLE_USER_POOL makes its own', pool],
  [{ OIDC_AUDIENCE: 'a' }, 'OIDC_AUDIENCE is given, and CONSOLE_USER_POOL makes its own', pool],
  [{ CONSOLE_CLIENT_ID: 'a' }, 'CONSOLE_CLIENT_ID is given, and CONSOLE_USER_POOL makes its own', pool],
  [{ AUTH_MODE: 'local' }, 'CONSOLE_USER_POOL needs AUTH_MODE oidc', pool],
  [{ CONSOLE_TOKEN: 'both' }, 'CONSOLE_TOKEN is malformed', pool],
  [{ PUBLIC_BASE_URL: '' }, 'PUBLIC_BASE_URL is missing', pool],

  [{ EDGE_CERTIFICATE_ARN: '' }, 'EDGE_CERTIFICATE_ARN is missing', atEdge],
  [{ EDGE_ORIGIN: '' }, 'EDGE_ORIGIN is missing', atEdge],
  [{ EDGE_CERTIFICATE_ARN: atEdge.EDGE_CERTIFICATE_ARN.replace('us-east-1', 'eu-west-1') }, 'EDGE_CERTIFICATE_ARN is malformed', atEdge],
  [{ EDGE_DOMAIN: 'https://licenses.example.com' }, 'EDGE_DOMAIN is malformed', atEdge],
  [{ EDGE_ORIGIN: 'not a host' }, 'EDGE_ORIGIN is malformed', atEdge],
  [{ EDGE_ORIGIN: 'licenses.example.com' }, 'EDGE_ORIGIN is EDGE_DOMAIN', atEdge],
  [{ EDGE_ZONE_ID: 'example.com' }, 'EDGE_ZONE_ID is malformed', atEdge],
  [{ EDGE_SECRET_VERSION: 'latest' }, 'EDGE_SECRET_VERSION is malformed', atEdge],
  [{ EDGE_LICENSE_RATE: '9' }, 'EDGE_LICENSE_RATE is malformed', atEdge],
  [{ EDGE_RATE: 'many' }, 'EDGE_RATE is malformed', atEdge],
  [
    { PUBLIC_BASE_URL: 'https://abc123.execute-api.eu-west-1.amazonaws.com' },
    'PUBLIC_BASE_URL is not https://licenses.example.com',
    atEdge,
  ],
])('nothing is synthesized with %j: %s', async (change, refusal, beside = operatorSettings) => {
  await expect(constructAt('staging', { ...beside, ...change })).rejects.toThrow(`Configuration refused: ${refusal}`);
});

test('nothing is synthesized without what an operator has to give, all of which is named', async () => {
  const missing = ['ADMIN_ALLOWLIST', 'PUBLIC_BASE_URL', 'MAIL_FROM'].map((name) => `(?=.*${name} is missing)`);
  await expect(constructAt('production', { AUTH_MODE: 'oidc' })).rejects.toThrow(new RegExp(`^Configuration refused: ${missing.join('')}`));
});
