import { createCodeBatchRepository } from '../../shared/code-batches/code-batch-repository.ts';
import { createCodeBatchService } from '../../shared/code-batches/code-batch-service.ts';
import { createCodeHashRepository } from '../../shared/code-batches/code-hash-repository.ts';
import { createCodeUploadRepository } from '../../shared/code-batches/code-upload-repository.ts';
import { createTable } from '../../shared/db/table.ts';
import { createAuthenticate } from '../../shared/http/create-authenticate.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { normalizeLicenseKey } from '../../shared/licenses/license-key.ts';
import { createProductRepository } from '../../shared/products/product-repository.ts';
import { createJobSender } from '../../shared/queue/job-sender.ts';
import { createSellerRepository } from '../../shared/sellers/seller-repository.ts';
import { startFunction } from '../../shared/start-function.ts';
import { settingNames } from './env.ts';
import { routes } from './routes.ts';

export const handler = startFunction('code-batches', settingNames, (settings, logger) => {
  const table = createTable({ tableName: settings.TABLE_NAME });
  const stores = { table, encryptionKeys: settings.ENCRYPTION_KEYS };
  const codeBatches = createCodeBatchService({
    table,
    sellers: createSellerRepository({ table }),
    products: createProductRepository({ table }),
    batches: createCodeBatchRepository({ table }),
    uploads: createCodeUploadRepository(stores),
    hashes: createCodeHashRepository(stores),
    jobs: createJobRepository({ table }),
    sendJob: createJobSender({ queues: settings, logger }).sendJob,
    normalize: normalizeLicenseKey,
  });
  return createHandler({
    routes,
    services: { codeBatches },
    logger,
    authenticate: createAuthenticate(settings),
    consoleOrigins: settings.CONSOLE_ORIGINS,
  });
});
