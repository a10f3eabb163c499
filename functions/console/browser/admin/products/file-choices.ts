import type { ArgsOf } from '../../api/call.ts';
import type { Option } from '../../fields/choices.tsx';
import { failureWords, wordOf } from '../../words/words.ts';
import type { Choice, DecisionField } from '../decisions/decision.ts';
import { texts as decisionsTexts } from '../decisions/decisions-texts.ts';
import { approvalRefusalCode, type ReviewedFile } from '../decisions/reviewed-file.ts';
import { texts } from './products-texts.ts';

/** What the API calls what can be decided; `mark_manual_clean` is another name of `manual_clean`. */
export type FileDecision = Exclude<ArgsOf<'reviewProductFile'>['body']['decision'], 'mark_manual_clean'>;

type Judged = Pick<
  ReviewedFile,
  'status' | 'purpose' | 'visibility' | 'hash_status' | 'scan_status' | 'scan_trusted_clean' | 'was_infected'
>;

const reason: DecisionField = { name: 'rejected_reason', label: decisionsTexts.reject, hint: decisionsTexts.forSeller, maxLength: 500 };
const clean: DecisionField = { name: 'manual_scan_clean_reason', label: texts.clean, hint: texts.cleanHint, maxLength: 500 };

/** What can be decided on a file in its state, as `fileReviewTable` has it. */
export function fileChoices(file: Judged): Choice<FileDecision>[] {
  const { effects } = texts;
  const { status } = file;
  const isLive = status === 'pending_review' || status === 'approved';
  const choices: Choice<FileDecision>[] = [];
  if (status === 'approved') {
    const other = file.visibility === 'private' ? 'buyer_visible' : 'private';
    choices.push({ decision: 'approve', label: texts.changeVisibility, effects: [effects.visibility], fields: [visibilityField(other)] });
  }
  if (status === 'pending_review' || status === 'disabled') {
    const doubt = approvalRefusalCode(file);
    choices.push({
      decision: 'approve',
      effects: [approvalOf(file), decisionsTexts.told],
      fields: [visibilityField('buyer_visible')],
      refused: file.scan_status === 'infected' ? wordOf('blocker', 'infected') : doubt && failureWords(doubt).title,
    });
  }
  if (status === 'pending_review' && isVouchable(file))
    choices.push({ decision: 'manual_clean', effects: [effects.vouch], fields: [clean] });
  if (isLive) choices.push({ decision: 'disable', effects: [effects.disable, decisionsTexts.told] });
  if (isLive || status === 'disabled') {
    choices.push({ decision: 'reject', kind: 'danger', effects: [effects.fileReject, decisionsTexts.told], fields: [reason] });
  }
  return choices;
}

const isVouchable = ({ hash_status, scan_status, scan_trusted_clean, was_infected = false }: Judged): boolean =>
  (hash_status === 'unverified' || hash_status === 'verified') && scan_status !== 'infected' && !was_infected && !scan_trusted_clean;

function approvalOf({ purpose }: Judged): string {
  const { effects } = texts;
  return { image: effects.pictureApprove, release: effects.releaseApprove, download: effects.fileApprove }[purpose];
}

const visibilities = ['buyer_visible', 'private'] as const;
export const isVisibility = (value: string | undefined): value is (typeof visibilities)[number] =>
  visibilities.some((one) => one === value);

/** Who sees the file; what is given comes first. */
function visibilityField(first: (typeof visibilities)[number]): DecisionField {
  const options = visibilities.toSorted((one) => (one === first ? -1 : 1)).map((value): Option => [value, wordOf('visibility', value)]);
  return { name: 'visibility', label: texts.visibility, maxLength: 13, options };
}
