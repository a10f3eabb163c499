import type { ComponentChildren, RefObject, TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { OperationId } from '../api/call.ts';
import { FailureNotice } from '../components/failure-notice.tsx';
import { type ButtonKind, SendButton } from '../components/send-button.tsx';
import type { NotDone } from '../words/not-done.ts';
import { Conflicts } from './conflicts.tsx';
import { isDecided } from './edit-state.ts';
import { type FormContext, faultText, fieldId, formContext } from './form-context.ts';
import type { FormStatus, ShownFault } from './form-state.ts';
import { type FormOptions, useFormState } from './use-form.ts';
import { sameValue, type Values } from './values.ts';
import { texts } from './words.ts';

interface FormProps<V extends Values> extends FormOptions<V> {
  operation: OperationId;
  target?: string | undefined;
  /** What its button says, where it does not save. */
  submit?: string;
  /** How its button looks. */
  kind?: ButtonKind;
  /** What did not happen, where it was not saved. */
  notDone?: NotDone;
  /** Whether it only asks for something: nothing typed in it waits to be saved. */
  asks?: boolean;
  live?: Partial<Values> | undefined;
  label?: string;
  /** Other controls beside its button. */
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** A form that is sent when asked, once, after the API's own schema has seen it. See "Saving" in README.md */
export function Form<V extends Values>(props: FormProps<V>) {
  const { operation, target, edit, asks = false, live } = props;
  const { id, fields, form, isBusy, submit, retry, discard, restore } = useFormState(props);
  const faultsTop = useRef<HTMLDivElement>(null);
  const conflictsTop = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (form.focus > 0) (faultsTop.current ?? conflictsTop.current)?.focus();
  }, [form.focus]);
  const faults = form.faults.filter(({ field, value }) => sameValue(edit.values[field], value));
  const context: FormContext = { id, edit, faults, live, fields };
  const failure = form.name === 'failed' && isDecided(edit) ? form.failure : undefined;
  const isUnsaved = edit.isChanged && !asks;

  return (
    <form
      noValidate
      data-target={target}
      aria-label={props.label}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onKeyDown={keepComposing}
    >
      {form.faults.length > 0 && <Faults of={form.faults} context={context} top={faultsTop} />}
      {edit.conflicts.length > 0 && <Conflicts edit={edit} fields={fields} top={conflictsTop} />}
      {failure && <FailureNotice failure={failure} notDone={props.notDone ?? texts.notSaved} kept onRetry={retry} />}
      <formContext.Provider value={context}>{props.children}</formContext.Provider>
      <div class="buttons">
        <SendButton operation={operation} target={target} sending={isBusy} kind={props.kind ?? 'main'}>
          {props.submit ?? texts.save}
        </SendButton>
        {isUnsaved && (
          <button type="button" class="button quiet" data-action="discard" onClick={discard}>
            {texts.discard}
          </button>
        )}
        {props.actions}
      </div>
      {isUnsaved && <p class="hint">{edit.isKept ? texts.unsaved : texts.unkept}</p>}
      <p role="status">
        {statusWords(form.status, asks)}
        {form.status.name === 'discarded' && !edit.isChanged && (
          <button type="button" class="button quiet" onClick={restore}>
            {texts.undo}
          </button>
        )}
      </p>
    </form>
  );
}

function statusWords(status: FormStatus, asks: boolean): string {
  if (status.name === 'none') return '';
  if (status.name !== 'saved') return { merged: texts.merged, undecided: texts.undecided, discarded: texts.discarded }[status.name];
  return asks ? '' : texts.saved(new Date(status.at).toLocaleTimeString(LANGUAGE, { timeStyle: 'short' }));
}

/** What is wrong, in the order of the fields, with the way to each. */
function Faults({ of: faults, context, top }: { of: readonly ShownFault[]; context: FormContext; top: RefObject<HTMLDivElement> }) {
  const { fields } = context;
  const order = [...fields.keys()];
  const sorted = [...faults].sort((a, b) => order.indexOf(a.field) - order.indexOf(b.field));
  return (
    <div ref={top} role="alert" tabIndex={-1} data-error="invalid_request" class="notice bad">
      <p class="title">{texts.faults(sorted.length)}</p>
      <ul>
        {sorted.map((fault) => {
          const text = faultText(fault, fields.get(fault.field));
          return <li key={fault.field}>{fields.has(fault.field) ? <FaultLink id={fieldId(context, fault.field)} text={text} /> : text}</li>;
        })}
      </ul>
    </div>
  );
}

function FaultLink({ id, text }: { id: string; text: string }) {
  return (
    <a
      href={`#${id}`}
      onClick={(event) => {
        event.preventDefault();
        document.getElementById(id)?.focus();
      }}
    >
      {text}
    </a>
  );
}

/** The key that ends a conversion of an input method sends no form; some browsers tell of it after the conversion. */
function keepComposing(event: TargetedKeyboardEvent<HTMLFormElement>) {
  if (event.key === 'Enter' && (event.isComposing || event.keyCode === 229)) event.preventDefault();
}
