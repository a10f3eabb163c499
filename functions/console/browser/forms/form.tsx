import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { OperationId } from '../api/call.ts';
import type { ApiFailure } from '../api/failure.ts';
import { FailureNotice } from '../parts/failure-notice.tsx';
import { type ButtonKind, SendButton } from '../parts/send-button.tsx';
import { Conflicts } from './conflicts.tsx';
import { isDecided, type Stored } from './edit-state.ts';
import { type Fault, faultsInMessage, onePerField } from './faults.ts';
import { type FormState, faultText, fieldId, formContext, type Known } from './form-context.ts';
import type { Edit } from './use-edit.ts';
import { differing, sameValue, type Value, type Values } from './values.ts';
import { say } from './words.ts';

interface FormProps<V extends Values> {
  operation: OperationId;
  target?: string | undefined;
  edit: Edit<V>;
  /** What its button says. */
  submit: string;
  /** How its button looks. */
  kind?: ButtonKind;
  /** What is wrong with the values, before they are sent. */
  check?: (values: V) => Fault[];
  /** Sends them; what the service has then, or nothing when it failed. */
  onSend: (values: V, revision: number | undefined) => Promise<Stored<V> | undefined>;
  /** Reads anew what is edited, after `stale_revision`. */
  reread?: () => Promise<Stored<V>>;
  failure: ApiFailure | undefined;
  /** What did not happen, when it fails. */
  what: string;
  /** Whether it only asks for something: nothing typed in it waits to be saved. */
  asks?: boolean;
  live?: Partial<Values> | undefined;
  label?: string;
  /** Other controls beside its button. */
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** How often an edit is merged and sent again before its user is asked. */
const mostMerges = 3;

interface Told extends Fault {
  /** The value that it is about: another one is not at fault. */
  value?: Value | undefined;
}

/** A form that is sent when asked, once, after the API's own schema has seen it. See "Saving" in README.md */
export function Form<V extends Values>(props: FormProps<V>) {
  const { operation, edit, failure } = props;
  const id = useId();
  const fields = useRef(new Map<string, Known>()).current;
  const faultsTop = useRef<HTMLDivElement>(null);
  const conflictsTop = useRef<HTMLDivElement>(null);
  const busy = useRef(false);
  const merges = useRef(0);
  const [isBusy, setBusy] = useState(false);
  const [told, setTold] = useState<readonly Told[]>([]);
  const [status, setStatus] = useState<{ text: string; undo?: () => void }>({ text: '' });
  const [focus, setFocus] = useState(0);
  // A failure is taken up once, and what was corrected or merged since is not told of again.
  const taken = useRef(failure);
  const [settled, setSettled] = useState(failure);
  /** The stale revision that could not be merged. */
  const [unmerged, setUnmerged] = useState<ApiFailure>();

  useEffect(() => {
    if (focus > 0) (faultsTop.current ?? conflictsTop.current)?.focus();
  }, [focus]);

  function tell(faults: readonly Fault[]) {
    const { values } = edit.latest();
    // A part of what the API has as one field may have a control of its own.
    const placed = faults.map(({ at, ...fault }) => {
      const part = `${fault.field}.${at}`;
      return fields.has(part) ? { ...fault, field: part } : { ...fault, ...(at !== undefined && { at }) };
    });
    setTold(onePerField(placed).map((fault) => ({ ...fault, value: values[fault.field] })));
    if (faults.length > 0) setFocus((count) => count + 1);
  }

  async function send() {
    const { values, revision } = edit.latest();
    const stored = await props.onSend(values, revision);
    if (!stored) return;
    edit.saved(values, stored);
    if (!props.asks) setStatus({ text: say.saved(new Date().toLocaleTimeString(LANGUAGE, { timeStyle: 'short' })) });
  }

  /** One thing at a time: what is asked for meanwhile is not done. */
  async function alone(act: () => Promise<void>) {
    if (busy.current) return;
    busy.current = true;
    setBusy(true);
    try {
      await act();
    } finally {
      busy.current = false;
      setBusy(false);
    }
  }

  async function submit() {
    if (busy.current) return;
    const now = edit.latest();
    setStatus({ text: '' });
    if (!isDecided(now)) {
      setStatus({ text: say.undecided });
      return setFocus((count) => count + 1);
    }
    const faults = props.check?.(now.values) ?? [];
    tell(faults);
    if (faults.length > 0) return;
    merges.current = 0;
    await alone(send);
  }

  /** Merges what somebody else saved, and sends the edit again where nothing is in conflict. */
  async function merge(reread: () => Promise<Stored<V>>) {
    const stored = await reread().catch(() => undefined);
    if (!stored) return setUnmerged(failure);
    edit.take(stored);
    setSettled(failure);
    merges.current += 1;
    const merged = edit.latest();
    if (!isDecided(merged)) return setFocus((count) => count + 1);
    setStatus({ text: say.merged });
    if (differing(merged.values, merged.base, edit.alike).length > 0) await send();
  }

  useEffect(() => {
    if (!failure || failure === taken.current || isBusy) return;
    taken.current = failure;
    const { reread } = props;
    if (failure.code === 'stale_revision' && reread) {
      if (merges.current < mostMerges) void alone(() => merge(reread));
      else setUnmerged(failure);
    }
    if (failure.code === 'invalid_request') {
      setSettled(failure);
      tell(faultsInMessage(failure.message));
    }
  }, [failure, isBusy]);

  // What is sent after a while is what the form holds then.
  const again = useRef(submit);
  again.current = submit;

  /** Whether to offer it again as it was: what was refused for a while comes again by itself, unless it could be done twice. */
  const isRepeatable = ({ status, retryAfterSeconds }: ApiFailure) =>
    status !== 503 || retryAfterSeconds === 0 || edit.revision !== undefined;
  useEffect(() => {
    if (!failure?.passes || failure === settled || failure.retryAfterSeconds === 0 || !isRepeatable(failure)) return;
    const timer = setTimeout(() => void again.current(), failure.retryAfterSeconds * 1000);
    return () => clearTimeout(timer);
  }, [failure, settled]);
  const faults = told.filter(({ field, value }) => sameValue(edit.values[field], value));
  const order = [...fields.keys()];
  const sorted = [...told].sort((a, b) => order.indexOf(a.field) - order.indexOf(b.field));
  const form: FormState = { id, edit, faults, live: props.live, fields };
  const isOpen = !isDecided(edit);
  const isMerging = failure?.code === 'stale_revision' && props.reread !== undefined && failure !== unmerged;
  const isTold = failure?.code === 'invalid_request' || isMerging || isOpen;
  const shown = failure !== settled && !isTold && !isBusy ? failure : undefined;
  const isUnsaved = edit.isChanged && !props.asks;

  return (
    <form
      noValidate
      data-target={props.target}
      aria-label={props.label}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onKeyDown={keepComposing}
    >
      {sorted.length > 0 && (
        <div ref={faultsTop} role="alert" tabIndex={-1} data-error="invalid_request" class="notice bad">
          <p class="title">{say.faults(sorted.length)}</p>
          <ul>
            {sorted.map((fault) => {
              const text = faultText(fault, fields.get(fault.field));
              return (
                <li key={fault.field}>{fields.has(fault.field) ? <FaultLink id={fieldId(form, fault.field)} text={text} /> : text}</li>
              );
            })}
          </ul>
        </div>
      )}
      {edit.conflicts.length > 0 && <Conflicts edit={edit} fields={fields} top={conflictsTop} />}
      {shown && <FailureNotice failure={shown} what={props.what} kept onRetry={isRepeatable(shown) ? () => void submit() : undefined} />}
      <formContext.Provider value={form}>{props.children}</formContext.Provider>
      <div class="buttons">
        <SendButton operation={operation} target={props.target} sending={isBusy} kind={props.kind ?? 'main'}>
          {props.submit}
        </SendButton>
        {isUnsaved && (
          <button
            type="button"
            class="button quiet"
            data-action="discard"
            onClick={() => {
              if (busy.current) return;
              setTold([]);
              setSettled(failure);
              setStatus({ text: say.discarded, undo: edit.discard() });
            }}
          >
            {say.discard}
          </button>
        )}
        {props.actions}
      </div>
      {isUnsaved && <p class="hint">{edit.isKept ? say.unsaved : say.unkept}</p>}
      <p role="status">
        {status.text}
        {status.undo && !edit.isChanged && (
          <button
            type="button"
            class="button quiet"
            onClick={() => {
              status.undo?.();
              setStatus({ text: '' });
            }}
          >
            {say.undo}
          </button>
        )}
      </p>
    </form>
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
