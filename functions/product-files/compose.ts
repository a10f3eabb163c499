import { createAuditRepository } from '../../shared/audit/audit-repository.ts';
import type { SettingsOf } from '../../shared/config.ts';
import type { Table } from '../../shared/db/table.ts';
import { callersBy } from '../../shared/http/caller-address.ts';
import { createAuthenticate } from '../../shared/http/create-authenticate.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import type { Logger } from '../../shared/logger.ts';
import { createFileDiscards } from '../../shared/product-files/file-discards.ts';
import type { ObjectStore } from '../../shared/product-files/object-store.ts';
import { createProductFileRepository } from '../../shared/product-files/product-file-repository.ts';
import { createProductFileService } from '../../shared/product-files/product-file-service.ts';
import { createSellerStorageRepository } from '../../shared/product-files/seller-storage-repository.ts';
import { createGetOwnProduct } from '../../shared/products/own-product.ts';
import { createProductRepository } from '../../shared/products/product-repository.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';
import { createSellerRepository } from '../../shared/sellers/seller-repository.ts';
import type { settingNames } from './declaration.ts';
import { routes } from './routes.ts';

/** The endpoints with which sellers upload and withdraw the files of their products. */
export function compose({
  settings,
  logger,
  table,
  store,
  sender,
  now,
}: {
  settings: SettingsOf<typeof settingNames>;
  logger: Logger;
  table: Table;
  /** Absent where no bucket is configured. */
  store: ObjectStore | undefined;
  sender: JobSender;
  now?: () => Date;
}) {
  const files = createProductFileRepository({ table });
  const products = createProductRepository({ table });
  const jobs = createJobRepository({ table, now });
  const productFiles = createProductFileService({
    table,
    files,
    getOwnProduct: createGetOwnProduct({ products, sellers: createSellerRepository({ table }) }),
    audit: createAuditRepository({ table, now }),
    jobs,
    sendJob: sender.sendJob,
    store,
    storage: createSellerStorageRepository({ table, files, products, jobs }),
    discards: createFileDiscards({ jobs, discardAfterHours: settings.DISCARD_AFTER_HOURS, now }),
    maxFileBytes: settings.MAX_FILE_BYTES,
    maxSellerBytes: settings.SELLER_STORAGE_BYTES,
    now,
  });
  return createHandler({
    routes,
    services: { productFiles },
    logger,
    authenticate: createAuthenticate(settings),
    consoleOrigins: settings.CONSOLE_ORIGINS,
    ...callersBy(settings),
  });
}
