import { listProducts as listProductsForReview } from '../../../functions/admin/list-products.ts';
import { reviewProduct } from '../../../functions/admin/review-product.ts';
import type { AdminServices } from '../../../functions/admin/routes.ts';
import { routes as productRoutes } from '../../../functions/products/routes.ts';
import { getPublicProduct } from '../../../functions/storefront/get-public-product.ts';
import type { StorefrontServices } from '../../../functions/storefront/routes.ts';
import { createAuditRepository } from '../../../shared/audit/audit-repository.ts';
import { authenticateByHeaders } from '../../../shared/http/authenticate.ts';
import { createHandler } from '../../../shared/http/create-handler.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { createLogger } from '../../../shared/logger.ts';
import { productUpsertRequest } from '../../../shared/products/product.ts';
import { createProductRepository } from '../../../shared/products/product-repository.ts';
import { createProductReviews } from '../../../shared/products/product-review.ts';
import { createProductService } from '../../../shared/products/product-service.ts';
import type { SellerRecord } from '../../../shared/sellers/seller.ts';
import { createSellerRepository } from '../../../shared/sellers/seller-repository.ts';
import { createTestTable } from '../engines/test-table.ts';
import { createCaller, type RequestOptions } from '../http/http-event.ts';
import { sampleSeller } from '../samples/sample-seller.ts';

/** A product as a seller sends it. */
export const productRequest = {
  name: 'Photo Studio',
  description: 'Edits photos.',
  price_amount: 4800,
  currency: 'JPY',
  support_email: 'help@example.com',
  refund_policy: 'Within 14 days.',
  software_operating_environment: 'Windows 11',
};

/** Everything about products over one table: the endpoints of sellers, admins and the public behind real handlers. */
export async function createCatalog() {
  const store = await createTestTable();
  const { table } = store;
  let clock = new Date('2026-01-31T09:00:00.000Z');
  const now = () => clock;
  const products = createProductRepository({ table });
  const sellers = createSellerRepository({ table, now });
  const audit = createAuditRepository({ table, now });
  const logged: string[] = [];
  const logger = createLogger({}, (line) => logged.push(line));
  const services = {
    products: createProductService({ table, products, sellers, audit, now }),
    upsertRequest: productUpsertRequest(['JPY', 'USD']),
    productReviews: createProductReviews({ table, products, sellers, audit, now }),
  };
  const adminRoutes: readonly Endpoint<AdminServices>[] = [listProductsForReview, reviewProduct];
  const publicRoutes: readonly Endpoint<StorefrontServices>[] = [getPublicProduct];
  const common = { logger, authenticate: authenticateByHeaders, consoleOrigins: ['https://console.example.com'] };
  const sellerCall = createCaller(createHandler({ routes: productRoutes, services, ...common }), productRoutes);
  const adminCall = createCaller(
    createHandler<AdminServices>({ routes: adminRoutes, services: services as never, adminAllowlist: ['admin@example.com'], ...common }),
    adminRoutes,
  );
  const publicCall = createCaller(
    createHandler<StorefrontServices>({ routes: publicRoutes, services: { products } as never, ...common }),
    publicRoutes,
  );

  return {
    ...store,
    products,
    audit,
    logged,
    publicCall,
    pass(seconds: number) {
      clock = new Date(clock.getTime() + seconds * 1000);
    },
    /** A seller on the table, and calls in the name of its owner. */
    async newSeller(fields: Partial<SellerRecord> = {}) {
      const seller = sampleSeller({ internalReviewStatus: 'approved', ...fields });
      await table.transact(sellers.createSeller(seller));
      return { seller, call: asUser(seller.ownerUserId) };
    },
    async setSellerStatus(sellerId: string, status: SellerRecord['internalReviewStatus']) {
      const seller = await sellers.getSeller(sellerId);
      await table.write(sellers.recordReview(seller, { status }));
    },
    asUser,
    adminCall: (method: string, target: string, options: RequestOptions = {}) =>
      adminCall(method, target, {
        ...options,
        headers: { 'X-User-ID': 'the-admin', 'X-User-Email': 'Admin@Example.com', ...options.headers },
      }),
  };

  function asUser(userId: string) {
    return (method: string, target: string, options: RequestOptions = {}) =>
      sellerCall(method, target, { ...options, headers: { 'X-User-ID': userId, ...options.headers } });
  }
}

export type Catalog = Awaited<ReturnType<typeof createCatalog>>;
