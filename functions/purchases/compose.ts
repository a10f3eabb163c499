import { createFindOffers } from '../../shared/additions/find-offers.ts';
import type { Composition } from '../../shared/function-parts.ts';
import { callersBy } from '../../shared/http/caller-address.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createTableRateLimit } from '../../shared/http/rate-limit.ts';
import { createBuyerLicenseService } from '../../shared/licenses/buyers/buyer-license-service.ts';
import { createAuthorizePurchase } from '../../shared/orders/buyer-access/authorize-purchase.ts';
import { createBuyerEmailService } from '../../shared/orders/buyer-email-service.ts';
import { createResendLinks } from '../../shared/orders/resend-links.ts';
import { createFileDownloads } from '../../shared/product-files/file-downloads.ts';
import { createProductRepository } from '../../shared/products/product-repository.ts';
import type { settingNames } from './declaration.ts';
import { createPurchasedLicenses } from './purchased-license.ts';
import { createPurchasedOrders } from './purchased-order.ts';
import { createPurchasedReleases } from './purchased-releases.ts';
import { routes } from './routes.ts';

/** The endpoints with which buyers get their license, their files and fresh links, and help themselves. */
export function compose({
  settings,
  logger,
  table,
  store,
  sender,
  now = () => new Date(),
}: Composition<typeof settingNames, 'table' | 'store' | 'sender'>) {
  const { ENCRYPTION_KEYS: encryptionKeys, TOKEN_KEYS: tokenKeys, LICENSE_PEPPERS: peppers, BUYER_MOVES: mostReleases } = settings;
  const common = { table, sendJob: sender.sendJob, encryptionKeys, now };
  const services = {
    authorizePurchase: createAuthorizePurchase({ table, tokenKeys, encryptionKeys, now }),
    purchasedOrders: createPurchasedOrders({ table, encryptionKeys }),
    purchasedLicenses: createPurchasedLicenses({ table, encryptionKeys, now }),
    purchasedReleases: createPurchasedReleases({ table, now }),
    findProduct: createProductRepository({ table }).findProductAndSeller,
    findOffers: createFindOffers({ table, now }),
    downloads: createFileDownloads({ table, store, now }),
    resendLinks: createResendLinks(common),
    buyerLicenses: createBuyerLicenseService({ ...common, peppers, mostReleases }),
    buyerEmails: createBuyerEmailService(common),
  };
  const perWindow = { complete: settings.RATE_LIMIT_COMPLETE, download: settings.RATE_LIMIT_DOWNLOAD };
  const limitRate = createTableRateLimit({ table, perWindow, now });
  return createHandler({ routes, services, logger, limitRate, ...callersBy(settings) });
}
