import type { ComponentChildren } from 'preact';
import { faultText, fieldId, type Known, shown, useForm } from '../forms/form-context.ts';
import type { Value } from '../forms/values.ts';
import { texts } from '../forms/words.ts';
import { SellerText } from '../text/seller-text.tsx';

/** What every field is told. */
export interface FieldProps {
  /** The field's name in the API. */
  name: string;
  label: string;
  hint?: ComponentChildren;
  optional?: boolean;
}

export type Field = ReturnType<typeof useField>;

/** A field of the form around it, which from now on knows the field by its label. `notes` says whether more than a hint describes it. */
export function useField({ name, label, hint, optional = false }: FieldProps, words?: Known['words'], notes: 'note' | '' = '') {
  const form = useForm();
  const known = { label, words };
  form.fields.set(name, known);
  const id = fieldId(form, name);
  const found = form.faults.find((one) => one.field === name);
  const fault = found && faultText(found, known);
  const describing = [hint && 'hint', notes, fault && 'fault'].filter(Boolean).map((part) => `${id}-${part}`);
  return {
    form,
    id,
    value: form.edit.values[name],
    fault,
    /** What its control carries. */
    control: {
      id,
      name,
      required: !optional,
      'aria-invalid': fault !== undefined,
      'aria-describedby': describing.join(' ') || undefined,
    },
    set: (value: Value) => form.edit.set(name, value),
  };
}

interface FieldFrameProps extends FieldProps {
  field: Field;
  /** Several controls instead of one. */
  isGroup?: boolean;
  /** The label stands behind the control, which is a checkbox. */
  isCheck?: boolean;
  note?: ComponentChildren;
  children: ComponentChildren;
}

/** What is around a control: label, hint, fault, and what buyers see now where that differs. */
export function FieldFrame({ field, name, label, hint, optional, isGroup, isCheck, note, children }: FieldFrameProps) {
  const { id, fault, form, value } = field;
  const live = form.live?.[name];
  const title = (
    <>
      {label}
      {!isCheck && <small> {optional ? texts.optional : texts.needed}</small>}
    </>
  );
  const rest = (
    <>
      {!isCheck && children}
      {note !== undefined && (
        <p class="hint" id={`${id}-note`}>
          {note}
        </p>
      )}
      {fault !== undefined && (
        <p class="field-error" id={`${id}-fault`}>
          {fault}
        </p>
      )}
      {live !== undefined && !form.edit.alike(name, live, value) && (
        <p class="live">
          {texts.live}
          <span class="value">
            <SellerText text={shown(live, form.fields.get(name))} multiline />
          </span>
        </p>
      )}
    </>
  );
  const told = hint && (
    <p class="hint" id={`${id}-hint`}>
      {hint}
    </p>
  );
  if (isGroup) {
    return (
      <fieldset class="field" aria-describedby={field.control['aria-describedby']}>
        <legend>{title}</legend>
        {told}
        {rest}
      </fieldset>
    );
  }
  return (
    <div class="field">
      <label for={id}>
        {isCheck && children}
        {title}
      </label>
      {told}
      {rest}
    </div>
  );
}
