import type { Needs } from '../context.ts';
import type { ProductId } from '../ids.ts';
import { licenseLookups } from './license-lookup.ts';
import { findTakenLookups } from './license-repository.ts';

/** Those of the normalized keys that a license of the product has, whatever its status. Looks under every pepper, 100 lookups a request. */
export async function findIssuedKeys(c: Needs<'table' | 'LICENSE_PEPPERS'>, productId: ProductId, normalizedKeys: readonly string[]) {
  const keyOfLookup = new Map(
    normalizedKeys.flatMap((key) => licenseLookups(productId, key, c.settings.LICENSE_PEPPERS).map((lookup) => [lookup, key])),
  );
  const taken = await findTakenLookups(c.table, [...keyOfLookup.keys()]);
  return new Set(taken.map((lookup) => keyOfLookup.get(lookup) ?? ''));
}
