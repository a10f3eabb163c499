import { createAuditRepository } from '../../shared/audit/audit-repository.ts';
import { createTable } from '../../shared/db/table.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createTableRateLimit } from '../../shared/http/rate-limit.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { createLicenseRepository } from '../../shared/licenses/license-repository.ts';
import { openLicenseKey } from '../../shared/licenses/new-license.ts';
import { createMailRepository } from '../../shared/mail/mail-repository.ts';
import { createOrderRepository } from '../../shared/orders/order-repository.ts';
import { createFileDownloads } from '../../shared/product-files/file-downloads.ts';
import { createObjectStore } from '../../shared/product-files/object-store.ts';
import { createProductFileRepository } from '../../shared/product-files/product-file-repository.ts';
import { createProductRepository } from '../../shared/products/product-repository.ts';
import { createJobSender } from '../../shared/queue/job-sender.ts';
import { createSellerRepository } from '../../shared/sellers/seller-repository.ts';
import { startFunction } from '../../shared/start-function.ts';
import { createAuthorizePurchase } from './authorize-purchase.ts';
import { settingNames } from './env.ts';
import { createResendLinks } from './resend-link.ts';
import { routes } from './routes.ts';

export const handler = startFunction('purchases', settingNames, (settings, logger) => {
  const { ENCRYPTION_KEYS: encryptionKeys, TOKEN_KEYS: tokenKeys, BUCKET_NAME: bucketName } = settings;
  const table = createTable({ tableName: settings.TABLE_NAME });
  const orders = createOrderRepository({ table });
  const now = () => new Date();
  const services = {
    authorizePurchase: createAuthorizePurchase({ orders, tokenKeys, encryptionKeys, now }),
    licenses: createLicenseRepository({ table }),
    openLicenseKey: (license: Parameters<typeof openLicenseKey>[0]) => openLicenseKey(license, encryptionKeys),
    downloads: createFileDownloads({
      table,
      files: createProductFileRepository({ table }),
      products: createProductRepository({ table }),
      sellers: createSellerRepository({ table }),
      audit: createAuditRepository({ table }),
      store: bucketName === undefined ? undefined : createObjectStore({ bucketName }),
    }),
    resendLinks: createResendLinks({
      orders,
      mails: createMailRepository({ table }),
      jobs: createJobRepository({ table }),
      sender: createJobSender({ queues: settings, logger }),
      limitResends: createTableRateLimit({ table, perWindow: { resend: 3 }, windowSeconds: 3600 }),
      encryptionKeys,
      now,
    }),
    now,
  };
  const limitRate = createTableRateLimit({
    table,
    perWindow: { complete: settings.RATE_LIMIT_COMPLETE, download: settings.RATE_LIMIT_DOWNLOAD },
  });
  return createHandler({ routes, services, logger, limitRate, originSecret: settings.ORIGIN_SECRET });
});
