import type { ProductId } from '../ids.ts';
import type { ProductFileRecord } from '../product-files/product-file.ts';
import type { ProductRecord, ProductStatus } from '../products/product.ts';
import { saleBlockersOf } from '../products/sale-blockers.ts';
import { allowsCharges, isEligible, type SellerRecord, type TaskId, taskIds } from '../sellers/seller.ts';

/** `todo` and `action` are the seller's to do: for the first time, or because something went wrong. */
export const taskStates = ['blocked', 'todo', 'waiting', 'action', 'done'] as const;
export type TaskState = (typeof taskStates)[number];

/** A step on the way to sales, with the product that it is about, where it is about one. */
export interface Task {
  id: TaskId;
  state: TaskState;
  targetId?: ProductId | undefined;
}

export type FileFacts = Pick<
  ProductFileRecord,
  'purpose' | 'status' | 'hashStatus' | 'scanStatus' | 'scanTrustedClean' | 'approvedAt' | 'withdrawnAt'
>;

/** What a buyer of a product would be given. */
export interface Delivery {
  /** Its files in every state; they do not matter where it sells imported codes. */
  files: readonly FileFacts[];
  /** Whether an imported code is left; it does not matter where keys are generated. */
  hasCode: boolean;
}

/** The facts from which a seller's tasks are derived. */
export interface TaskFacts {
  seller: SellerRecord | undefined;
  products: readonly ProductRecord[];
  /** By product. One that is missing counts as a product without files whose stock is not known. */
  deliveries: ReadonlyMap<ProductId, Delivery>;
  /** A product of which an order was paid, whatever became of it. */
  soldProductId: ProductId | undefined;
}

/** The six tasks of a seller, always all and in the order of `taskIds`. See "Tasks" in README.md */
export function tasksOf({ seller, products, deliveries, soldProductId }: TaskFacts): Task[] {
  const sold: Omit<Task, 'id'> | undefined = soldProductId && { state: 'done', targetId: soldProductId };
  const sells = (product: ProductRecord) => {
    const isOut = product.licenseIssuanceMode === 'imported_csv' && deliveries.get(product.id)?.hasCode === false;
    return saleBlockersOf(product, seller, { isOut }).length === 0;
  };
  const tasks: Record<TaskId, Omit<Task, 'id'>> = {
    apply: { state: applyState(seller) },
    payments: { state: paymentState(seller) },
    product: furthest(products, () => 'done') ?? { state: seller ? 'todo' : 'blocked' },
    delivery: sold ?? furthest(products, (product) => deliveryState(product, deliveries.get(product.id))) ?? { state: 'blocked' },
    review: furthest(products, ({ status }) => reviewStates[status]) ?? { state: 'blocked' },
    sale: sold ?? furthest(products.filter(sells), () => 'waiting') ?? { state: 'blocked' },
  };
  return taskIds.map((id) => ({ id, ...tasks[id] }));
}

/** Those of the tasks that are the seller's to do now, in their order. */
export const nextStepsOf = (tasks: readonly Task[]): TaskId[] =>
  tasks.filter(({ state }) => state === 'todo' || state === 'action').map(({ id }) => id);

/** While the account takes no charges. */
const paymentStates: Record<SellerRecord['paymentOnboardingStatus'], TaskState> = {
  not_started: 'todo',
  account_created: 'waiting',
  onboarding_started: 'waiting',
  requirements_due: 'action',
  restricted: 'action',
  rejected: 'action',
  charges_enabled: 'waiting',
  payouts_enabled: 'waiting',
};

const reviewStates: Record<ProductStatus, TaskState> = {
  draft: 'todo',
  pending_review: 'waiting',
  approved: 'done',
  published: 'done',
  unpublished: 'done',
  rejected: 'action',
  suspended: 'action',
};

/** Whether an admin returned the application and said why, or rejected it, and it was not handed in again. */
export const isApplicationReturned = ({ internalReviewStatus, reviewNote }: SellerRecord) =>
  internalReviewStatus === 'rejected' || (internalReviewStatus === 'draft' && reviewNote !== undefined);

function applyState(seller: SellerRecord | undefined): TaskState {
  if (!seller) return 'todo';
  switch (seller.internalReviewStatus) {
    case 'draft':
    case 'rejected':
      return isApplicationReturned(seller) ? 'action' : 'todo';
    case 'pending_review':
      return 'waiting';
    case 'approved_limited':
    case 'approved':
      return 'done';
    case 'suspended':
      return 'blocked';
  }
}

function paymentState(seller: SellerRecord | undefined): TaskState {
  if (!seller || !isEligible(seller)) return 'blocked';
  return allowsCharges(seller) ? 'done' : paymentStates[seller.paymentOnboardingStatus];
}

/** How far what the buyers of a product get is: the furthest of its files decides, or that a code is left. */
export function deliveryState(product: ProductRecord, delivery: Delivery | undefined): TaskState {
  if (product.licenseIssuanceMode === 'imported_csv') return delivery?.hasCode ? 'done' : 'todo';
  const states = delivery?.files.map(fileState) ?? [];
  return stateOrder.find((state) => states.includes(state)) ?? 'todo';
}

/** Nothing of a file that is not there yet, is no more, or no download. */
function fileState(file: FileFacts): TaskState | undefined {
  if (file.purpose !== 'download') return undefined;
  if (hasFailed(file)) return 'action';
  switch (file.status) {
    case 'pending_review':
      return 'waiting';
    case 'approved':
      return 'done';
    case 'rejected':
      return 'action';
  }
  return undefined;
}

/**
 * Whether nobody can approve the file as it is, which nobody decided on: it waits, or was approved until it was found
 * infected. An admin's word stands in for a scan that failed.
 */
export function hasFailed(file: Omit<FileFacts, 'purpose'>): boolean {
  if (file.status === 'disabled') {
    return file.scanStatus === 'infected' && file.approvedAt !== undefined && file.withdrawnAt === undefined;
  }
  return file.status === 'pending_review' && (isUnreadable(file) || hasFailedScan(file));
}

export const isUnreadable = ({ hashStatus }: Pick<FileFacts, 'hashStatus'>) => hashStatus === 'mismatch' || hashStatus === 'error';
export const hasFailedScan = ({ scanStatus, scanTrustedClean }: Pick<FileFacts, 'scanStatus' | 'scanTrustedClean'>) =>
  scanStatus === 'infected' || (scanStatus === 'error' && !scanTrustedClean);

/** If several items belong to one task, the most advanced one decides. */
const stateOrder = ['done', 'waiting', 'action', 'todo'] as const satisfies readonly TaskState[];

function furthest(products: readonly ProductRecord[], stateOf: (product: ProductRecord) => TaskState): Omit<Task, 'id'> | undefined {
  const found = products.map((product) => ({ state: stateOf(product), targetId: product.id }));
  return stateOrder.flatMap((state) => found.find((task) => task.state === state) ?? []).at(0);
}
