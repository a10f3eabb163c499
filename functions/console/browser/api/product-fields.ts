import type { FieldWords } from '../../../../shared/products/fields.ts';

/** How a seller writes a field of a product, in the language of the script. */
export interface WrittenField
  extends Pick<FieldWords, 'control' | 'group' | 'isOptional' | 'emptyAs' | 'maxLength' | 'rows' | 'autocomplete'> {
  label: string;
  hint?: string;
  unit?: string;
  /** What the API takes for it when it is left out. */
  usual?: unknown;
  /** The values that it may have, if they are few, and what they are called. */
  options?: readonly (readonly [value: unknown, words: string])[];
}

/** How an admin reads one. */
export interface ReviewedField extends Pick<FieldWords, 'control' | 'emptyAs'> {
  label: string;
  unit?: string;
}
