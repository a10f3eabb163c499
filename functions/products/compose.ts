import type { Composition } from '../../shared/function-parts.ts';
import { usersBy } from '../../shared/http/create-authenticate.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { productUpsertRequest } from '../../shared/products/product.ts';
import { createProductService } from '../../shared/products/product-service.ts';
import type { settingNames } from './declaration.ts';
import { routes } from './routes.ts';

/** The endpoints with which sellers describe, submit and publish their products. */
export const compose = ({ settings, logger, table, now }: Composition<typeof settingNames, 'table'>) =>
  createHandler({
    routes,
    services: { products: createProductService({ table, now }), upsertRequest: productUpsertRequest(settings.CURRENCIES) },
    logger,
    ...usersBy(settings),
  });
