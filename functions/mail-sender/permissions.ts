import type { Permissions } from '../../shared/permissions.ts';

export const permissions: Permissions = {
  table: {
    BatchGetItem: ['order'],
    ConditionCheckItem: ['order'],
    DeleteItem: ['job'],
    GetItem: ['buyer', 'mailing', 'order', 'seller'],
    PutItem: ['audit', 'buyer'],
    Query: ['buyer'],
    UpdateItem: ['job', 'order'],
  },
};
