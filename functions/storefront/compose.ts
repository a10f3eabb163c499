import type { Composition } from '../../shared/function-parts.ts';
import { callersBy } from '../../shared/http/caller-address.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createTableRateLimit } from '../../shared/http/rate-limit.ts';
import { createCheckoutService } from '../../shared/orders/checkout-service.ts';
import { createFindShownFiles } from '../../shared/product-files/shown-files.ts';
import { createProductRepository, type FoundProduct } from '../../shared/products/product-repository.ts';
import { createPublishedReleaseRepository } from '../../shared/releases/published-release-repository.ts';
import type { settingNames } from './declaration.ts';
import { routes } from './routes.ts';

/** The endpoints with which anyone sees a product and starts a checkout. */
export function compose({
  settings,
  logger,
  table,
  provider,
  now = () => new Date(),
}: Composition<typeof settingNames, 'table' | 'provider'>) {
  const findShownFiles = createFindShownFiles({ table });
  const findImages = async (found: FoundProduct) => {
    const { pictures } = await findShownFiles(found);
    return pictures.map(({ path, ...size }) => ({ url: `${settings.PUBLIC_BASE_URL}${path}`, ...size }));
  };
  const perWindow = { checkout: settings.RATE_LIMIT_CHECKOUT, quote: settings.RATE_LIMIT_QUOTE };
  return createHandler({
    routes,
    services: {
      products: createProductRepository({ table }),
      publishedReleases: createPublishedReleaseRepository({ table }),
      findImages,
      checkout: createCheckoutService({ settings, table, provider, logger, now }),
    },
    logger,
    limitRate: createTableRateLimit({ table, perWindow, now }),
    ...callersBy(settings),
  });
}
