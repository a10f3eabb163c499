import type { ButtonKind } from '../../components/send-button.tsx';
import type { Option } from '../../fields/choices.tsx';
import { wordOf } from '../../words/words.ts';
import { texts } from './decisions-texts.ts';

/** What may be written beside a decision. */
type FieldName = 'rejection_reason' | 'rejected_reason' | 'yank_reason' | 'manual_scan_clean_reason' | 'note' | 'visibility';
export type Written = { [Name in FieldName]?: string };

/** A field of a decision. */
export interface DecisionField {
  /** Its name in the API. */
  name: FieldName;
  label: string;
  hint?: string;
  optional?: boolean;
  /** How many characters it may have. */
  maxLength: number;
  /** What can be chosen, the usual first; without it something is written. */
  options?: readonly Option[];
}

/** What nobody but admins reads. */
export const note: DecisionField = { name: 'note', label: texts.note, hint: texts.noteHint, optional: true, maxLength: 5000 };

/** A decision that an admin may take. */
export interface Choice<Decision extends string = string> {
  /** Its name in the API. */
  decision: Decision;
  /** What its button says, where it is not usual. */
  label?: string;
  kind?: ButtonKind;
  /** With Alt it opens the question whether to decide so; only where one thing is decided on. */
  letter?: string;
  /** What happens to whom. */
  effects: readonly string[];
  fields?: readonly DecisionField[];
  /** Why it cannot be taken now. */
  refused?: string | undefined;
}

/** What the button of a decision says. */
export const labelOf = ({ decision, label }: Pick<Choice, 'decision' | 'label'>): string => label ?? wordOf('decision', decision);
