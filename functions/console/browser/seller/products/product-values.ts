import { locales } from '../../../../../shared/locale.ts';
import type { Product as ServiceProduct } from '../../../../../shared/products/product.ts';
import { endlessUpdatesDays } from '../../../../../shared/products/update-terms.ts';
import type { Wire } from '../../../../../shared/wire.ts';
import { priceText, readPrice } from '../../forms/price.ts';
import { type Alike, linesOf, sameValue, wholeNumber } from '../../forms/values.ts';

type FeatureLabels = Record<string, { ja?: string; en?: string }>;

type Live = Omit<Wire<ServiceProduct>, 'feature_labels' | 'pending'> & { feature_labels?: FeatureLabels };

/** A product as the API shows it. */
type Product = Live & { pending?: { changes: Partial<Live> } };

/** A product as its form holds it. */
export type ProductValues = {
  name: string;
  description: string;
  price_amount: string;
  currency: string;
  support_email: string;
  refund_policy: string;
  software_operating_environment: string;
  tokushoho_seller_name: string;
  tokushoho_contact: string;
  tokushoho_address: string;
  forbidden_category_acknowledged: boolean;
  license_issuance_mode: string;
  license_key_prefix: string;
  activation_limit: string;
  /** A line each. */
  features: string;
  /** By `labelKey`, also of features that are listed no more: their line may come back. */
  feature_labels: Record<string, string>;
  deactivation_allowed: boolean;
  offline_days: string;
  offline_file_days: string;
  /** Empty for no end. */
  updates_days: string;
  max_quantity: string;
  tax_percent: string;
  /** Empty for what is not sold. */
  'addition_prices.seat': string;
  'addition_prices.updates': string;
  /** The price for owners of each product, by its id; empty where there is no upgrade from it. */
  upgrades_from: Record<string, string>;
};

/** The name in `feature_labels` of what a feature is called in a language. */
export const labelKey = (locale: string, feature: string): string => `${locale}:${feature}`;

/** A product that was not made yet. */
export const newProduct = ({
  currency,
  supportEmail,
  usualIn,
}: {
  currency: string;
  supportEmail: string;
  /** What the API takes for a field that is left out. */
  usualIn: (field: string) => unknown;
}): ProductValues => ({
  name: '',
  description: '',
  price_amount: '',
  currency,
  support_email: supportEmail,
  refund_policy: '',
  software_operating_environment: '',
  tokushoho_seller_name: '',
  tokushoho_contact: '',
  tokushoho_address: '',
  forbidden_category_acknowledged: usualIn('forbidden_category_acknowledged') === true,
  license_issuance_mode: String(usualIn('license_issuance_mode')),
  license_key_prefix: String(usualIn('license_key_prefix')),
  activation_limit: String(usualIn('activation_limit')),
  features: '',
  feature_labels: {},
  deactivation_allowed: usualIn('deactivation_allowed') === true,
  offline_days: String(usualIn('offline_days')),
  offline_file_days: String(usualIn('offline_file_days')),
  updates_days: '',
  max_quantity: String(usualIn('max_quantity')),
  tax_percent: String(usualIn('tax_percent')),
  'addition_prices.seat': '',
  'addition_prices.updates': '',
  upgrades_from: {},
});

/** What buyers see of it, or would. */
export function liveValues(product: Live): ProductValues {
  const { license_issuance_mode, updates_days, features = [], addition_prices: additions, currency } = product;
  const priced = (amount: number | undefined) => (amount === undefined ? '' : priceText(amount, currency));
  return {
    name: product.name,
    description: product.description ?? '',
    price_amount: priced(product.price_amount),
    currency,
    support_email: product.support_email ?? '',
    refund_policy: product.refund_policy ?? '',
    software_operating_environment: product.software_operating_environment ?? '',
    tokushoho_seller_name: product.tokushoho_seller_name ?? '',
    tokushoho_contact: product.tokushoho_contact ?? '',
    tokushoho_address: product.tokushoho_address ?? '',
    forbidden_category_acknowledged: product.forbidden_category_acknowledged ?? false,
    license_issuance_mode,
    license_key_prefix: product.license_key_prefix ?? '',
    activation_limit: String(product.activation_limit ?? ''),
    features: features.join('\n'),
    feature_labels: labelValues(product.feature_labels),
    deactivation_allowed: product.deactivation_allowed ?? false,
    offline_days: String(product.offline_days),
    offline_file_days: String(product.offline_file_days),
    updates_days: updates_days >= endlessUpdatesDays ? '' : String(updates_days),
    max_quantity: String(product.max_quantity),
    tax_percent: String(product.tax_percent),
    'addition_prices.seat': priced(additions.seat),
    'addition_prices.updates': priced(additions.updates),
    upgrades_from: Object.fromEntries(product.upgrades_from.map(({ product_id, price_amount }) => [product_id, priced(price_amount)])),
  };
}

