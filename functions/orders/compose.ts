import type { Composition } from '../../shared/function-parts.ts';
import { usersBy } from '../../shared/http/create-authenticate.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createTableRateLimit } from '../../shared/http/rate-limit.ts';
import { createListHistory } from '../../shared/licenses/history/order-history.ts';
import { createOrderDesk } from '../../shared/licenses/search/order-desk.ts';
import { createGetOwnOrder } from '../../shared/orders/own-order.ts';
import { createPaymentRepository } from '../../shared/payments/payment-repository.ts';
import { createSellerRepository } from '../../shared/sellers/seller-repository.ts';
import type { settingNames } from './declaration.ts';
import { createFindSoldLicense } from './license/find-sold-license.ts';
import { routes } from './routes.ts';

/** The endpoints with which sellers see their sales and answer the buyers of them. */
export function compose({ settings, logger, table, sender, now = () => new Date() }: Composition<typeof settingNames, 'table' | 'sender'>) {
  const getOwnOrder = createGetOwnOrder({ table, now });
  return createHandler({
    routes,
    services: {
      ...createOrderDesk({ settings, table, sendJob: sender.sendJob, now }),
      sellers: createSellerRepository({ table, now }),
      payments: createPaymentRepository({ table }),
      publicBaseUrl: settings.PUBLIC_BASE_URL,
      getOwnOrder,
      listHistory: createListHistory({ table }),
      findSoldLicense: createFindSoldLicense(getOwnOrder),
    },
    logger,
    limitRate: createTableRateLimit({
      table,
      perWindow: { search: settings.RATE_LIMIT_SEARCH, 'email-requests': settings.RATE_LIMIT_EMAIL_REQUESTS },
      now,
    }),
    ...usersBy(settings, { table, now }),
  });
}
