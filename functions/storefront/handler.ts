import { createHasStock } from '../../shared/code-batches/code-stock-repository.ts';
import { createTable } from '../../shared/db/table.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createTableRateLimit } from '../../shared/http/rate-limit.ts';
import { createCheckoutService } from '../../shared/orders/checkout-service.ts';
import { createOrderRepository } from '../../shared/orders/order-repository.ts';
import { createCheckoutSessions } from '../../shared/payments/checkout-sessions.ts';
import { createStripeClient } from '../../shared/payments/stripe-client.ts';
import { createProductRepository } from '../../shared/products/product-repository.ts';
import { startFunction } from '../../shared/start-function.ts';
import { settingNames } from './env.ts';
import { routes, type StorefrontServices } from './routes.ts';

export const handler = startFunction('storefront', settingNames, (settings, logger) => {
  const table = createTable({ tableName: settings.TABLE_NAME });
  const products = createProductRepository({ table });
  const provider = createStripeClient({ secretKey: settings.PAYMENT_SECRET_KEY, apiBase: settings.PAYMENT_API_BASE });
  const services: StorefrontServices = {
    products,
    checkout: createCheckoutService({
      table,
      products,
      hasStock: createHasStock({ table }),
      orders: createOrderRepository({ table }),
      checkoutSessions: createCheckoutSessions({ provider }),
      stage: settings.STAGE,
      publicBaseUrl: settings.PUBLIC_BASE_URL,
      feeBasisPoints: settings.PLATFORM_FEE_BPS,
      tokenKeys: settings.TOKEN_KEYS,
      now: () => new Date(),
    }),
  };
  const limitRate = createTableRateLimit({ table, perWindow: { checkout: settings.RATE_LIMIT_CHECKOUT } });
  return createHandler({ routes, services, logger, limitRate, originSecret: settings.ORIGIN_SECRET });
});
