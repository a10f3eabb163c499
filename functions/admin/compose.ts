import { createAuditRepository } from '../../shared/audit/audit-repository.ts';
import { createHasStock } from '../../shared/code-batches/code-stock-repository.ts';
import type { Composition, Parts } from '../../shared/function-parts.ts';
import { usersBy } from '../../shared/http/create-authenticate.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createTableRateLimit } from '../../shared/http/rate-limit.ts';
import { createJobDesk } from '../../shared/jobs/job-desk.ts';
import { createOrderDesk } from '../../shared/licenses/search/order-desk.ts';
import { createMailRepository } from '../../shared/mail/mail-repository.ts';
import { createPaymentRepository } from '../../shared/payments/payment-repository.ts';
import { createFileDownloads } from '../../shared/product-files/file-downloads.ts';
import { createProductFileReviews } from '../../shared/product-files/product-file-reviews.ts';
import { createPreviewService } from '../../shared/products/previews/preview-service.ts';
import { createProductReviews } from '../../shared/products/product-review.ts';
import { createShowProduct } from '../../shared/products/sale-blockers.ts';
import { createReleaseReviews } from '../../shared/publishing/release-reviews.ts';
import { createReviewDesk } from '../../shared/review-desk/review-desk.ts';
import { createSellerReviews } from '../../shared/sellers/seller-reviews.ts';
import type { settingNames } from './declaration.ts';
import { routes } from './routes.ts';
import { createCompletionTokens } from './sales/completion-tokens.ts';

/** The endpoints with which admins review sellers, products, files and releases, and look after orders and licenses. */
export function compose({
  settings,
  logger,
  table,
  store,
  sender,
  now = () => new Date(),
}: Composition<typeof settingNames, 'table' | 'sender'> & Partial<Parts<'store'>>) {
  const { STAGE: stage, PUBLIC_BASE_URL: publicBaseUrl, TOKEN_KEYS: tokenKeys, DISCARD_AFTER_HOURS: discardAfterHours } = settings;
  const { REVIEW_DUE_HOURS: reviewDueHours } = settings;
  const showProduct = createShowProduct({ publicBaseUrl, reviewDueHours, hasStock: createHasStock({ table }) });
  return createHandler({
    routes,
    services: {
      ...createOrderDesk({ settings, table, sendJob: sender.sendJob, now }),
      now,
      desk: createReviewDesk({ table, showProduct, reviewDueHours }),
      jobs: createJobDesk({ table, sendJob: sender.sendJob, now }),
      mails: createMailRepository({ table }),
      audit: createAuditRepository({ table, now }),
      sellers: createSellerReviews({ table, reviewDueHours, sendJob: sender.sendJob, now }),
      productReviews: createProductReviews({ table, showProduct, sendJob: sender.sendJob, now }),
      previews: createPreviewService({ table, publicBaseUrl, now }),
      fileReviews: createProductFileReviews({ table, discardAfterHours, reviewDueHours, sendJob: sender.sendJob, now }),
      releaseReviews: createReleaseReviews({ table, discardAfterHours, reviewDueHours, sendJob: sender.sendJob, now }),
      downloads: createFileDownloads({ table, store, now }),
      payments: createPaymentRepository({ table }),
      completionTokens: createCompletionTokens({ table, stage, publicBaseUrl, tokenKeys, now }),
    },
    logger,
    adminAllowlist: settings.ADMIN_ALLOWLIST,
    limitRate: createTableRateLimit({ table, perWindow: { search: settings.RATE_LIMIT_SEARCH }, now }),
    ...usersBy(settings),
  });
}
