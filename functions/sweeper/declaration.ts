import type { Permissions } from '../../shared/permissions.ts';
import { queueSettings } from '../../shared/queue/messages.ts';

export const settingNames = ['STAGE', 'TABLE_NAME', ...queueSettings] as const;

export const permissions: Permissions = {
  table: {
    UpdateItem: ['job'],
  },
  indexes: ['pending'],
};
