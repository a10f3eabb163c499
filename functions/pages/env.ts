import { checkoutSettings } from '../../shared/orders/create-checkout.ts';

export const settingNames = [...checkoutSettings, 'TABLE_NAME', 'RATE_LIMIT_CHECKOUT', 'ORIGIN_SECRET'] as const;
