import * as z from 'zod/mini';
import { line, text } from '../../../../../shared/schemas.ts';
import { codeName } from '../../../../../shared/wire.ts';
import type { ButtonKind } from '../../parts/send-button.tsx';

/** What may be written beside a decision. */
type FieldName = 'rejection_reason' | 'rejected_reason' | 'yank_reason' | 'manual_scan_clean_reason' | 'note';
export type Written = { [Name in FieldName]?: string };

/** A field of a decision. */
export interface DecisionField {
  /** Its name in the API. */
  name: FieldName;
  label: string;
  hint?: string;
  optional?: boolean;
  /** How many characters it may have. */
  most: number;
}

/** A decision that an admin may take. */
export interface Choice<Decision extends string = string> {
  /** Its name in the API. */
  decision: Decision;
  kind?: ButtonKind;
  /** With Alt it opens the question whether to decide so; none where a screen has several of a kind. */
  letter?: string;
  /** What happens to whom. */
  effects: readonly string[];
  fields?: readonly DecisionField[];
  /** Why it cannot be taken now. */
  refused?: string | undefined;
}

/** What the API takes in the fields of a decision. */
export const schemaOf = (fields: readonly DecisionField[]) =>
  z.object(Object.fromEntries(fields.map(({ name, most }) => [codeName(name), name === 'note' ? text(most) : line(most)])));
