import type * as keys from '../../../../shared/db/keys.ts';
import { discountRules } from './discount-rules.ts';
import { licenseRules } from './license-rules.ts';
import { orderRules } from './order-rules.ts';
import { productRules } from './product-rules.ts';
import { releaseRules } from './release-rules.ts';
import { keyPrefixOf, type Rule } from './rule.ts';
import { sellerRules } from './seller-rules.ts';
import { workRules } from './work-rules.ts';

type Keys = typeof keys;
/** The functions that make the key of an item: each stands for a kind of item, and each kind has a rule. */
type KindOfKey = { [Name in keyof Keys]: Keys[Name] extends (...args: never[]) => keys.Key ? Name : never }[keyof Keys];

/** What must hold of each kind of item, by the name of the function that makes its key. */
export const rules: Readonly<Record<KindOfKey, Rule>> = {
  ...sellerRules,
  ...productRules,
  ...releaseRules,
  ...orderRules,
  ...discountRules,
  ...licenseRules,
  ...workRules,
};

const shapeOf = (pk: string, sk: string) => `${keyPrefixOf(pk)} ${sk}`;
const kinds = new Map(Object.entries(rules).map(([name, rule]) => [shapeOf(rule.sample.pk, keyPrefixOf(rule.sample.sk)), { name, rule }]));

export interface Kind {
  name: string;
  rule: Rule;
}

/** The kind of an item by its key; undefined of one that no version made. A sort key without a name of its kind begins with a time. */
export function itemKindOf({ pk, sk }: Record<string, unknown>): Kind | undefined {
  return kinds.get(shapeOf(String(pk), keyPrefixOf(String(sk)))) ?? kinds.get(shapeOf(String(pk), '#'));
}

/** The name of a kind in words. */
export const wordsOf = (name: string) => name.replace(/Key$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
