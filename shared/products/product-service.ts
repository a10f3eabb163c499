import type { AuditAction } from '../audit/audit.ts';
import { createAuditRepository } from '../audit/audit-repository.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import { emptyPage, filteredPage, type Page, type PageRequest } from '../db/sharded-list.ts';
import type { Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { newId, type ProductId } from '../ids.ts';
import { requireEligible } from '../sellers/seller.ts';
import { createSellerRepository } from '../sellers/seller-repository.ts';
import { createUpgradeRepository } from './offers/upgrade-repository.ts';
import { createGetOwnProduct } from './own-product.ts';
import { draftProduct, type Product, type ProductRecord, type ProductStatus, type ProductUpsertRequest } from './product.ts';
import { createProductRepository } from './product-repository.ts';
import { auditedState, nextRevision, requireUnsuspended, revised, submitted, withdrawn } from './product-states.ts';
import type { ShowProduct } from './sale-blockers.ts';

/** How many products one seller may have, and how many until an admin approved the seller. */
const maxProducts = 100;
const maxUnapproved = 10;

/** Which revision of the product was looked at. */
interface Expected {
  expectedRevision?: number | undefined;
}

export type ProductService = ReturnType<typeof createProductService>;

/** What sellers do with their products. `userId` is the caller. */
export function createProductService(options: { table: Table; showProduct: ShowProduct; now?: (() => Date) | undefined }) {
  const { table, showProduct, now = () => new Date() } = options;
  const products = createProductRepository({ table });
  const sellers = createSellerRepository({ table, now });
  const upgrades = createUpgradeRepository({ table });
  const audit = createAuditRepository({ table, now });
  const getOwn = createGetOwnProduct({ table });

  /**
   * Replaces an own product by what `move` makes of it; nothing is written when that is the same one.
   * A move that changes the status, of the product or of its pending revision, is audited. With a revision that is
   * expected, the move is about that one, also when it would change nothing: of two that edited it one is refused.
   *
   * @throws AppError product_not_found, forbidden, seller_not_eligible, and what `move` throws; product_suspended and
   * stale_revision where a revision is expected
   */
  const change = (
    userId: string,
    productId: ProductId,
    action: AuditAction,
    move: (product: ProductRecord, at: string) => ProductRecord | Promise<ProductRecord>,
    { expectedRevision }: Expected = {},
  ): Promise<Product> =>
    retryOptimisticLock(
      async () => {
        const { product, seller } = await getOwn({ userId }, productId);
        requireEligible(seller);
        if (expectedRevision !== undefined) {
          requireUnsuspended(product);
          if (expectedRevision !== product.revision) throw new AppError('stale_revision');
        }
        const at = now().toISOString();
        const next = nextRevision(product, await move(product, at), at);
        if (next === product) return showProduct(product, seller);
        await table.transactOnce([...products.replaceProduct(product, next), ...auditOf(userId, action, product, next)]);
        return showProduct(next, seller);
      },
      { attempts: 12 },
    );

  const auditOf = (actor: string, action: AuditAction, before: ProductRecord, after: ProductRecord) =>
    before.status === after.status && before.pending?.status === after.pending?.status
      ? []
      : [
          audit.recordAudit({
            actor,
            action,
            targetId: before.id,
            before: auditedState(before),
            after: auditedState(after),
          }),
        ];

  return {
    /**
     * Makes a draft and reserves its slug.
     *
     * @throws AppError seller_required, invalid_request as `draftProduct` and `requireOwnUpgrades`, seller_not_eligible,
     * too_many_products, slug_reserved
     */
    async createProduct(userId: string, request: ProductUpsertRequest): Promise<Product> {
      const seller = await sellers.findSellerOfUser(userId);
      if (!seller) throw new AppError('seller_required');
      const at = now();
      const product = draftProduct({ id: newId('product', at), sellerId: seller.id, at: at.toISOString() }, request);
      await upgrades.requireOwnUpgrades(seller.id, product.upgradesFrom);
      await table.transact([
        sellers.countProduct(seller.id, { most: maxProducts, mostUnapproved: maxUnapproved }),
        ...products.createProduct(product),
      ]);
      return showProduct(product, seller);
    },

    /** @throws AppError product_not_found, forbidden */
    async getProduct(userId: string, productId: ProductId): Promise<Product> {
      const { product, seller } = await getOwn({ userId }, productId);
      return showProduct(product, seller);
    },

    /**
     * @throws AppError product_not_found, forbidden, seller_not_eligible, product_suspended, stale_revision, invalid_request as `revised` and
     * `requireOwnUpgrades`, too_many_slugs, slug_reserved, payload_too_large
     */
    updateProduct(userId: string, productId: ProductId, { expectedRevision, ...request }: ProductUpsertRequest & Expected) {
      const move = async (product: ProductRecord, at: string) => {
        const next = revised(product, request, at);
        await upgrades.requireOwnUpgrades(product.sellerId, request.upgradesFrom ?? [], product.id);
        return next;
      };
      return change(userId, productId, 'product.update', move, { expectedRevision });
    },

    /** @throws AppError product_not_found, forbidden, seller_not_eligible, product_suspended, stale_revision, invalid_state_transition */
    submitProduct: (userId: string, productId: ProductId, expected: Expected = {}) =>
      change(userId, productId, 'product.submit', submitted, expected),

    /** @throws AppError product_not_found, forbidden, seller_not_eligible, publish_forbidden */
    publishProduct: (userId: string, productId: ProductId, publish: boolean) =>
      change(userId, productId, 'product.withdraw', (product) => {
        if (publish) throw new AppError('publish_forbidden');
        return withdrawn(product);
      }),

    /** The caller's own products, newest first; of one status if given. */
    async listProducts(userId: string, request: PageRequest & { status?: ProductStatus | undefined }): Promise<Page<Product>> {
      const seller = await sellers.findSellerOfUser(userId);
      if (!seller) return emptyPage(request);
      const { status, ...page } = request;
      const { items, nextCursor } = await filteredPage(
        page,
        (product: ProductRecord) => status === undefined || product.status === status,
        (part) => products.listProductsOfSeller(seller.id, { ...part, newestFirst: true }),
      );
      return { items: await Promise.all(items.map((product) => showProduct(product, seller))), nextCursor };
    },
  };
}
