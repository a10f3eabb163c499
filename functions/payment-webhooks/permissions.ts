import type { Permissions } from '../../shared/permissions.ts';

export const permissions: Permissions = {
  table: {
    PutItem: ['job', 'webhookEvent'],
  },
};
