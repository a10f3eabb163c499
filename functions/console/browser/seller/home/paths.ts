import type { Overview, Product } from '../../../../../build/client.ts';
import { productPath } from '../products/product.ts';

export type Task = Overview['tasks'][number];
export type Attention = Overview['attention'][number];

/** What is known of a product by the list of them. */
export type Known = Pick<Product, 'id' | 'name' | 'license_issuance_mode'>;

const seller = '/console/seller';

/** Where buyers' part of a product is looked after: its files, or its codes. */
function deliveryPath(productId: string, products: readonly Known[]): string {
  const mode = products.find(({ id }) => id === productId)?.license_issuance_mode;
  return `${productPath(productId)}/${mode === 'imported_csv' ? 'codes' : 'files'}`;
}

/** Whether it is the seller's turn. */
export const isToDo = ({ state }: Task): boolean => state === 'todo' || state === 'action';

/** Where a task is done, or looked at; undefined while it cannot be, as most cannot by a seller that admins closed. */
export function taskPath(task: Task, products: readonly Known[], isClosed: boolean): string | undefined {
  const { id, state, target_id: target } = task;
  if (id === 'apply') return seller;
  if (state === 'blocked' || (isClosed && isToDo(task))) return undefined;
  if (id === 'payments') return seller;
  if (id === 'product') return state === 'todo' ? '/console/products/new' : '/console/products';
  if (id === 'sale' && state === 'done') return '/console/orders';
  if (target === undefined) return '/console/products';
  return id === 'delivery' ? deliveryPath(target, products) : productPath(target);
}

/** Where what needs the seller is mended; undefined of files and releases, whose product is to be looked for. */
export function attentionPath({ kind, target_id: target }: Attention): string | undefined {
  switch (kind) {
    case 'application_returned':
    case 'payment_due':
      return seller;
    case 'product_rejected':
    case 'revision_rejected':
      return productPath(target);
    case 'codes_short':
      return `${productPath(target)}/codes`;
    case 'endpoint_disabled':
      return `/console/webhooks/${encodeURIComponent(target)}`;
    case 'paid_but_held':
      return `/console/orders/${encodeURIComponent(target)}`;
    case 'file_rejected':
    case 'file_failed':
    case 'release_rejected':
      return undefined;
  }
}
