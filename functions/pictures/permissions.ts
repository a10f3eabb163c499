import type { Permissions } from '../../shared/permissions.ts';

export const permissions: Permissions = {
  table: {
    BatchGetItem: ['product', 'seller'],
    GetItem: ['product'],
  },
  objects: { 'pictures/': ['s3:GetObjectVersion'] },
};
