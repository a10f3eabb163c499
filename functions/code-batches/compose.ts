import { createAuditRepository } from '../../shared/audit/audit-repository.ts';
import { createCodeBatchRepository } from '../../shared/code-batches/code-batch-repository.ts';
import { createCodeBatchService } from '../../shared/code-batches/code-batch-service.ts';
import { createCodeHashRepository } from '../../shared/code-batches/code-hash-repository.ts';
import { createCountStock } from '../../shared/code-batches/code-stock-repository.ts';
import { createCodeStockService } from '../../shared/code-batches/code-stock-service.ts';
import { createCodeUploadRepository } from '../../shared/code-batches/code-upload-repository.ts';
import type { SettingsOf } from '../../shared/config.ts';
import type { Table } from '../../shared/db/table.ts';
import { callersBy } from '../../shared/http/caller-address.ts';
import { createAuthenticate } from '../../shared/http/create-authenticate.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { normalizeLicenseKey } from '../../shared/licenses/license-key.ts';
import type { Logger } from '../../shared/logger.ts';
import { createWaitingOrderRepository } from '../../shared/orders/waiting-order-repository.ts';
import { createGetOwnProduct } from '../../shared/products/own-product.ts';
import { createProductRepository } from '../../shared/products/product-repository.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';
import { createSellerRepository } from '../../shared/sellers/seller-repository.ts';
import type { settingNames } from './declaration.ts';
import { routes } from './routes.ts';

/** The endpoints with which sellers import codes of their own. */
export function compose({
  settings,
  logger,
  table,
  sender,
  now,
}: {
  settings: SettingsOf<typeof settingNames>;
  logger: Logger;
  table: Table;
  sender: JobSender;
  now?: () => Date;
}) {
  const encryptionKeys = settings.ENCRYPTION_KEYS;
  const sellers = createSellerRepository({ table });
  const products = createProductRepository({ table });
  const getOwnProduct = createGetOwnProduct({ products, sellers });
  const batches = createCodeBatchRepository({ table, now });
  const codeBatches = createCodeBatchService({
    table,
    getOwnProduct,
    sellers,
    products,
    batches,
    uploads: createCodeUploadRepository({ table, encryptionKeys, now }),
    hashes: createCodeHashRepository({ table, encryptionKeys }),
    jobs: createJobRepository({ table, now }),
    sendJob: sender.sendJob,
    normalize: normalizeLicenseKey,
    now,
  });
  const codeStock = createCodeStockService({
    getOwnProduct,
    batches,
    audit: createAuditRepository({ table }),
    countStock: createCountStock({ table }),
    countWaitingOrders: createWaitingOrderRepository({ table }).countWaitingOrders,
  });
  return createHandler({
    routes,
    services: { codeBatches, codeStock },
    logger,
    authenticate: createAuthenticate(settings),
    consoleOrigins: settings.CONSOLE_ORIGINS,
    ...callersBy(settings),
  });
}
