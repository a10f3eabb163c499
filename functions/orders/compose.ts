import { createAuditRepository } from '../../shared/audit/audit-repository.ts';
import type { SettingsOf } from '../../shared/config.ts';
import type { Table } from '../../shared/db/table.ts';
import { callersBy } from '../../shared/http/caller-address.ts';
import { createAuthenticate } from '../../shared/http/create-authenticate.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createTableRateLimit } from '../../shared/http/rate-limit.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { createLicenseRepository } from '../../shared/licenses/license-repository.ts';
import { createLicenseService } from '../../shared/licenses/license-service.ts';
import { createOrderSearch } from '../../shared/licenses/search/order-search.ts';
import type { Logger } from '../../shared/logger.ts';
import { createMailRepository } from '../../shared/mail/mail-repository.ts';
import { createBuyerEmailService } from '../../shared/orders/buyer-email-service.ts';
import { createOrderRepository } from '../../shared/orders/order-repository.ts';
import { createGetOwnOrder } from '../../shared/orders/own-order.ts';
import { createProductIdRepository } from '../../shared/products/product-id-repository.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';
import { createRecordEvent } from '../../shared/seller-events/event-record-repository.ts';
import { createSellerRepository } from '../../shared/sellers/seller-repository.ts';
import type { settingNames } from './declaration.ts';
import { createFindSoldLicense } from './license/find-sold-license.ts';
import { routes } from './routes.ts';

/** The endpoints with which sellers see their sales and answer the buyers of them. */
export function compose({
  settings,
  logger,
  table,
  sender,
  now = () => new Date(),
}: {
  settings: SettingsOf<typeof settingNames>;
  logger: Logger;
  table: Table;
  sender: JobSender;
  now?: () => Date;
}) {
  const { LICENSE_PEPPERS: peppers, ENCRYPTION_KEYS: encryptionKeys } = settings;
  const audit = createAuditRepository({ table, now });
  const sellers = createSellerRepository({ table, now });
  const orders = createOrderRepository({ table });
  const mails = createMailRepository({ table });
  const licenses = createLicenseRepository({ table });
  const getOwnOrder = createGetOwnOrder({ orders, sellers });
  return createHandler({
    routes,
    services: {
      sellers,
      orders,
      licenseRepository: licenses,
      licenses: createLicenseService({ table, licenses, audit, recordEvent: createRecordEvent({ now }), now }),
      mails,
      getOwnOrder,
      findSoldLicense: createFindSoldLicense(getOwnOrder),
      buyerEmails: createBuyerEmailService({
        table,
        orders,
        mails,
        jobs: createJobRepository({ table, now }),
        sendJob: sender.sendJob,
        audit,
        encryptionKeys,
        now,
      }),
      search: createOrderSearch({
        table,
        orders,
        licenses,
        productIds: createProductIdRepository({ table }),
        audit,
        peppers,
        encryptionKeys,
        now,
      }),
      now,
    },
    logger,
    authenticate: createAuthenticate(settings),
    consoleOrigins: settings.CONSOLE_ORIGINS,
    limitRate: createTableRateLimit({ table, perWindow: { search: settings.RATE_LIMIT_SEARCH }, now }),
    ...callersBy(settings),
  });
}
