import { randomBytes } from 'node:crypto';
import { readSettings, settingNames } from '../../../shared/config.ts';
import { Keyring } from '../../../shared/crypto/keyring.ts';

export const testKeyring = () => Keyring.parse(keyringText());

const keyringText = () => `1:${randomBytes(32).toString('base64url')}`;

/** Nothing listens here. */
export const nowhere = 'http://127.0.0.1:9';

/** Every setting of the service, read from its text form. Rate limits are off. */
export const testSettings = readSettings(settingNames, {
  STAGE: 'local',
  AUTH_MODE: 'local',
  ADMIN_ALLOWLIST: 'admin@example.com',
  PUBLIC_BASE_URL: 'http://shop.test',
  PAYMENT_SECRET_KEY: 'sk_test_none',
  PAYMENT_API_BASE: nowhere,
  PAYMENT_WEBHOOK_SECRET: 'whsec_platform_new,whsec_platform_old',
  PAYMENT_CONNECT_WEBHOOK_SECRET: 'whsec_connect',
  LICENSE_PEPPERS: keyringText(),
  ENCRYPTION_KEYS: keyringText(),
  TOKEN_KEYS: keyringText(),
  MAIL_FROM: 'shop@shop.test',
  RATE_LIMIT_CHECKOUT: '0',
  RATE_LIMIT_COMPLETE: '0',
  RATE_LIMIT_DOWNLOAD: '0',
  RATE_LIMIT_HEALTH: '0',
  TABLE_NAME: 'table',
  WEBHOOK_QUEUE_URL: nowhere,
  MAIL_QUEUE_URL: nowhere,
  HASH_QUEUE_URL: nowhere,
  SCAN_QUEUE_URL: nowhere,
  IMPORT_QUEUE_URL: nowhere,
});
