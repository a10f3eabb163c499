import { randomBytes } from 'node:crypto';
import { readSettings, type SettingName } from '../../../shared/config.ts';
import { testBucket } from '../engines/test-object-store.ts';

const newKeyring = () => `1:${randomBytes(32).toString('base64')}`;
const queueUrl = (name: string) => `http://127.0.0.1:9/000000000000/${name}`;

/** A value for each setting that has no default. Nothing listens where they point to. */
const values: Partial<Record<SettingName, string>> = {
  STAGE: 'local',
  AUTH_MODE: 'local',
  ADMIN_ALLOWLIST: 'admin@example.com',
  PUBLIC_BASE_URL: 'http://shop.test',
  PAYMENT_SECRET_KEY: 'sk_test_local',
  LICENSE_PEPPERS: newKeyring(),
  ENCRYPTION_KEYS: newKeyring(),
  TOKEN_KEYS: newKeyring(),
  TABLE_NAME: 'given-as-a-table',
  BUCKET_NAME: testBucket,
  HASH_QUEUE_URL: queueUrl('hash'),
  SCAN_QUEUE_URL: queueUrl('scan'),
  IMPORT_QUEUE_URL: queueUrl('import'),
  WEBHOOK_QUEUE_URL: queueUrl('webhook'),
};

/** The settings that a function names, read as in the cloud; an empty text leaves one out. */
export const testSettings = <const Name extends SettingName>(
  names: readonly Name[],
  changes: Partial<Record<SettingName, string | undefined>> = {},
) => readSettings(names, { ...values, ...changes });
