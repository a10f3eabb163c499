import type { SettingsOf } from '../../shared/config.ts';
import type { Table } from '../../shared/db/table.ts';
import { callersBy } from '../../shared/http/caller-address.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { pageHeaders } from '../../shared/http/page-headers.ts';
import type { Logger } from '../../shared/logger.ts';
import type { ObjectStore } from '../../shared/product-files/object-store.ts';
import { createProductFileRepository } from '../../shared/product-files/product-file-repository.ts';
import { createReadPicture } from '../../shared/product-files/shown-files.ts';
import { createProductRepository } from '../../shared/products/product-repository.ts';
import type { settingNames } from './declaration.ts';
import { routes } from './routes.ts';

/** Whatever is at the address is no page; the shops of sellers may show it. */
const pictureHeaders = {
  ...pageHeaders,
  'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** The pictures of products, for browsers. */
export function compose({
  settings,
  logger,
  table,
  store,
}: {
  settings: SettingsOf<typeof settingNames>;
  logger: Logger;
  table: Table;
  /** Absent where no bucket is configured. */
  store: ObjectStore | undefined;
}) {
  const files = createProductFileRepository({ table });
  const products = createProductRepository({ table });
  return createHandler({
    routes,
    services: { readPicture: createReadPicture({ files, products, store }) },
    logger,
    ...callersBy(settings),
    present: (_event, reply) => ({ ...reply, headers: { ...pictureHeaders, ...reply.headers } }),
  });
}
