import type { Permissions } from '../../shared/permissions.ts';

export const permissions: Permissions = {
  table: {
    BatchGetItem: ['license'],
    ConditionCheckItem: ['license'],
    PutItem: ['job'],
    UpdateItem: ['license', 'rateLimit'],
  },
};
