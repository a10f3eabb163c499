import { randomBytes } from 'node:crypto';
import { readSettings, type SettingName, type Settings } from '../../../shared/config.ts';

const keyring = () => `1:${randomBytes(32).toString('base64')}`;

/** An environment in which every function starts; nothing answers at its addresses. */
const environment: Partial<Record<SettingName, string>> = {
  STAGE: 'local',
  AUTH_MODE: 'local',
  ADMIN_ALLOWLIST: 'admin@example.com',
  CONSOLE_ORIGINS: 'https://console.example.com',
  PUBLIC_BASE_URL: 'http://127.0.0.1:3000',
  PAYMENT_SECRET_KEY: 'sk_test_sample',
  PAYMENT_API_BASE: 'http://127.0.0.1:9',
  PAYMENT_WEBHOOK_SECRET: 'whsec_local_platform',
  PAYMENT_CONNECT_WEBHOOK_SECRET: 'whsec_local_connect',
  LICENSE_PEPPERS: keyring(),
  ENCRYPTION_KEYS: keyring(),
  TOKEN_KEYS: keyring(),
  LEASE_KEYS: keyring(),
  CALLER_HASH_KEY: randomBytes(32).toString('base64'),
  MAIL_FROM: 'licenses@example.com',
  MAIL_CONFIGURATION_SET: 'mails',
  RATE_LIMIT_SELLER: '0',
  TABLE_NAME: 'sample-table',
  BUCKET_NAME: 'sample-bucket',
  WEBHOOK_QUEUE_URL: 'http://127.0.0.1:9/000000000000/webhooks',
  MAIL_QUEUE_URL: 'http://127.0.0.1:9/000000000000/mail',
  HASH_QUEUE_URL: 'http://127.0.0.1:9/000000000000/hash',
  SCAN_QUEUE_URL: 'http://127.0.0.1:9/000000000000/scan',
  IMPORT_QUEUE_URL: 'http://127.0.0.1:9/000000000000/import',
  EVENT_QUEUE_URL: 'http://127.0.0.1:9/000000000000/event',
  DELIVERY_QUEUE_URL: 'http://127.0.0.1:9/000000000000/delivery',
};

/** The settings that a function names, read as the function reads them; `changes` are values of the environment. */
export const sampleSettings = <const Name extends SettingName>(
  names: readonly Name[],
  changes: Partial<Record<SettingName, string>> = {},
): Pick<Settings, Name> => readSettings(names, { ...environment, ...changes });
