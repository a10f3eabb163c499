import type { Permissions } from '../../shared/permissions.ts';

export const settingNames = ['STAGE', 'LICENSE_PEPPERS', 'ENCRYPTION_KEYS', 'TABLE_NAME', 'IMPORT_QUEUE_URL', 'WEBHOOK_QUEUE_URL'] as const;
export const parts = ['table', 'sender'] as const;

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
