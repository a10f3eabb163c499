import type { BodyOf } from '../../api/call.ts';
import { fieldText } from '../../text/field-text.ts';

/** A product as admins see it. */
export type ReviewedProduct = BodyOf<'getProductForReview'>;

/** Everything that a seller writes of a product, in the order in which it is read. */
export const comparedFields = [
  'name',
  'description',
  'price_amount',
  'currency',
  'software_operating_environment',
  'support_email',
  'refund_policy',
  'tokushoho_seller_name',
  'tokushoho_address',
  'tokushoho_contact',
  'forbidden_category_acknowledged',
  'license_issuance_mode',
  'license_key_prefix',
  'activation_limit',
  'features',
  'feature_labels',
  'deactivation_allowed',
  'offline_days',
  'offline_file_days',
  'updates_days',
  'max_quantity',
  'addition_prices',
  'upgrades_from',
  'tax_percent',
] as const;
export type ComparedField = (typeof comparedFields)[number];

export type WrittenValues = Pick<ReviewedProduct, ComparedField>;

/** What the seller wrote, and what it is compared with. */
export interface Comparison {
  against: 'live' | 'decision' | 'nothing';
  before: WrittenValues;
  after: WrittenValues;
  /** The fields that differ, then the others. */
  fields: readonly ComparedField[];
  /** How many differ. */
  count: number;
}

/** What is to be decided on against what buyers see, and where nothing is live against what was decided on last. */
export function comparisonOf({ pending, last_decision, ...product }: Omit<ReviewedProduct, 'own' | 'seller' | 'files'>): Comparison {
  if (pending) return compared('live', product, { ...product, ...pending.changes });
  return last_decision ? compared('decision', last_decision.values, product) : compared('nothing', product, product);
}

function compared(against: Comparison['against'], before: WrittenValues, after: WrittenValues): Comparison {
  const differs = (field: ComparedField) => fieldText(before[field], String) !== fieldText(after[field], String);
  const changed = comparedFields.filter(differs);
  return { against, before, after, fields: [...changed, ...comparedFields.filter((field) => !differs(field))], count: changed.length };
}
