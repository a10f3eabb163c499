import type { ArgsOf, BodyOf } from '../../api/call.ts';
import { type Choice, type DecisionField, note } from '../decisions/decision.ts';
import { texts as decisionsTexts } from '../decisions/decisions-texts.ts';
import { texts } from './sellers-texts.ts';

/** What the API calls what can be decided. */
export type SellerDecision = ArgsOf<'reviewSeller'>['body']['decision'];

const forSeller: DecisionField = { name: 'note', label: texts.forSeller, hint: decisionsTexts.forSeller, maxLength: 5000 };

/** In which states each would change nothing, or is refused. See "Review" in shared/sellers/README.md */
const notIn: Readonly<Record<SellerDecision, readonly string[]>> = {
  approve: ['draft', 'approved'],
  approve_limited: ['draft', 'approved_limited'],
  needs_more_info: ['draft', 'suspended'],
  reject: ['rejected'],
  suspend: ['suspended'],
};

/** What can be decided on a seller in its state, as `reviewTable` has it. */
export function choicesOf({
  internal_review_status: status,
}: Pick<BodyOf<'getSeller'>, 'internal_review_status'>): Choice<SellerDecision>[] {
  const { effects } = texts;
  const sells = status === 'approved' || status === 'approved_limited';
  const offSale = sells ? [effects.offSale] : [];
  const all: Choice<SellerDecision>[] = [
    { decision: 'approve', letter: 'A', effects: sells ? [] : [effects.approve], fields: [note] },
    {
      decision: 'approve_limited',
      kind: 'quiet',
      letter: 'L',
      effects: [effects.limited, ...(sells ? [] : [effects.approve])],
      fields: [note],
    },
    { decision: 'needs_more_info', kind: 'quiet', letter: 'M', effects: [effects.needs_more_info, ...offSale], fields: [forSeller] },
    { decision: 'reject', kind: 'danger', letter: 'R', effects: [effects.reject, ...offSale], fields: [forSeller] },
    { decision: 'suspend', kind: 'danger', letter: 'S', effects: [effects.suspend, ...offSale], fields: [note] },
  ];
  return all
    .filter(({ decision }) => !notIn[decision].includes(status))
    .map((choice) => ({ ...choice, effects: [...choice.effects, decisionsTexts.told] }));
}
