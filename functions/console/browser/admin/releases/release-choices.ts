import type { ArgsOf } from '../../api/call.ts';
import { failureWords } from '../../words/words.ts';
import { type Choice, note } from '../decisions/decision.ts';
import { texts as decisionsTexts } from '../decisions/decisions-texts.ts';
import { type ReviewedFile, releaseRefusalCode } from '../decisions/reviewed-file.ts';
import type { ReviewedRelease } from './last-release.ts';
import { texts } from './releases-texts.ts';

/** What the API calls what can be decided. */
export type ReleaseDecision = ArgsOf<'reviewRelease'>['body']['decision'];

const { effects } = texts;

/** What can be decided on a release in its state, as `releaseMoves` has it. */
export function choicesOf(
  { status, publish_on_approval, rollout_percent = 100 }: ReviewedRelease,
  { productStatus, files }: { productStatus: string; files: readonly ReviewedFile[] },
): Choice<ReleaseDecision>[] {
  const approve: Choice<ReleaseDecision> = {
    decision: 'approve',
    letter: 'A',
    effects: [publish_on_approval ? effects.approveAndPublish(rollout_percent) : effects.approve, decisionsTexts.told],
    fields: [note],
    refused: refusalOf(productStatus, files),
  };
  const reject: Choice<ReleaseDecision> = {
    decision: 'reject',
    kind: 'danger',
    letter: 'R',
    effects: [effects.reject, decisionsTexts.told],
    fields: [{ name: 'rejection_reason', label: decisionsTexts.reject, hint: decisionsTexts.forSeller, maxLength: 500 }, note],
  };
  const yank: Choice<ReleaseDecision> = {
    decision: 'yank',
    kind: 'danger',
    letter: 'Y',
    effects: [effects.yank, decisionsTexts.told, effects.final],
    fields: [{ name: 'yank_reason', label: texts.yank, hint: decisionsTexts.forSeller, maxLength: 500 }, note],
  };
  if (status === 'pending_review') return [approve, reject];
  if (status === 'approved') return [reject];
  return status === 'published' ? [yank] : [];
}

/** Why it cannot be approved now. */
function refusalOf(productStatus: string, files: readonly ReviewedFile[]): string | undefined {
  if (productStatus === 'suspended') return failureWords('product_suspended').title;
  const refusals = files.flatMap((file) => {
    const code = releaseRefusalCode(file);
    return code === undefined ? [] : [`${file.filename}: ${failureWords(code).title}`];
  });
  return refusals.length === 0 ? undefined : refusals.join(' / ');
}
