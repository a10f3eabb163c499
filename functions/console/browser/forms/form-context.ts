import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { faultWords } from '../words/faults.ts';
import type { Fault } from './faults.ts';
import type { Edit } from './use-edit.ts';
import type { Value, Values } from './values.ts';
import { texts } from './words.ts';

/** A field as the form that it is in knows it. */
export interface Known {
  label: string;
  /** What a value is called there. */
  words?: ((value: Value) => string) | undefined;
}

export interface FormContext {
  id: string;
  edit: Edit;
  faults: readonly Fault[];
  /** What buyers see now, where the form is about something else. */
  live?: Partial<Values> | undefined;
  fields: Map<string, Known>;
}

export const formContext = createContext<FormContext | undefined>(undefined);

export function useForm(): FormContext {
  const form = useContext(formContext);
  if (!form) throw new Error('A field outside of a form');
  return form;
}

export const fieldId = (form: Pick<FormContext, 'id'>, name: string) => `${form.id}-${name}`;

/** A value in words for people. */
export function shown(value: Value | undefined, known: Known | undefined): string {
  if (value === undefined) return texts.nothing;
  return wordsOf(value, known) || texts.nothing;
}

function wordsOf(value: Value, known: Known | undefined): string {
  if (known?.words) return known.words(value);
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  if (isList(value)) return value.join('\n');
  return Object.entries(value)
    .map((entry) => entry.join(': '))
    .join('\n');
}

const isList = (value: Value): value is readonly string[] => Array.isArray(value);

/** What is wrong, as a sentence about the field. */
export function faultText({ field, at, text }: Fault, known: Known | undefined): string {
  if (field === '') return text;
  const label = known?.label ?? field;
  return texts.fault(at === undefined ? label : texts.item(label, at), faultWords(text));
}
