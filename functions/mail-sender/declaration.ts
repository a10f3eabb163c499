import { operatorSettings } from '../../shared/operator.ts';
import type { Permissions } from '../../shared/permissions.ts';

export const settingNames = [
  'STAGE',
  'TABLE_NAME',
  'MAIL_QUEUE_URL',
  'MAIL_FROM',
  'MAIL_CONFIGURATION_SET',
  'PUBLIC_BASE_URL',
  'CONSOLE_CLIENT_ID',
  'ENCRYPTION_KEYS',
  'TOKEN_KEYS',
  ...operatorSettings,
] as const;
export const parts = ['table', 'sender', 'mail'] as const;

export const permissions: Permissions = {
  table: {
    BatchGetItem: ['buyer', 'order'],
    ConditionCheckItem: ['order'],
    DeleteItem: ['job'],
    GetItem: ['apiToken', 'license', 'licenseId', 'mailing', 'order', 'seller'],
    PutItem: ['audit', 'buyer'],
    Query: ['buyer'],
    UpdateItem: ['job', 'order'],
  },
};
