import { useState } from 'preact/hooks';
import { fault } from '../../../../../shared/faults/fault.ts';
import * as rules from '../../../../../shared/faults/rules.ts';
import type { CheckedId } from '../../api/checked-operations.ts';
import type { ApiFailure } from '../../api/failure.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Choice as OneOf } from '../../fields/choices.tsx';
import { DialogFields } from '../../fields/dialog-fields.tsx';
import { TextArea } from '../../fields/fields.tsx';
import { bodyFaults } from '../../forms/body-faults.ts';
import { type Fault, faultsInMessage } from '../../forms/faults.ts';
import { fieldId } from '../../forms/form-context.ts';
import { useEdit } from '../../forms/use-edit.ts';
import { type Choice, type DecisionField, labelOf, type Written } from './decision.ts';
import { texts } from './decisions-texts.ts';

/** By what name what is written beside a decision is kept until it is taken. */
export const draftKey = (operation: CheckedId, target: string, decision: string): string => `${operation}/${target}/${decision}`;

interface DecisionDialogProps {
  operation: CheckedId;
  target: string;
  choice: Choice;
  /** What it is decided on. */
  name: string;
  open: boolean;
  sending: boolean;
  failure: ApiFailure | undefined;
  /** Says whether it was decided. */
  onDecide: (written: Written) => Promise<boolean>;
  onClose: () => void;
}

/** Asks before a decision is taken: says what happens to whom, and takes what is to be written beside it. */
export function DecisionDialog({ operation, target, choice, name, open, sending, failure, onDecide, onClose }: DecisionDialogProps) {
  const { decision, kind = 'main', effects, fields = [] } = choice;
  const blank = Object.fromEntries(fields.map(({ name, options }) => [name, options?.[0]?.[0] ?? '']));
  const edit = useEdit<Record<string, string>>({ key: draftKey(operation, target, decision), base: blank });
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const isAboutFields = failure?.code === 'invalid_request';
  const shown = faults.length > 0 ? faults : told(failure, fields);
  const id = `${decision}-${target}`;

  async function confirm(): Promise<void> {
    const { values } = edit.latest();
    const found = faultsOf(operation, choice, values);
    setFaults(found);
    const [first] = found;
    if (first) return document.getElementById(fieldId({ id }, first.field))?.focus();
    const written: Written = {};
    for (const { name } of fields) if (values[name]?.trim()) written[name] = values[name];
    if (await onDecide(written)) edit.saved(values, { values: blank });
  }

  return (
    <ConfirmDialog
      operation={operation}
      target={target}
      title={`${labelOf(choice)}: ${name}`}
      confirm={labelOf(choice)}
      kind={kind}
      open={open}
      sending={sending}
      isInForm
      notDone={texts.notDecided}
      failure={isAboutFields && shown.length > 0 ? undefined : failure}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      {effects.map((effect) => (
        <p key={effect}>{effect}</p>
      ))}
      <DialogFields id={id} edit={edit} faults={shown}>
        {fields.map(({ options, ...field }) =>
          options ? <OneOf key={field.name} {...field} options={options} /> : <TextArea key={field.name} {...field} rows={3} />,
        )}
      </DialogFields>
    </ConfirmDialog>
  );
}

function faultsOf(operation: CheckedId, { decision, fields = [] }: Choice, values: Readonly<Record<string, string>>): Fault[] {
  const missing = fields
    .filter(({ name, optional }) => !optional && values[name]?.trim() === '')
    .map(({ name }): Fault => ({ field: name, text: fault(rules.missing) }));
  return missing.length > 0 ? missing : bodyFaults(operation, { decision, ...values });
}

/** What the API says of the fields. */
function told(failure: ApiFailure | undefined, fields: readonly DecisionField[]): Fault[] {
  if (failure?.code !== 'invalid_request') return [];
  return faultsInMessage(failure.message).filter(({ field }) => fields.some(({ name }) => name === field));
}
