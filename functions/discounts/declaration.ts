import { callerSettings } from '../../shared/http/callers/caller-address.ts';
import { identitySettings } from '../../shared/http/callers/create-authenticate.ts';
import type { Permissions } from '../../shared/permissions.ts';

export const settingNames = [...callerSettings, ...identitySettings, 'CONSOLE_ORIGINS', 'TABLE_NAME'] as const;

export const permissions: Permissions = {
  table: {
    BatchGetItem: ['discount'],
    GetItem: ['apiToken', 'discount', 'product', 'seller'],
    PutItem: ['audit', 'discount'],
    Query: ['discount'],
    UpdateItem: ['apiToken', 'discount'],
  },
};
