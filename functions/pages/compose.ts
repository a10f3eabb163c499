import { randomUUID } from 'node:crypto';
import type { SettingsOf } from '../../shared/config.ts';
import type { Table } from '../../shared/db/table.ts';
import { callersBy } from '../../shared/http/caller-address.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createTableRateLimit } from '../../shared/http/rate-limit.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import type { Logger } from '../../shared/logger.ts';
import { createMailingRepository } from '../../shared/mail/mailing-repository.ts';
import { operatorOf } from '../../shared/operator.ts';
import { createCheckout } from '../../shared/orders/create-checkout.ts';
import { createResendLinks } from '../../shared/orders/resend-links.ts';
import type { StripeClient } from '../../shared/payments/stripe-client.ts';
import { createProductFileRepository } from '../../shared/product-files/product-file-repository.ts';
import { createFindShownFiles } from '../../shared/product-files/shown-files.ts';
import { createProductRepository } from '../../shared/products/product-repository.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';
import type { settingNames } from './declaration.ts';
import { createOffers } from './find-offer.ts';
import { createPresenter } from './page-reply.ts';
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
  now = () => new Date(),
}: {
  settings: SettingsOf<typeof settingNames>;
  logger: Logger;
  table: Table;
  provider: StripeClient;
  sender: JobSender;
  now?: () => Date;
}) {
  const { STAGE: stage, PUBLIC_BASE_URL: baseUrl, PAYMENT_API_BASE: apiBase } = settings;
  const products = createProductRepository({ table });
  const findShownFiles = createFindShownFiles({ files: createProductFileRepository({ table }) });
  const checkout = createCheckout({ settings, table, provider, now });
  const operator = operatorOf(settings);
  const resendLinks = createResendLinks({
    table,
    mailings: createMailingRepository({ table, now }),
    jobs: createJobRepository({ table, now }),
    sendJob: sender.sendJob,
    encryptionKeys: settings.ENCRYPTION_KEYS,
    now,
  });
  const offers = createOffers({ products, checkout, findShownFiles });
  const services = { operator, ...offers, checkout, newRequestKey: randomUUID, baseUrl, resendLinks };
  const limitRate = createTableRateLimit({
    table,
    perWindow: { checkout: settings.RATE_LIMIT_CHECKOUT, complete: settings.RATE_LIMIT_COMPLETE },
    now,
  });
  const checkoutOrigins = [hostedCheckoutOrigin, ...(stage === 'local' ? localOrigins : []), ...(apiBase ? [new URL(apiBase).origin] : [])];
  const present = createPresenter({ checkoutOrigins, operator });
  return createHandler({ routes, services, logger, limitRate, present, ...callersBy(settings) });
}
