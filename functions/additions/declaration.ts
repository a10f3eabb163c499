import { checkoutSettings } from '../../shared/checkout/checkout-service.ts';
import { callerSettings } from '../../shared/http/callers/caller-address.ts';
import type { Permissions } from '../../shared/permissions.ts';

export const settingNames = [...callerSettings, ...checkoutSettings, 'TABLE_NAME', 'RATE_LIMIT_CHECKOUT', 'RATE_LIMIT_COMPLETE'] as const;
export const parts = ['table', 'provider'] as const;

export const permissions: Permissions = {
  table: {
    BatchGetItem: ['order', 'product', 'seller'],
    DeleteItem: ['checkout', 'order', 'seller'],
    GetItem: ['checkout', 'license', 'licenseId', 'order'],
    PutItem: ['checkout', 'order', 'seller'],
    Query: ['codeStock'],
    UpdateItem: ['order', 'rateLimit'],
  },
};
