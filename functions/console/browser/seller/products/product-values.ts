import { writtenFields } from 'console:product-fields';
import type { FeatureLabels, Product } from '../../../../../build/client.ts';
import { locales } from '../../../../../shared/locale.ts';
import type { WrittenField } from '../../api/product-fields.ts';
import { priceText } from '../../forms/price.ts';
import { type Alike, linesOf, sameValue, type Value, type Values } from '../../forms/values.ts';
import { amountOf, comparedPrice, comparedValue, sentValue, typedValue, usualValue } from './field-values.ts';

/** A product as its form holds it. */
export type ProductValues = Values &
  OwnValues &
  Readonly<{
    currency: string;
    /** A line each. */
    features: string;
  }>;

/** Of the fields that are written like no other. */
type OwnValues = Readonly<{
  /** By `labelKey`, also of features that are listed no more: their line may come back. */
  feature_labels: Readonly<Record<string, string>>;
  /** Empty for what is not sold. */
  'addition_prices.seat': string;
  'addition_prices.updates': string;
  /** The price for owners of each product, by its id; empty where there is no upgrade from it. */
  upgrades_from: Readonly<Record<string, string>>;
}>;

/** The name in `feature_labels` of what a feature is called in a language. */
export const labelKey = (locale: string, feature: string): string => `${locale}:${feature}`;

/** Those that are written as their control says, and no otherwise. */
export const plainFields = Object.entries(writtenFields).filter(([, { control }]) => control !== 'own');
const valuesOf = (read: (field: WrittenField, name: string) => Value): Values =>
  Object.fromEntries(plainFields.map(([name, field]) => [name, read(field, name)]));

/** A product that was not made yet. */
export const newProduct = ({ currency, supportEmail }: { currency: string; supportEmail: string }): ProductValues => ({
  ...valuesOf(usualValue),
  currency,
  support_email: supportEmail,
  features: '',
  feature_labels: {},
  'addition_prices.seat': '',
  'addition_prices.updates': '',
  upgrades_from: {},
});

/** What buyers see of it, or would. */
export function liveValues(product: Omit<Product, 'pending'>): ProductValues {
  const { currency, features = [], addition_prices: additions } = product;
  const stored = new Map<string, unknown>(Object.entries(product));
  const priced = (amount: number | undefined) => (amount === undefined ? '' : priceText(amount, currency));
  return {
    ...valuesOf((field, name) => typedValue(field, stored.get(name), currency)),
    currency,
    features: features.join('\n'),
    feature_labels: labelValues(product.feature_labels),
    'addition_prices.seat': priced(additions.seat),
    'addition_prices.updates': priced(additions.updates),
    upgrades_from: Object.fromEntries(product.upgrades_from.map(({ product_id, price_amount }) => [product_id, priced(price_amount)])),
  };
}

/** What its seller last saved of it: the pending revision, where one waits. */
export function savedValues({ pending, ...live }: Product): ProductValues {
  return liveValues({ ...live, ...pending?.changes });
}

const labelValues = (labels: FeatureLabels = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(labels).flatMap(([feature, words]) =>
      locales.flatMap((locale) => {
        const label = words[locale];
        return label === undefined ? [] : [[labelKey(locale, feature), label] as const];
      }),
    ),
  );

function labelsOf({ features, feature_labels: labels }: ProductValues): FeatureLabels {
  const given = linesOf(features).map((feature) => {
    const words = locales.flatMap((locale) => {
      const label = labels[labelKey(locale, feature)]?.trim();
      return label ? [[locale, label] as const] : [];
    });
    return [feature, Object.fromEntries(words)] as const;
  });
  return Object.fromEntries(given.filter(([, words]) => Object.keys(words).length > 0));
}

/** What is sent to make the product, or to change the one whose form began with `base`. */
export function productBody(values: ProductValues, base?: ProductValues) {
  const { currency } = values;
  const sent = plainFields.flatMap(([name, field]) => {
    const value = sentValue(field, values[name], currency, base?.[name]);
    return value === undefined ? [] : [[name, value] as const];
  });
  const labels = labelsOf(values);
  const hasLabels = Object.keys(labels).length > 0 || (base !== undefined && Object.keys(base.feature_labels).length > 0);
  const [seat, updates] = [values['addition_prices.seat'].trim(), values['addition_prices.updates'].trim()];
  return {
    ...Object.fromEntries(sent),
    ...(hasLabels && { feature_labels: labels }),
    addition_prices: { ...(seat && { seat: amountOf(seat, currency) }), ...(updates && { updates: amountOf(updates, currency) }) },
    upgrades_from: Object.entries(values.upgrades_from).flatMap(([product_id, price]) =>
      price.trim() ? [{ product_id, price_amount: amountOf(price, currency) }] : [],
    ),
  };
}

/** Whether two values of a field of a product are sent alike. */
export const alikeInProduct: Alike = (name, one, other) => sameValue(compared(name, one), compared(name, other));

function compared(name: string, value: Value | undefined): Value | undefined {
  if (typeof value === 'string') {
    const field = plainFields.find(([plain]) => plain === name)?.[1];
    if (field) return comparedValue(field, value);
    return name.startsWith('addition_prices.') ? comparedPrice(value) : value;
  }
  if ((name === 'feature_labels' || name === 'upgrades_from') && typeof value === 'object') {
    const given = Object.entries<string>(value).filter(([, text]) => text.trim() !== '');
    return Object.fromEntries(given.map(([key, text]) => [key, name === 'upgrades_from' ? comparedPrice(text) : text]));
  }
  return value;
}
