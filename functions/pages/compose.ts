import { randomUUID } from 'node:crypto';
import type { Composition } from '../../shared/function-parts.ts';
import { callersBy } from '../../shared/http/caller-address.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createTableRateLimit } from '../../shared/http/rate-limit.ts';
import { operatorOf } from '../../shared/operator.ts';
import { createCheckoutService } from '../../shared/orders/checkout-service.ts';
import { createResendLinks } from '../../shared/orders/resend-links.ts';
import { createFindShownFiles } from '../../shared/product-files/shown-files.ts';
import { createPreviewRepository } from '../../shared/products/previews/preview-repository.ts';
import { createPublishedReleaseRepository } from '../../shared/releases/published-release-repository.ts';
import type { PageAssets } from './assets/assets.ts';
import type { settingNames } from './declaration.ts';
import { createFindPreviewPage, createOffers } from './find-offer.ts';
import { createCountCode } from './ordering/count-code.ts';
import { createPresenter } from './page-reply.ts';
import { createReaderOf } from './reader.ts';
import { routes } from './routes.ts';

/** Where hosted checkouts are; the local stack's fake provider is on a port of this machine. */
const hostedCheckoutOrigin = 'https://checkout.stripe.com';
const localOrigins = ['http://127.0.0.1:*', 'http://localhost:*'];

/** The pages for browsers: products, the order form, the completion page and where the provider's pages lead back to. */
export function compose({
  settings,
  logger,
  table,
  provider,
  sender,
  assets,
  now = () => new Date(),
}: Composition<typeof settingNames, 'table' | 'provider' | 'sender'> & { assets: PageAssets }) {
  const { STAGE: stage, PUBLIC_BASE_URL: baseUrl, PAYMENT_API_BASE: apiBase, ENCRYPTION_KEYS: encryptionKeys } = settings;
  const checkout = createCheckoutService({ settings, table, provider, logger, now });
  const readerOf = createReaderOf({ operator: operatorOf(settings), assets });
  const findShownFiles = createFindShownFiles({ table });
  const { RATE_LIMIT_CHECKOUT, RATE_LIMIT_COMPLETE, RATE_LIMIT_QUOTE } = settings;
  const perWindow = { checkout: RATE_LIMIT_CHECKOUT, complete: RATE_LIMIT_COMPLETE, quote: RATE_LIMIT_QUOTE };
  const limitRate = createTableRateLimit({ table, perWindow, now });
  const services = {
    ...createOffers({ table, checkout, findShownFiles, now }),
    findPreviewPage: createFindPreviewPage({ table, findShownFiles, previews: createPreviewRepository({ table, now }) }),
    publishedReleases: createPublishedReleaseRepository({ table }),
    readerOf,
    assets,
    checkout,
    countCode: createCountCode(limitRate),
    newRequestKey: randomUUID,
    baseUrl,
    resendLinks: createResendLinks({ table, sendJob: sender.sendJob, encryptionKeys, now }),
  };
  const checkoutOrigins = [hostedCheckoutOrigin, ...(stage === 'local' ? localOrigins : []), ...(apiBase ? [new URL(apiBase).origin] : [])];
  const present = createPresenter({ checkoutOrigins, readerOf });
  return createHandler({ routes, services, logger, limitRate, present, ...callersBy(settings) });
}
