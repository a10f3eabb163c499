import { checkoutSettings } from '../../shared/checkout/checkout-service.ts';
import { callerSettings } from '../../shared/http/callers/caller-address.ts';
import { operatorSettings } from '../../shared/operator.ts';
import type { Permissions } from '../../shared/permissions.ts';

export const settingNames = [
  ...callerSettings,
  ...checkoutSettings,
  ...operatorSettings,
  'TABLE_NAME',
  'MAIL_QUEUE_URL',
  'ENCRYPTION_KEYS',
  'RATE_LIMIT_CHECKOUT',
  'RATE_LIMIT_COMPLETE',
  'RATE_LIMIT_QUOTE',
] as const;
export const parts = ['signedTable', 'signedSender', 'provider'] as const;

export const permissions: Permissions = {
  table: {
    BatchGetItem: ['discount', 'product', 'release', 'seller'],
    DeleteItem: ['checkout', 'discount', 'order', 'seller'],
    GetItem: ['checkout', 'discount', 'order', 'preview', 'release', 'slug'],
    PutItem: ['checkout', 'discount', 'job', 'mailing', 'order', 'seller'],
    Query: ['codeStock'],
    UpdateItem: ['discount', 'order', 'rateLimit'],
  },
};
