import type { Composition } from '../../shared/function-parts.ts';
import { callersBy } from '../../shared/http/caller-address.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { pageHeaders } from '../../shared/http/page-headers.ts';
import { createReadPicture, createReadPreviewPicture } from '../../shared/product-files/shown-files.ts';
import { createPreviewRepository } from '../../shared/products/previews/preview-repository.ts';
import type { settingNames } from './declaration.ts';
import { routes } from './routes.ts';

/** Whatever is at the address is no page; the shops of sellers may show it. */
const pictureHeaders = {
  ...pageHeaders,
  'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** The pictures of products, for browsers. */
export const compose = ({ settings, logger, table, store, now }: Composition<typeof settingNames, 'table' | 'store'>) =>
  createHandler({
    routes,
    services: {
      readPicture: createReadPicture({ table, store }),
      readPreviewPicture: createReadPreviewPicture({ table, store, previews: createPreviewRepository({ table, now }) }),
    },
    logger,
    ...callersBy(settings),
    present: (_event, reply) => ({ ...reply, headers: { ...pictureHeaders, ...reply.headers } }),
  });
