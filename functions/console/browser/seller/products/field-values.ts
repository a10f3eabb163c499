import type { WrittenField } from '../../api/product-fields.ts';
import { priceText, readPrice } from '../../forms/price.ts';
import { linesOf, type Value, wholeNumber } from '../../forms/values.ts';

/** What the form of a new product begins with. */
export function usualValue({ control, usual, emptyAs }: WrittenField): string | boolean {
  if (control === 'check') return usual === true;
  return usual === undefined || usual === emptyAs ? '' : String(usual);
}

/** A value of the API as the form holds it. */
export function typedValue(
  { control, emptyAs = Number.POSITIVE_INFINITY }: WrittenField,
  value: unknown,
  currency: string,
): string | boolean {
  if (control === 'check') return value === true;
  if (Array.isArray(value)) return value.join('\n');
  if (typeof value === 'number') return control === 'price' ? priceText(value, currency) : value >= emptyAs ? '' : String(value);
  return String(value ?? '');
}

/**
 * What is sent of what the form holds: `NaN` for what is no number, undefined for nothing. An optional text that nobody
 * gave is left out, as is a value of a later version: sent, they would count as changed.
 */
export function sentValue(field: WrittenField, typed: Value | undefined, currency: string, before: Value = ''): unknown {
  if (typeof typed !== 'string') return typed;
  const { control, isOptional = false, emptyAs, options = [] } = field;
  const isEmpty = typed.trim() === '';
  switch (control) {
    case 'lines':
      return linesOf(typed);
    case 'price':
      return isEmpty && isOptional ? undefined : amountOf(typed, currency);
    case 'number':
    case 'days':
      return isEmpty && isOptional ? emptyAs : wholeNumber(typed);
    case 'choice':
      return options.map(([value]) => value).find((value) => String(value) === typed);
    case 'email':
    case 'code':
      return typed.trim();
    default:
      return isOptional && typed === '' && before === '' ? undefined : typed;
  }
}

/** `NaN` for what is not an amount in the currency, which `readPrice` tells of. */
export function amountOf(text: string, currency: string): number {
  const price = readPrice(text, currency);
  return 'amount' in price ? price.amount : Number.NaN;
}

/** What two values of the form have in common that are sent alike. */
export function comparedValue({ control, emptyAs }: WrittenField, typed: string): Value {
  if (control === 'lines') return linesOf(typed);
  if (control === 'price') return comparedPrice(typed);
  if (control !== 'number' && control !== 'days') return typed;
  const number = wholeNumber(typed);
  if (number === emptyAs) return '';
  return Number.isNaN(number) ? typed.trim() : String(number);
}

/** The same of a price. */
export const comparedPrice = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\s|,(?=\d{3})/g, '')
    .replace(/\.0+$/, '');
