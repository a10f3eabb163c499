import { callerSettings } from '../../shared/http/caller-address.ts';
import { operatorSettings } from '../../shared/operator.ts';
import { checkoutSettings } from '../../shared/orders/create-checkout.ts';

export const settingNames = [...callerSettings, ...checkoutSettings, ...operatorSettings, 'TABLE_NAME', 'RATE_LIMIT_CHECKOUT'] as const;
