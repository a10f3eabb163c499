import type { Composition } from '../../shared/function-parts.ts';
import { usersBy } from '../../shared/http/create-authenticate.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createProductFileService } from '../../shared/product-files/product-file-service.ts';
import type { settingNames } from './declaration.ts';
import { routes } from './routes.ts';

/** The endpoints with which sellers upload and withdraw the files of their products. */
export function compose({
  settings,
  logger,
  table,
  store,
  partStore,
  sender,
  now,
}: Composition<typeof settingNames, 'table' | 'store' | 'partStore' | 'sender'>) {
  const productFiles = createProductFileService({
    table,
    sendJob: sender.sendJob,
    store,
    partStore,
    discardAfterHours: settings.DISCARD_AFTER_HOURS,
    reviewDueHours: settings.REVIEW_DUE_HOURS,
    maxFileBytes: settings.MAX_FILE_BYTES,
    maxSellerBytes: settings.SELLER_STORAGE_BYTES,
    now,
  });
  return createHandler({ routes, services: { productFiles }, logger, ...usersBy(settings, { table, now }) });
}
