import { listAudit } from './list-audit.ts';
import { createPreview } from './reviews/create-preview.ts';
import { downloadProductFile } from './reviews/download-product-file.ts';
import { listProductFiles } from './reviews/list-product-files.ts';
import { listProducts } from './reviews/list-products.ts';
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
  // Products
  listProducts,
  reviewProduct,
  createPreview,
  // Sellers
  listSellers,
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
  // Audit
  listAudit,
];
