import { tableContext } from '../../shared/function-parts.ts';
import { findObjectStore } from '../../shared/product-files/storage/object-store.ts';
import { startFunction } from '../../shared/start-function.ts';
import { compose } from './compose.ts';
import { settingNames } from './declaration.ts';

export const handler = startFunction('pictures', settingNames, (settings, logger) =>
  compose({
    ...tableContext(settings, logger),
    store: findObjectStore(settings.BUCKET_NAME),
  }),
);
