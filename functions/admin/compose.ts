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
import { createPaymentRepository } from '../../shared/payments/payment-repository.ts';
import { createFileDiscards } from '../../shared/product-files/file-discards.ts';
import { createFileDownloads } from '../../shared/product-files/file-downloads.ts';
import type { ObjectStore } from '../../shared/product-files/object-store.ts';
import { createProductFileRepository } from '../../shared/product-files/product-file-repository.ts';
import { createProductFileReviews } from '../../shared/product-files/product-file-reviews.ts';
import { createProductIdRepository } from '../../shared/products/product-id-repository.ts';
import { createProductRepository } from '../../shared/products/product-repository.ts';
import { createProductReviews } from '../../shared/products/product-review.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';
import { createRecordEvent } from '../../shared/seller-events/event-record-repository.ts';
import { createSellerRepository } from '../../shared/sellers/seller-repository.ts';
import { createSellerService } from '../../shared/sellers/seller-service.ts';
import type { settingNames } from './declaration.ts';
import { routes } from './routes.ts';
import { createCompletionTokens } from './sales/completion-tokens.ts';

/** The endpoints with which admins review sellers, products and files, and look after orders and licenses. */
export function compose({
  settings,
  logger,
  table,
  store,
  sender,
  now = () => new Date(),
}: {
  settings: SettingsOf<typeof settingNames>;
  logger: Logger;
  table: Table;
  /** Absent where no bucket is configured. */
  store?: ObjectStore | undefined;
  sender: JobSender;
  now?: () => Date;
}) {
  const { STAGE: stage, PUBLIC_BASE_URL: publicBaseUrl, TOKEN_KEYS: tokenKeys, ENCRYPTION_KEYS: encryptionKeys } = settings;
  const audit = createAuditRepository({ table, now });
  const recordEvent = createRecordEvent({ now });
  const sellers = createSellerRepository({ table, now });
  const products = createProductRepository({ table });
  const files = createProductFileRepository({ table });
  const jobs = createJobRepository({ table, now });
  const discards = createFileDiscards({ jobs, discardAfterHours: settings.DISCARD_AFTER_HOURS, now });
  const orders = createOrderRepository({ table });
  const mails = createMailRepository({ table });
  const licenses = createLicenseRepository({ table });
  return createHandler({
    routes,
    services: {
      audit,
      sellers: createSellerService({ table, sellers, audit, now }),
      productReviews: createProductReviews({ table, products, sellers, audit, recordEvent, now }),
      fileReviews: createProductFileReviews({ table, files, products, sellers, audit, recordEvent, discards, now }),
      downloads: createFileDownloads({ table, files, products, sellers, audit, store, now }),
      orders,
      payments: createPaymentRepository({ table }),
      licenses: createLicenseService({ table, licenses, audit, recordEvent, now }),
      licenseRepository: licenses,
      completionTokens: createCompletionTokens({ table, orders, audit, stage, publicBaseUrl, tokenKeys, now }),
      mails,
      buyerEmails: createBuyerEmailService({
        table,
        orders,
        mails,
        jobs,
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
        peppers: settings.LICENSE_PEPPERS,
        encryptionKeys,
        now,
      }),
      now,
    },
    logger,
    authenticate: createAuthenticate(settings),
    adminAllowlist: settings.ADMIN_ALLOWLIST,
    consoleOrigins: settings.CONSOLE_ORIGINS,
    limitRate: createTableRateLimit({ table, perWindow: { search: settings.RATE_LIMIT_SEARCH }, now }),
    ...callersBy(settings),
  });
}
