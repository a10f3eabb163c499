import { createHasStock } from '../../shared/code-batches/code-stock-repository.ts';
import type { Composition } from '../../shared/function-parts.ts';
import { usersBy } from '../../shared/http/create-authenticate.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createPreviewService } from '../../shared/products/previews/preview-service.ts';
import { productRequests } from '../../shared/products/product.ts';
import { createProductService } from '../../shared/products/product-service.ts';
import { createShowProduct } from '../../shared/products/sale-blockers.ts';
import type { settingNames } from './declaration.ts';
import { routes } from './routes.ts';

/** The endpoints with which sellers describe, submit and publish their products. */
export function compose({ settings, logger, table, now }: Composition<typeof settingNames, 'table'>) {
  const { PUBLIC_BASE_URL: publicBaseUrl, REVIEW_DUE_HOURS: reviewDueHours } = settings;
  const showProduct = createShowProduct({ publicBaseUrl, reviewDueHours, hasStock: createHasStock({ table }) });
  return createHandler({
    routes,
    services: {
      products: createProductService({ table, showProduct, now }),
      previews: createPreviewService({ table, publicBaseUrl, now }),
      requests: productRequests(settings.CURRENCIES),
    },
    logger,
    ...usersBy(settings, { table, now }),
  });
}
