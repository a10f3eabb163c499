import { operatorSettings } from '../../shared/operator.ts';

export const settingNames = [
  'STAGE',
  'TABLE_NAME',
  'MAIL_QUEUE_URL',
  'MAIL_FROM',
  'MAIL_CONFIGURATION_SET',
  'PUBLIC_BASE_URL',
  'ENCRYPTION_KEYS',
  'TOKEN_KEYS',
  ...operatorSettings,
] as const;
