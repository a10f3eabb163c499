import { callerSettings } from '../../shared/http/callers/caller-address.ts';
import type { Permissions } from '../../shared/permissions.ts';

export const settingNames = [
  ...callerSettings,
  'STAGE',
  'TABLE_NAME',
  'WEBHOOK_QUEUE_URL',
  'PAYMENT_WEBHOOK_SECRET',
  'PAYMENT_CONNECT_WEBHOOK_SECRET',
  'ENCRYPTION_KEYS',
] as const;
export const parts = ['table', 'sender'] as const;

export const permissions: Permissions = {
  table: {
    PutItem: ['job', 'webhookEvent'],
  },
};
