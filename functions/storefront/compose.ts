import type { SettingsOf } from '../../shared/config.ts';
import type { Table } from '../../shared/db/table.ts';
import { callersBy } from '../../shared/http/caller-address.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createTableRateLimit } from '../../shared/http/rate-limit.ts';
import type { Logger } from '../../shared/logger.ts';
import { createCheckout } from '../../shared/orders/create-checkout.ts';
import type { StripeClient } from '../../shared/payments/stripe-client.ts';
import { createProductFileRepository } from '../../shared/product-files/product-file-repository.ts';
import { createFindShownFiles } from '../../shared/product-files/shown-files.ts';
import { createProductRepository, type FoundProduct } from '../../shared/products/product-repository.ts';
import type { settingNames } from './declaration.ts';
import { routes } from './routes.ts';

/** The endpoints with which anyone sees a product and starts a checkout. */
export function compose({
  settings,
  logger,
  table,
  provider,
  now = () => new Date(),
}: {
  settings: SettingsOf<typeof settingNames>;
  logger: Logger;
  table: Table;
  provider: StripeClient;
  now?: () => Date;
}) {
  const products = createProductRepository({ table });
  const findShownFiles = createFindShownFiles({ files: createProductFileRepository({ table }) });
  const findImages = async (found: FoundProduct) => {
    const { pictures } = await findShownFiles(found);
    return pictures.map(({ path, ...size }) => ({ url: `${settings.PUBLIC_BASE_URL}${path}`, ...size }));
  };
  const perWindow = { checkout: settings.RATE_LIMIT_CHECKOUT };
  return createHandler({
    routes,
    services: {
      products,
      findImages,
      checkout: createCheckout({ settings, table, provider, now }),
    },
    logger,
    limitRate: createTableRateLimit({ table, perWindow, now }),
    ...callersBy(settings),
  });
}
