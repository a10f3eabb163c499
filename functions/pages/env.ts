import { callerSettings } from '../../shared/http/caller-address.ts';
import { operatorSettings } from '../../shared/operator.ts';
import { checkoutSettings } from '../../shared/orders/create-checkout.ts';

export const settingNames = [
  ...callerSettings,
  ...checkoutSettings,
  ...operatorSettings,
  'TABLE_NAME',
  'MAIL_QUEUE_URL',
  'ENCRYPTION_KEYS',
  'RATE_LIMIT_CHECKOUT',
  'RATE_LIMIT_COMPLETE',
] as const;
