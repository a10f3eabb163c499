import { useEffect, useId, useReducer, useRef } from 'preact/hooks';
import type { ApiFailure } from '../api/failure.ts';
import { isDecided, type Stored } from './edit-state.ts';
import { type Fault, faultsInMessage, onePerField } from './faults.ts';
import type { Known } from './form-context.ts';
import { type FormEvent, type FormState, isBusy, isRepeatable, nextForm, openForm, resendsAfter, type ShownFault } from './form-state.ts';
import type { Edit } from './use-edit.ts';
import { differingFields, type Values } from './values.ts';

/** What a form is told of the values that it is about. */
export interface FormOptions<V extends Values> {
  edit: Edit<V>;
  /** What is wrong with the values, before they are sent. */
  check?: (values: V) => Fault[];
  /** Sends them; what the service has then, or nothing when it failed. */
  onSend: (values: V, revision: number | undefined) => Promise<Stored<V> | undefined>;
  /** Reads anew what is edited, after `stale_revision`. */
  reread?: () => Promise<Stored<V>>;
  failure: ApiFailure | undefined;
}

/** The form as it stands, and what its controls do. What it does next `form-state.ts` says. */
export function useFormState<V extends Values>({ edit, check, onSend, reread, failure }: FormOptions<V>) {
  const id = useId();
  const fields = useRef(new Map<string, Known>()).current;
  const held = useRef<FormState>();
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const undo = useRef<() => void>();
  held.current ??= openForm(failure);
  const form = held.current;

  /** At once, and not when it is drawn again: a second press may come before. */
  function tell(event: FormEvent): void {
    const before = held.current ?? form;
    const now = nextForm(before, event);
    if (now === before) return;
    held.current = now;
    draw(0);
    if (now.name !== before.name && now.name === 'sending') void send();
    if (now.name !== before.name && now.name === 'merging' && reread) void merge(reread);
  }

  async function send(): Promise<void> {
    const { values, revision } = edit.latest();
    let stored: Stored<V> | undefined;
    try {
      stored = await onSend(values, revision);
      if (stored) edit.saved(values, stored);
    } finally {
      tell(stored ? { name: 'saved', at: Date.now() } : { name: 'not saved' });
    }
  }

  async function merge(read: () => Promise<Stored<V>>): Promise<void> {
    const stored = await read().catch(() => undefined);
    if (!stored) return tell({ name: 'not read' });
    edit.merge(stored);
    const now = edit.latest();
    tell({ name: 'merged', isDecided: isDecided(now), isChanged: differingFields(now.values, now.base, edit.alike).length > 0 });
  }

  /** Each with its value; a part of what the API has as one field may have a control of its own. */
  function shown(faults: readonly Fault[]): ShownFault[] {
    const { values } = edit.latest();
    const placed = faults.map(({ at, ...fault }) => {
      const part = `${fault.field}.${at}`;
      return fields.has(part) ? { ...fault, field: part } : { ...fault, ...(at !== undefined && { at }) };
    });
    return onePerField(placed).map((fault) => ({ ...fault, value: values[fault.field] }));
  }

  function submit(): void {
    if (isBusy(held.current ?? form)) return;
    const now = edit.latest();
    const isReady = isDecided(now);
    tell({ name: 'submit', isDecided: isReady, faults: isReady ? shown(check?.(now.values) ?? []) : [] });
  }

  useEffect(() => {
    const faults = failure?.code === 'invalid_request' ? shown(faultsInMessage(failure.message)) : [];
    tell({ name: 'failure', failure, faults, mayMerge: reread !== undefined });
  }, [failure, form.name]);

  // What is sent after a while is what the form holds then.
  const again = useRef(submit);
  again.current = submit;
  const seconds = resendsAfter(form, edit.revision);
  useEffect(() => {
    if (seconds === 0) return;
    const timer = setTimeout(() => again.current(), seconds * 1000);
    return () => clearTimeout(timer);
  }, [form.failure, seconds]);

  return {
    id,
    fields,
    form,
    isBusy: isBusy(form),
    submit,
    /** Sends again what failed, where it may be. */
    retry: form.failure && isRepeatable(form.failure, edit.revision) ? submit : undefined,
    discard() {
      if (isBusy(held.current ?? form)) return;
      undo.current = edit.discard();
      tell({ name: 'discard' });
    },
    restore() {
      undo.current?.();
      tell({ name: 'restore' });
    },
  };
}
