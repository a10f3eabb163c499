import * as z from 'zod/mini';
import * as keys from '../../../../shared/db/keys.ts';
import { discountRules } from './discount-rules.ts';
import { licenseRules } from './license-rules.ts';
import { orderRules } from './order-rules.ts';
import { productRules } from './product-rules.ts';
import { releaseRules } from './release-rules.ts';
import { keyPrefixOf, type Place, type Rule } from './rule.ts';
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

const Key = z.object({ pk: z.string(), sk: z.string() });
const kinds = new Map(
  Object.entries(rules).map(([name, rule]) => {
    // With empty ids a key is what all keys of its kind begin with.
    const empty = Key.parse(Reflect.apply(Reflect.get(keys, name), undefined, ['', '', '']));
    const [pk, sk] = [keyPrefixOf(empty.pk), keyPrefixOf(empty.sk)];
    const placeOf = (item: Record<string, unknown>): Place => ({
      owner: String(item['pk']).slice(pk.length),
      own: String(item['sk']).slice(sk.length),
    });
    return [`${pk} ${sk}`, { name, rule, placeOf }];
  }),
);

/** The kind of an item by its key; undefined of one that no version made. A sort key without a name of its kind begins with a time. */
export function itemKindOf(item: Record<string, unknown>) {
  const [pk, sk] = [keyPrefixOf(String(item['pk'])), keyPrefixOf(String(item['sk']))];
  return kinds.get(`${pk} ${sk}`) ?? kinds.get(`${pk} #`);
}

/** The name of a kind in words. */
export const wordsOf = (name: string) => name.replace(/Key$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
