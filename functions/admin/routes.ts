import type { AuditRepository } from '../../shared/audit/audit-repository.ts';
import type { Keyring } from '../../shared/crypto/keyring.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import type { LicenseRepository } from '../../shared/licenses/license-repository.ts';
import type { LicenseService } from '../../shared/licenses/license-service.ts';
import type { OrderRepository } from '../../shared/orders/order-repository.ts';
import type { PaymentRepository } from '../../shared/payments/payment-repository.ts';
import type { ProductFileReviews } from '../../shared/product-files/product-file-reviews.ts';
import type { ProductReviews } from '../../shared/products/product-review.ts';
import type { SellerService } from '../../shared/sellers/seller-service.ts';
import { createCompletionToken } from './create-completion-token.ts';
import { getLicense } from './get-license.ts';
import { getOrder } from './get-order.ts';
import { listAudit } from './list-audit.ts';
import { listOrders } from './list-orders.ts';
import { listProductFiles } from './list-product-files.ts';
import { listProducts } from './list-products.ts';
import { listSellers } from './list-sellers.ts';
import { releaseActivation } from './release-activation.ts';
import { reviewProduct } from './review-product.ts';
import { reviewProductFile } from './review-product-file.ts';
import { reviewSeller } from './review-seller.ts';
import { revokeLicense } from './revoke-license.ts';

/** What the admin endpoints stand on. */
export interface AdminServices {
  audit: AuditRepository;
  productReviews: ProductReviews;
  licenses: LicenseService;
  licenseRepository: LicenseRepository;
  orders: OrderRepository;
  payments: PaymentRepository;
  sellers: SellerService;
  fileReviews: ProductFileReviews;
  stage: string;
  publicBaseUrl: string;
  tokenKeys: Keyring;
  now: () => Date;
}

export const routes: readonly Endpoint<AdminServices>[] = [
  // Products
  listProducts,
  reviewProduct,
  // Sellers
  listSellers,
  reviewSeller,
  // Licenses
  getLicense,
  revokeLicense,
  releaseActivation,
  // Orders
  listOrders,
  getOrder,
  createCompletionToken,
  // Product files
  listProductFiles,
  reviewProductFile,
  // Audit
  listAudit,
];
