import { getOverviewRoute } from './get-overview.ts';
import { listJobsRoute } from './jobs/list-jobs.ts';
import { redriveJobRoute } from './jobs/redrive-job.ts';
import { listAuditRoute } from './list-audit.ts';
import { createPreviewRoute } from './reviews/create-preview.ts';
import { downloadProductFileRoute } from './reviews/download-product-file.ts';
import { getProductRoute } from './reviews/get-product.ts';
import { getSellerRoute } from './reviews/get-seller.ts';
import { listProductFilesRoute } from './reviews/list-product-files.ts';
import { listProductsRoute } from './reviews/list-products.ts';
import { listQueueRoute } from './reviews/list-queue.ts';
import { listReleasesRoute } from './reviews/list-releases.ts';
import { listSellersRoute } from './reviews/list-sellers.ts';
import { rescanProductFileRoute } from './reviews/rescan-product-file.ts';
import { reviewProductRoute } from './reviews/review-product.ts';
import { reviewProductFileRoute } from './reviews/review-product-file.ts';
import { reviewReleaseRoute } from './reviews/review-release.ts';
import { reviewSellerRoute } from './reviews/review-seller.ts';
import { correctOrderEmailRoute } from './sales/correct-order-email.ts';
import { createCompletionTokenRoute } from './sales/create-completion-token.ts';
import { decideEmailRequestRoute } from './sales/decide-email-request.ts';
import { releaseActivationRoute } from './sales/free-seat.ts';
import { getLicenseRoute } from './sales/get-license.ts';
import { getOrderRoute } from './sales/get-order.ts';
import { listEmailRequestsRoute } from './sales/list-email-requests.ts';
import { listOrdersRoute } from './sales/list-orders.ts';
import { resendOrderLinkRoute } from './sales/resend-order-link.ts';
import { revokeLicenseRoute } from './sales/revoke-license.ts';
import { searchOrdersRoute } from './sales/search-orders.ts';

export const routes = [
  // What waits
  getOverviewRoute,
  listQueueRoute,
  // Products
  listProductsRoute,
  getProductRoute,
  reviewProductRoute,
  createPreviewRoute,
  // Sellers
  listSellersRoute,
  getSellerRoute,
  reviewSellerRoute,
  // Licenses
  getLicenseRoute,
  revokeLicenseRoute,
  releaseActivationRoute,
  // Orders
  listOrdersRoute,
  searchOrdersRoute,
  getOrderRoute,
  createCompletionTokenRoute,
  correctOrderEmailRoute,
  resendOrderLinkRoute,
  listEmailRequestsRoute,
  decideEmailRequestRoute,
  // Product files
  listProductFilesRoute,
  reviewProductFileRoute,
  rescanProductFileRoute,
  downloadProductFileRoute,
  // Releases
  listReleasesRoute,
  reviewReleaseRoute,
  // Jobs
  listJobsRoute,
  redriveJobRoute,
  // Audit
  listAuditRoute,
];
