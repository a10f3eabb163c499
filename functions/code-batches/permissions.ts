import type { Permissions } from '../../shared/permissions.ts';

export const permissions: Permissions = {
  table: {
    ConditionCheckItem: ['product', 'seller'],
    DeleteItem: ['codeUpload'],
    GetItem: ['product', 'seller'],
    PutItem: ['codeUpload', 'job', 'product', 'seller'],
    Query: ['audit', 'codeStock', 'product', 'waiting'],
  },
};
