import { createCodeBatchRepository } from '../../shared/code-batches/code-batch-repository.ts';
import { createCodeBatchService } from '../../shared/code-batches/code-batch-service.ts';
import { createCodeHashRepository } from '../../shared/code-batches/code-hash-repository.ts';
import { createCodeUploadRepository } from '../../shared/code-batches/code-upload-repository.ts';
import type { SettingsOf } from '../../shared/config.ts';
import type { Table } from '../../shared/db/table.ts';
import { callersBy } from '../../shared/http/caller-address.ts';
import { createAuthenticate } from '../../shared/http/create-authenticate.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { normalizeLicenseKey } from '../../shared/licenses/license-key.ts';
import type { Logger } from '../../shared/logger.ts';
import { createGetOwnProduct } from '../../shared/products/own-product.ts';
import { createProductRepository } from '../../shared/products/product-repository.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';
import { createSellerRepository } from '../../shared/sellers/seller-repository.ts';
import type { settingNames } from './env.ts';
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
  const codeBatches = createCodeBatchService({
    table,
    getOwnProduct: createGetOwnProduct({ products, sellers }),
    sellers,
    products,
    batches: createCodeBatchRepository({ table, now }),
    uploads: createCodeUploadRepository({ table, encryptionKeys, now }),
    hashes: createCodeHashRepository({ table, encryptionKeys }),
    jobs: createJobRepository({ table, now }),
    sendJob: sender.sendJob,
    normalize: normalizeLicenseKey,
    now,
  });
  return createHandler({
    routes,
    services: { codeBatches },
    logger,
    authenticate: createAuthenticate(settings),
    consoleOrigins: settings.CONSOLE_ORIGINS,
    ...callersBy(settings),
  });
}
