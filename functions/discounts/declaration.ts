import { userSettings } from '../../shared/http/callers/create-authenticate.ts';
import type { Permissions } from '../../shared/permissions.ts';

export const settingNames = [...userSettings, 'TABLE_NAME'] as const;
export const parts = ['table'] as const;

export const permissions: Permissions = {
  table: {
    BatchGetItem: ['discount'],
    GetItem: ['apiToken', 'discount', 'product', 'seller'],
    PutItem: ['audit', 'discount'],
    Query: ['discount'],
    UpdateItem: ['apiToken', 'discount'],
  },
};
