import { checkoutSettings } from '../../shared/checkout/checkout-service.ts';
import { callerSettings } from '../../shared/http/callers/caller-address.ts';
import type { Permissions } from '../../shared/permissions.ts';

export const settingNames = [...callerSettings, ...checkoutSettings, 'TABLE_NAME', 'RATE_LIMIT_CHECKOUT', 'RATE_LIMIT_QUOTE'] as const;
export const parts = ['table', 'provider'] as const;

export const permissions: Permissions = {
  table: {
    BatchGetItem: ['product', 'release', 'seller'],
    DeleteItem: ['checkout', 'discount', 'order', 'seller'],
    GetItem: ['checkout', 'discount', 'order', 'release', 'slug'],
    PutItem: ['checkout', 'discount', 'job', 'order', 'seller'],
    Query: ['codeStock'],
    UpdateItem: ['discount', 'order', 'rateLimit'],
  },
};
