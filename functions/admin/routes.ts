import { getOverview } from './get-overview.ts';
import { listJobs } from './jobs/list-jobs.ts';
import { redriveJob } from './jobs/redrive-job.ts';
import { listAudit } from './list-audit.ts';
import { createPreview } from './reviews/create-preview.ts';
import { downloadProductFile } from './reviews/download-product-file.ts';
import { getProduct } from './reviews/get-product.ts';
import { getSeller } from './reviews/get-seller.ts';
import { listProductFiles } from './reviews/list-product-files.ts';
import { listProducts } from './reviews/list-products.ts';
import { listQueue } from './reviews/list-queue.ts';
import { listReleases } from './reviews/list-releases.ts';
import { listSellers } from './reviews/list-sellers.ts';
import { reviewProduct } from './reviews/review-product.ts';
import { reviewProductFile } from './reviews/review-product-file.ts';
import { reviewRelease } from './reviews/review-release.ts';
import { reviewSeller } from './reviews/review-seller.ts';
import { correctOrderEmail } from './sales/correct-order-email.ts';
import { createCompletionToken } from './sales/create-completion-token.ts';
import { decideEmailRequest } from './sales/decide-email-request.ts';
import { getLicense } from './sales/get-license.ts';
import { getOrder } from './sales/get-order.ts';
import { listEmailRequests } from './sales/list-email-requests.ts';
import { listOrders } from './sales/list-orders.ts';
import { releaseActivation } from './sales/release-activation.ts';
import { resendOrderLink } from './sales/resend-order-link.ts';
import { revokeLicense } from './sales/revoke-license.ts';
import { searchOrders } from './sales/search-orders.ts';

export const routes = [
  // What waits
  getOverview,
  listQueue,
  // Products
  listProducts,
  getProduct,
  reviewProduct,
  createPreview,
  // Sellers
  listSellers,
  getSeller,
  reviewSeller,
  // Licenses
  getLicense,
  revokeLicense,
  releaseActivation,
  // Orders
  listOrders,
  searchOrders,
  getOrder,
  createCompletionToken,
  correctOrderEmail,
  resendOrderLink,
  listEmailRequests,
  decideEmailRequest,
  // Product files
  listProductFiles,
  reviewProductFile,
  downloadProductFile,
  // Releases
  listReleases,
  reviewRelease,
  // Jobs
  listJobs,
  redriveJob,
  // Audit
  listAudit,
];
