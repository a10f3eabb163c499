import { callerSettings } from '../../shared/http/caller-address.ts';
import { checkoutSettings } from '../../shared/orders/create-checkout.ts';

export const settingNames = [...callerSettings, ...checkoutSettings, 'TABLE_NAME', 'RATE_LIMIT_CHECKOUT'] as const;
