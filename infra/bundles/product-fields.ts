import type { BodySchema } from '../../functions/console/browser/api/body-check.ts';
import type { ReviewedField, WrittenField } from '../../functions/console/browser/api/product-fields.ts';
import type { Locale } from '../../shared/locale.ts';
import { type FieldWords, fieldWords } from '../../shared/products/fields.ts';
import { ProductUpsertRequest } from '../../shared/products/product.ts';
import { wireName } from '../../shared/wire.ts';
import { bodySchemaOf } from './body-schema.ts';

/** The module `console:product-fields` of the scripts in a language: a script has what its role reads of it. */
export function productFieldsIn(locale: Locale): string {
  const { properties = {} } = bodySchemaOf(ProductUpsertRequest);
  const all = Object.entries(fieldWords).map(([name, words]) => [wireName(name), words] as const);
  const written = all.map(([name, words]) => [name, writtenField(words, properties[name] ?? {}, locale)]);
  const reviewed = all.map(([name, words]) => [name, reviewedField(words, locale)]);
  return `export const writtenFields = ${JSON.stringify(Object.fromEntries(written))};
export const reviewedFields = ${JSON.stringify(Object.fromEntries(reviewed))};`;
}

function writtenField(words: FieldWords, schema: BodySchema, locale: Locale): WrittenField {
  const { description: _, example: __, reviewLabel: ___, options: ____, label, hint, unit, ...control } = words;
  return {
    ...(schema.maxLength !== undefined && { maxLength: schema.maxLength }),
    ...control,
    label: label[locale],
    ...(hint && { hint: hint[locale] }),
    ...(unit && { unit: unit[locale] }),
    ...(schema.default !== undefined && control.control !== 'own' && { usual: schema.default }),
    ...(schema.enum && { options: schema.enum.map((value) => [value, optionWords(words, String(value), locale)]) }),
  };
}

function optionWords({ options, unit }: FieldWords, value: string, locale: Locale): string {
  const option = unit ? `${value} ${unit[locale]}` : value;
  return options?.[value]?.[locale] ?? option;
}

function reviewedField({ control, emptyAs, label, reviewLabel, unit }: FieldWords, locale: Locale): ReviewedField {
  return {
    control,
    ...(emptyAs !== undefined && { emptyAs }),
    label: (reviewLabel ?? label)[locale],
    ...(unit && control !== 'days' && { unit: unit[locale] }),
  };
}
