import type { Permissions } from '../../shared/permissions.ts';
import { queueSettings } from '../../shared/queue/messages.ts';

export const settingNames = ['STAGE', 'TABLE_NAME', ...queueSettings] as const;
export const parts = ['table', 'sender'] as const;

export const permissions: Permissions = {
  table: {
    GetItem: ['walk'],
    PutItem: ['walk'],
    UpdateItem: ['job', 'product', 'release', 'seller'],
  },
  indexes: ['list', 'pending'],
};