/** What its seller last saved of it: the pending revision, where one waits. */
export function savedValues({ pending, ...live }: Product): ProductValues {
  return liveValues({ ...live, ...pending?.changes });
}

/** Whether buyers see something else than what its seller last saved. */
export const hasLive = ({ status }: Pick<Product, 'status'>): boolean => status === 'approved' || status === 'published';

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

/** `NaN` for what is not an amount in the currency, which `priceFault` tells of. */
function amountOf(text: string, currency: string): number {
  const price = readPrice(text, currency);
  return 'amount' in price ? price.amount : Number.NaN;
}

/**
 * What is sent to make the product, or to change the one whose form began with `base`. An optional text that nobody gave
 * is left out: sent empty it would count as changed.
 */
export function productBody(values: ProductValues, base?: ProductValues) {
  const labels = labelsOf(values);
  const { currency } = values;
  const [seat, updates] = [values['addition_prices.seat'].trim(), values['addition_prices.updates'].trim()];
  const tax_percent = taxPercents.find((percent) => String(percent) === values.tax_percent);
  const hasLabels = Object.keys(labels).length > 0 || (base !== undefined && Object.keys(base.feature_labels).length > 0);
  return {
    name: values.name,
    description: values.description,
    price_amount: amountOf(values.price_amount, currency),
    currency,
    support_email: values.support_email.trim(),
    refund_policy: values.refund_policy,
    software_operating_environment: values.software_operating_environment,
    ...given('tokushoho_seller_name', values, base),
    ...given('tokushoho_contact', values, base),
    ...given('tokushoho_address', values, base),
    forbidden_category_acknowledged: values.forbidden_category_acknowledged,
    ...(isIssuanceMode(values.license_issuance_mode) && { license_issuance_mode: values.license_issuance_mode }),
    license_key_prefix: values.license_key_prefix.trim(),
    activation_limit: wholeNumber(values.activation_limit),
    features: linesOf(values.features),
    ...(hasLabels && { feature_labels: labels }),
    deactivation_allowed: values.deactivation_allowed,
    offline_days: wholeNumber(values.offline_days),
    offline_file_days: wholeNumber(values.offline_file_days),
    updates_days: values.updates_days.trim() === '' ? endlessUpdatesDays : wholeNumber(values.updates_days),
    max_quantity: wholeNumber(values.max_quantity),
    ...(tax_percent !== undefined && { tax_percent }),
    addition_prices: { ...(seat && { seat: amountOf(seat, currency) }), ...(updates && { updates: amountOf(updates, currency) }) },
    upgrades_from: Object.entries(values.upgrades_from).flatMap(([product_id, price]) =>
      price.trim() ? [{ product_id, price_amount: amountOf(price, currency) }] : [],
    ),
  };
}

export const taxPercents = [0, 8, 10] as const;
export const issuanceModes = ['generated_server_validated', 'imported_csv'] as const;
const isIssuanceMode = (mode: string): mode is (typeof issuanceModes)[number] => issuanceModes.some((one) => one === mode);

function given<Name extends 'tokushoho_seller_name' | 'tokushoho_contact' | 'tokushoho_address'>(
  name: Name,
  values: ProductValues,
  base: ProductValues | undefined,
): { [Field in Name]?: string } {
  const text: { [Field in Name]?: string } = {};
  if (values[name] !== '' || (base?.[name] ?? '') !== '') text[name] = values[name];
  return text;
}

const numbers: readonly string[] = ['activation_limit', 'offline_days', 'offline_file_days', 'updates_days', 'max_quantity'];

/** Whether two values of a field of a product are sent alike. */
export const alikeInProduct: Alike = (field, one, other) => sameValue(sentValue(field, one), sentValue(field, other));

function sentValue(field: string, value: Parameters<Alike>[1]): Parameters<Alike>[1] {
  if (typeof value === 'string') {
    if (field === 'features') return linesOf(value);
    if (field === 'price_amount' || field.startsWith('addition_prices.')) return sentPrice(value);
    if (field === 'updates_days' && wholeNumber(value) === endlessUpdatesDays) return '';
    if (numbers.includes(field)) return Number.isNaN(wholeNumber(value)) ? value.trim() : String(wholeNumber(value));
  }
  if ((field === 'feature_labels' || field === 'upgrades_from') && typeof value === 'object') {
    const given = Object.entries<string>(value).filter(([, text]) => text.trim() !== '');
    return Object.fromEntries(given.map(([name, text]) => [name, field === 'upgrades_from' ? sentPrice(text) : text]));
  }
  return value;
}

const sentPrice = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\s|,(?=\d{3})/g, '')
    .replace(/\.0+$/, '');
