import type { SettingsOf } from '../config.ts';
import type { Table } from '../db/table.ts';
import type { StripeClient } from '../payments/stripe-client.ts';
import { type CheckoutService, createCheckoutService } from './checkout-service.ts';

/** The settings that every function in which checkouts begin needs for them. */
export const checkoutSettings = [
  'STAGE',
  'PUBLIC_BASE_URL',
  'PLATFORM_FEE_BPS',
  'PAYMENT_SECRET_KEY',
  'PAYMENT_API_BASE',
  'TOKEN_KEYS',
] as const;

/** The checkout service as the settings want it: the same wherever a checkout begins. */
export function createCheckout({
  settings,
  table,
  provider,
  now,
}: {
  settings: SettingsOf<typeof checkoutSettings>;
  table: Table;
  provider: StripeClient;
  now: () => Date;
}): CheckoutService {
  return createCheckoutService({
    table,
    provider,
    stage: settings.STAGE,
    publicBaseUrl: settings.PUBLIC_BASE_URL,
    feeBasisPoints: settings.PLATFORM_FEE_BPS,
    tokenKeys: settings.TOKEN_KEYS,
    now,
  });
}
