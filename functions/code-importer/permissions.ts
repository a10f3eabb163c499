import type { Permissions } from '../../shared/permissions.ts';

export const permissions: Permissions = {
  table: {
    BatchGetItem: ['code', 'license'],
    DeleteItem: ['codeUpload', 'job'],
    GetItem: ['codeUpload', 'product', 'seller'],
    // Nothing of the seller: the secret of its codes was made before the batch was.
    PutItem: ['code', 'codeStock', 'job'],
    UpdateItem: ['job', 'product'],
  },
};
