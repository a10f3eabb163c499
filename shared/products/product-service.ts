/** What sellers do with their products. */

import type { AuditAction } from '../audit/audit.ts';
import { recordAudit } from '../audit/audit-repository.ts';
import { auditActorOf, type Caller, coversProduct, requireProduct } from '../audit/caller.ts';
import type { Needs } from '../context.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import { emptyPage, filteredPage, type Page, type PageRequest } from '../db/sharded-list.ts';
import { AppError, requireFound } from '../errors.ts';
import { newId, type ProductId } from '../ids.ts';
import { requireEligible } from '../sellers/seller.ts';
import { countProduct, findSellerOfUser } from '../sellers/seller-repository.ts';
import { requireOwnProducts } from './offers/upgrade-repository.ts';
import { getOwnProduct } from './own-product.ts';
import { draftProduct, type Product, type ProductRecord, type ProductStatus, type ProductUpsertRequest } from './product.ts';
import { addProduct, listProductsOfSeller, replaceProduct } from './product-repository.ts';
import {
  auditedState,
  nextRevision,
  productAfterEdit,
  productAfterSubmission,
  productAfterWithdrawal,
  requireUnsuspended,
} from './product-states.ts';
import { type ShowNeeds, showProduct } from './sale-blockers.ts';

/** How many products one seller may have, and how many until an admin approved the seller. */
const maxProducts = 100;
const maxUnapproved = 10;

type ChangeNeeds = ShowNeeds & Needs<'now'>;

/** Which revision of the product was looked at. */
interface Expected {
  expectedRevision?: number | undefined;
}

/**
 * Replaces an own product by what `move` makes of it; nothing is written when that is the same one.
 * A move that changes the status, of the product or of its pending revision, is audited. With a revision that is
 * expected, the move is about that one, also when it would change nothing: of two that edited it one is refused.
 *
 * @throws AppError product_not_found, forbidden, seller_not_eligible, and what `move` throws; product_suspended and
 * stale_revision where a revision is expected
 */
const change = (
  c: ChangeNeeds,
  caller: Caller,
  productId: ProductId,
  action: AuditAction,
  move: (product: ProductRecord, at: string) => ProductRecord | Promise<ProductRecord>,
  { expectedRevision }: Expected = {},
): Promise<Product> =>
  retryOptimisticLock(
    async () => {
      const { product, seller } = await getOwnProduct(c.table, caller, productId);
      requireEligible(seller);
      if (expectedRevision !== undefined) {
        requireUnsuspended(product);
        if (expectedRevision !== product.revision) throw new AppError('stale_revision');
      }
      const at = c.now().toISOString();
      const next = nextRevision(product, await move(product, at), at);
      if (next === product) return showProduct(c, product, seller);
      await c.table.transactOnce([...replaceProduct(product, next), ...auditOf(c, auditActorOf(caller), action, product, next)]);
      return showProduct(c, next, seller);
    },
    { attempts: 12 },
  );

const auditOf = (c: Needs<'now'>, actor: string, action: AuditAction, before: ProductRecord, after: ProductRecord) =>
  before.status === after.status && before.pending?.status === after.pending?.status
    ? []
    : [recordAudit(c, { actor, action, targetId: before.id, before: auditedState(before), after: auditedState(after) })];

/**
 * Makes a draft and reserves its slug.
 *
 * @throws AppError token_scope_insufficient, seller_required, invalid_request as `draftProduct` and `requireOwnProducts`, seller_not_eligible,
 * too_many_products, slug_reserved
 */
export async function createProduct(c: ChangeNeeds, caller: Caller, request: ProductUpsertRequest): Promise<Product> {
  requireProduct(caller, undefined);
  const seller = await requireFound(findSellerOfUser(c.table, caller.userId), 'seller_required');
  const at = c.now();
  const product = draftProduct({ id: newId('product', at), sellerId: seller.id, at: at.toISOString() }, request);
  await requireOwnProducts(c.table, seller.id, product.upgradesFrom);
  await c.table.transact([countProduct(seller.id, { most: maxProducts, mostUnapproved: maxUnapproved }), ...addProduct(product)]);
  return showProduct(c, product, seller);
}

/** @throws AppError product_not_found, forbidden */
export async function showOwnProduct(c: ShowNeeds, caller: Caller, productId: ProductId): Promise<Product> {
  const { product, seller } = await getOwnProduct(c.table, caller, productId);
  return showProduct(c, product, seller);
}

/**
 * @throws AppError product_not_found, forbidden, seller_not_eligible, product_suspended, stale_revision, invalid_request as `revised` and
 * `requireOwnProducts`, too_many_slugs, slug_reserved, payload_too_large
 */
export function updateProduct(
  c: ChangeNeeds,
  caller: Caller,
  productId: ProductId,
  { expectedRevision, ...request }: ProductUpsertRequest & Expected,
) {
  const move = async (product: ProductRecord, at: string) => {
    const next = productAfterEdit(product, request, at);
    await requireOwnProducts(c.table, product.sellerId, request.upgradesFrom ?? [], product.id);
    return next;
  };
  return change(c, caller, productId, 'product.update', move, { expectedRevision });
}

/** @throws AppError product_not_found, forbidden, seller_not_eligible, product_suspended, stale_revision, invalid_state_transition */
export const submitProduct = (c: ChangeNeeds, caller: Caller, productId: ProductId, expected: Expected = {}) =>
  change(c, caller, productId, 'product.submit', productAfterSubmission, expected);

/** @throws AppError product_not_found, forbidden, seller_not_eligible, publish_forbidden */
export const publishProduct = (c: ChangeNeeds, caller: Caller, productId: ProductId, publish: boolean) =>
  change(c, caller, productId, 'product.withdraw', (product) => {
    if (publish) throw new AppError('publish_forbidden');
    return productAfterWithdrawal(product);
  });

/** The caller's own products that its token covers, newest first; of one status if given. */
export async function listOwnProducts(
  c: ShowNeeds,
  caller: Caller,
  request: PageRequest & { status?: ProductStatus | undefined },
): Promise<Page<Product>> {
  const seller = await findSellerOfUser(c.table, caller.userId);
  if (!seller) return emptyPage(request);
  const { status, ...page } = request;
  const { items, nextCursor } = await filteredPage(
    page,
    (product: ProductRecord) => (status === undefined || product.status === status) && coversProduct(caller, product.id),
    (part) => listProductsOfSeller(c.table, seller.id, { ...part, newestFirst: true }),
  );
  return { items: await Promise.all(items.map((product) => showProduct(c, product, seller))), nextCursor };
}
