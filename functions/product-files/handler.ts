import { createAuditRepository } from '../../shared/audit/audit-repository.ts';
import { createTable } from '../../shared/db/table.ts';
import { createAuthenticate } from '../../shared/http/create-authenticate.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { createObjectStore } from '../../shared/product-files/object-store.ts';
import { createProductFileRepository } from '../../shared/product-files/product-file-repository.ts';
import { createProductFileService } from '../../shared/product-files/product-file-service.ts';
import { createGetOwnProduct } from '../../shared/products/own-product.ts';
import { createProductRepository } from '../../shared/products/product-repository.ts';
import { createJobSender } from '../../shared/queue/job-sender.ts';
import { createSellerRepository } from '../../shared/sellers/seller-repository.ts';
import { startFunction } from '../../shared/start-function.ts';
import { settingNames } from './env.ts';
import { routes } from './routes.ts';

export const handler = startFunction('product-files', settingNames, (settings, logger) => {
  const { TABLE_NAME: tableName, BUCKET_NAME: bucketName, MAX_FILE_BYTES: maxFileBytes } = settings;
  const table = createTable({ tableName });
  const productFiles = createProductFileService({
    files: createProductFileRepository({ table }),
    getOwnProduct: createGetOwnProduct({ products: createProductRepository({ table }), sellers: createSellerRepository({ table }) }),
    audit: createAuditRepository({ table }),
    jobs: createJobRepository({ table }),
    sendJob: createJobSender({ queues: settings, logger }).sendJob,
    store: bucketName === undefined ? undefined : createObjectStore({ bucketName }),
    maxFileBytes,
  });
  return createHandler({
    routes,
    services: { productFiles },
    logger,
    authenticate: createAuthenticate(settings),
    consoleOrigins: settings.CONSOLE_ORIGINS,
  });
});
