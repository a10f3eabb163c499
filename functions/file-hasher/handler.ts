import { jobContext } from '../../shared/function-parts.ts';
import { findStores } from '../../shared/product-files/parts/part-store.ts';
import { startFunction } from '../../shared/start-function.ts';
import { compose } from './compose.ts';
import { settingNames } from './declaration.ts';

export const handler = startFunction('file-hasher', settingNames, (settings, logger) =>
  compose({
    ...jobContext(settings, logger),
    ...findStores(settings.BUCKET_NAME),
  }),
);
