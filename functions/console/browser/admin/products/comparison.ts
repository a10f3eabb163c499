import { reviewedFields } from 'console:product-fields';
import type { BodyOf } from '../../api/call.ts';
import { fieldText } from '../../text/field-text.ts';

/** A product as admins see it. */
export type ReviewedProduct = BodyOf<'getProductForReview'>;

export type ComparedField = keyof typeof reviewedFields;

/** Everything that a seller writes of a product, in the order in which it is read: last the tax, which is within all prices. */
export const comparedFields = Object.keys(reviewedFields)
  .filter((name): name is ComparedField => name in reviewedFields)
  .toSorted((one, other) => Number(one === 'tax_percent') - Number(other === 'tax_percent'));

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
