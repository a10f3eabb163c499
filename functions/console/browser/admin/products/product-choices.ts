import type { ArgsOf } from '../../api/call.ts';
import { wordOf } from '../../words/words.ts';
import { type Choice, type DecisionField, note } from '../decisions/decision.ts';
import { texts as decisionsTexts } from '../decisions/decisions-texts.ts';
import type { ReviewedProduct } from './comparison.ts';
import { texts } from './products-texts.ts';

/** What the API calls what can be decided. */
export type ProductDecision = ArgsOf<'reviewProduct'>['body']['decision'];

type Standing = Pick<ReviewedProduct, 'status' | 'pending' | 'sale_blockers'>;

const isOnSale = ({ status }: Standing) => status === 'approved' || status === 'published';

/** What of the product waits for a decision, as the queue calls it. */
export function waitingKind(product: Standing): 'product' | 'revision' | undefined {
  if (product.status === 'pending_review') return 'product';
  return isOnSale(product) && product.pending?.status === 'pending_review' ? 'revision' : undefined;
}

const reason: DecisionField = { name: 'rejection_reason', label: decisionsTexts.reject, hint: decisionsTexts.forSeller, maxLength: 500 };

/** What can be decided on a product in its state, as `productReviewTable` and its pending revision have it. */
export function choicesOf(product: Standing): Choice<ProductDecision>[] {
  const { effects } = texts;
  const waiting = waitingKind(product);
  const isSuspended = product.status === 'suspended';
  const choices: Choice<ProductDecision>[] = [];
  if (isSuspended) choices.push({ decision: 'approve', label: texts.lift, letter: 'A', effects: [effects.lift], fields: [note] });
  if (waiting) {
    const approve = waiting === 'product' ? approvalOf(product) : effects.approveChange;
    const reject = waiting === 'product' ? effects.reject : effects.rejectChange;
    choices.push({ decision: 'approve', letter: 'A', effects: [approve], fields: [note] });
    choices.push({ decision: 'reject', kind: 'danger', letter: 'R', effects: [reject], fields: [reason, note] });
  }
  if (!isSuspended) {
    const suspend = isOnSale(product) ? [effects.offSale, effects.suspend] : [effects.suspend];
    choices.push({ decision: 'suspend', kind: 'danger', letter: 'S', effects: suspend, fields: [note] });
  }
  return choices.map((choice) => ({ ...choice, effects: [...choice.effects, decisionsTexts.told] }));
}

/** What an approval makes of a product: whatever else keeps it from sale goes on doing so. */
function approvalOf({ sale_blockers }: Standing): string {
  const others = sale_blockers.filter((blocker) => blocker !== 'not_approved').map((blocker) => wordOf('sale_blocker', blocker));
  return others.length === 0 ? texts.effects.approve : texts.effects.blocked(others.join(LANGUAGE === 'ja' ? '、' : ', '));
}
