import { jobContext } from '../../shared/function-parts.ts';
import { findObjectStore } from '../../shared/product-files/storage/object-store.ts';
import { startFunction } from '../../shared/start-function.ts';
import { compose } from './compose.ts';
import { settingNames } from './declaration.ts';
import { createRequestScan } from './guardduty.ts';

export const handler = startFunction('file-scanner', settingNames, (settings, logger) =>
  compose({
    ...jobContext(settings, logger),
    store: findObjectStore(settings.BUCKET_NAME),
    requestScan: createRequestScan(),
  }),
);
