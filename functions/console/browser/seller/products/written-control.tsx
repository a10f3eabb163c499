import type { WrittenField } from '../../api/product-fields.ts';
import { Check, Choice } from '../../fields/choices.tsx';
import { Lines, NumberField, PriceField, TextArea, TextField } from '../../fields/fields.tsx';

interface WrittenControlProps {
  name: string;
  field: WrittenField;
  currency: string;
  currencies: readonly string[];
}

/** What a field of a product is written with. */
export function WrittenControl({ name, field, currency, currencies }: WrittenControlProps) {
  const { control, label, hint, isOptional: optional = false, maxLength, options = [], unit, rows, autocomplete } = field;
  const props = { name, label, hint, optional };
  const text = { ...props, ...(maxLength !== undefined && { most: maxLength }), ...(autocomplete && { autocomplete }) };
  switch (control) {
    case 'area':
      return <TextArea {...text} {...(rows && { rows })} />;
    case 'check':
      return <Check {...props} />;
    case 'choice':
      return <Choice {...props} options={options.map(([value, words]) => [String(value), words] as const)} />;
    case 'currency':
      return <Choice {...props} options={currencies.map((code) => [code, code] as const)} />;
    case 'days':
    case 'number':
      return <NumberField {...props} {...(unit && { unit })} />;
    case 'lines':
      return <Lines {...props} />;
    case 'price':
      return <PriceField {...props} currency={currency} />;
    default:
      return <TextField {...text} type={control === 'email' ? 'email' : 'text'} isCode={control === 'code'} />;
  }
}
