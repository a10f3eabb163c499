import type { ApiFailure } from '../api/failure.ts';
import type { Fault } from './faults.ts';
import type { Value } from './values.ts';

/** A fault that is shown. */
export interface ShownFault extends Fault {
  /** The value that it is about: another one is not at fault. */
  value?: Value | undefined;
}

/** What a form says of its last step. */
export type FormStatus = { name: 'none' | 'merged' | 'undecided' | 'discarded' } | { name: 'saved'; at: number };

/** How far a form is. */
export interface FormState {
  /**
   * `editing` waits for its user, `failed` does so below a failure; `sending` sends the edit, `merging` reads what somebody
   * else saved and puts the edit on it.
   */
  name: 'editing' | 'sending' | 'merging' | 'failed';
  /** The failure that was taken up last. One is taken up once: what was corrected or merged since is not shown again. */
  failure: ApiFailure | undefined;
  faults: readonly ShownFault[];
  status: FormStatus;
  /** How often the edit was merged since its user sent it. */
  merges: number;
  /** Counts what asks for a look: then the focus goes to the faults or the conflicts. */
  focus: number;
}

export type FormEvent =
  /** Its user asks to send it, or what was refused for a while is to be sent again. */
  | { name: 'submit'; isDecided: boolean; faults: readonly ShownFault[] }
  | { name: 'saved'; at: number }
  | { name: 'not saved' }
  /** Why it was not saved, as far as that is known; `faults` are what an `invalid_request` says. */
  | { name: 'failure'; failure: ApiFailure | undefined; faults: readonly ShownFault[]; mayMerge: boolean }
  | { name: 'merged'; isDecided: boolean; isChanged: boolean }
  | { name: 'not read' }
  | { name: 'discard' }
  | { name: 'restore' };

/** How often an edit is merged and sent again before its user is asked. */
const maxMerges = 3;

/** A form that was opened, below a failure that others have told of, where there is one. */
export const openForm = (failure: ApiFailure | undefined): FormState => ({
  name: 'editing',
  failure,
  faults: [],
  status: { name: 'none' },
  merges: 0,
  focus: 0,
});

/** One thing at a time: what is asked for meanwhile is not done. */
export const isBusy = ({ name }: Pick<FormState, 'name'>): boolean => name === 'sending' || name === 'merging';

/** The form after what happened; whoever holds it sends when it comes to `sending`, and reads anew when it comes to `merging`. */
export function nextForm(form: FormState, event: FormEvent): FormState {
  switch (event.name) {
    case 'submit':
      return isBusy(form) ? form : submitted(form, event);
    case 'failure':
      return isBusy(form) || event.failure === form.failure ? form : failed(form, event);
    case 'discard':
      return isBusy(form) ? form : { ...form, name: 'editing', faults: [], status: { name: 'discarded' } };
    case 'restore':
      return form.status.name === 'discarded' ? { ...form, status: { name: 'none' } } : form;
    case 'saved':
      return form.name === 'sending' ? { ...form, name: 'editing', status: { name: 'saved', at: event.at } } : form;
    case 'not saved':
      return form.name === 'sending' ? { ...form, name: 'editing' } : form;
    case 'merged':
      return form.name === 'merging' ? merged(form, event) : form;
    case 'not read':
      return form.name === 'merging' ? { ...form, name: 'failed' } : form;
  }
}

type EventOf<Name extends FormEvent['name']> = Extract<FormEvent, { name: Name }>;

function submitted(form: FormState, { isDecided, faults }: EventOf<'submit'>): FormState {
  if (!isDecided) return { ...form, status: { name: 'undecided' }, focus: form.focus + 1 };
  const checked: FormState = { ...form, status: { name: 'none' }, faults };
  return faults.length > 0 ? { ...checked, focus: form.focus + 1 } : { ...checked, name: 'sending', merges: 0 };
}

function failed(form: FormState, { failure, faults, mayMerge }: EventOf<'failure'>): FormState {
  const known = { ...form, failure };
  if (failure === undefined) return { ...known, name: 'editing' };
  if (failure.code === 'invalid_request') return { ...known, name: 'editing', faults, focus: form.focus + 1 };
  const isMerged = failure.code === 'stale_revision' && mayMerge && form.merges < maxMerges;
  return { ...known, name: isMerged ? 'merging' : 'failed' };
}

function merged(form: FormState, { isDecided, isChanged }: EventOf<'merged'>): FormState {
  const merges = form.merges + 1;
  if (!isDecided) return { ...form, name: 'editing', merges, focus: form.focus + 1 };
  return { ...form, name: isChanged ? 'sending' : 'editing', merges, status: { name: 'merged' } };
}

/** Whether to offer it again as it was: what was refused for a while comes again by itself, unless it could be done twice. */
export const isRepeatable = ({ status, retryAfterSeconds }: ApiFailure, revision: number | undefined): boolean =>
  status !== 503 || retryAfterSeconds === 0 || revision !== undefined;

/** After how many seconds what failed is sent again by itself; 0 where it is not. */
export const resendsAfter = ({ name, failure }: FormState, revision: number | undefined): number =>
  name === 'failed' && failure?.passes && isRepeatable(failure, revision) ? failure.retryAfterSeconds : 0;
