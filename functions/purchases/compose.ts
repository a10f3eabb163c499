import { createAuditRepository } from '../../shared/audit/audit-repository.ts';
import type { SettingsOf } from '../../shared/config.ts';
import type { Table } from '../../shared/db/table.ts';
import { callersBy } from '../../shared/http/caller-address.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createTableRateLimit } from '../../shared/http/rate-limit.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { createActiveDeviceRepository } from '../../shared/licenses/active-device-repository.ts';
import { createBuyerLicenseService } from '../../shared/licenses/buyer-license-service.ts';
import { createBuyerMovesRepository } from '../../shared/licenses/buyer-moves-repository.ts';
import { createLicenseRepository } from '../../shared/licenses/license-repository.ts';
import { createReplacedKeyRepository } from '../../shared/licenses/replaced-key-repository.ts';
import type { Logger } from '../../shared/logger.ts';
import { createMailRepository } from '../../shared/mail/mail-repository.ts';
import { createMailingRepository } from '../../shared/mail/mailing-repository.ts';
import { createBuyerEmailService } from '../../shared/orders/buyer-email-service.ts';
import { createOrderRepository } from '../../shared/orders/order-repository.ts';
import { createResendLinks } from '../../shared/orders/resend-links.ts';
import { createPaymentRepository } from '../../shared/payments/payment-repository.ts';
import { createFileDownloads } from '../../shared/product-files/file-downloads.ts';
import type { ObjectStore } from '../../shared/product-files/object-store.ts';
import { createProductFileRepository } from '../../shared/product-files/product-file-repository.ts';
import { createProductRepository } from '../../shared/products/product-repository.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';
import { createRecordEvent } from '../../shared/seller-events/event-record-repository.ts';
import { createSellerRepository } from '../../shared/sellers/seller-repository.ts';
import { createAuthorizePurchase } from './authorize-purchase.ts';
import type { settingNames } from './declaration.ts';
import { createPurchasedLicenses } from './purchased-license.ts';
import { createPurchasedOrders } from './purchased-order.ts';
import { routes } from './routes.ts';

/** The endpoints with which buyers get their license, their files and fresh links, and help themselves. */
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
  store: ObjectStore | undefined;
  sender: JobSender;
  now?: () => Date;
}) {
  const { ENCRYPTION_KEYS: encryptionKeys, TOKEN_KEYS: tokenKeys } = settings;
  const orders = createOrderRepository({ table });
  const licenses = createLicenseRepository({ table });
  const jobs = createJobRepository({ table, now });
  const mails = createMailRepository({ table });
  const audit = createAuditRepository({ table, now });
  const services = {
    authorizePurchase: createAuthorizePurchase({ orders, tokenKeys, encryptionKeys, now }),
    purchasedOrders: createPurchasedOrders({ payments: createPaymentRepository({ table }), encryptionKeys }),
    purchasedLicenses: createPurchasedLicenses({ licenses, encryptionKeys, now }),
    downloads: createFileDownloads({
      table,
      files: createProductFileRepository({ table }),
      products: createProductRepository({ table }),
      sellers: createSellerRepository({ table }),
      audit,
      store,
      now,
    }),
    resendLinks: createResendLinks({
      table,
      mailings: createMailingRepository({ table, now }),
      jobs,
      sendJob: sender.sendJob,
      encryptionKeys,
      now,
    }),
    buyerLicenses: createBuyerLicenseService({
      table,
      licenses,
      activeDevices: createActiveDeviceRepository({ table }),
      replacedKeys: createReplacedKeyRepository({ table }),
      buyerMoves: createBuyerMovesRepository({ table }),
      mails,
      jobs,
      audit,
      recordEvent: createRecordEvent({ now }),
      sendJob: sender.sendJob,
      peppers: settings.LICENSE_PEPPERS,
      encryptionKeys,
      mostReleases: settings.BUYER_MOVES,
      now,
    }),
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
  };
  const perWindow = { complete: settings.RATE_LIMIT_COMPLETE, download: settings.RATE_LIMIT_DOWNLOAD };
  const limitRate = createTableRateLimit({ table, perWindow, now });
  return createHandler({ routes, services, logger, limitRate, ...callersBy(settings) });
}
