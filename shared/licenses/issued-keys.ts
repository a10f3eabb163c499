import type { Keyring } from '../crypto/keyring.ts';
import type { ProductId } from '../ids.ts';
import { licenseLookups } from './license-lookup.ts';
import type { LicenseRepository } from './license-repository.ts';

/** Those of the normalized keys that a license of the product has, whatever its status. */
export type FindIssuedKeys = (productId: ProductId, normalizedKeys: readonly string[]) => Promise<Set<string>>;

/** How many items one request reads. */
const lookupsAtATime = 100;

/** Looks under every pepper, 100 lookups a request. */
export function createFindIssuedKeys(options: { licenses: Pick<LicenseRepository, 'findTakenLookups'>; peppers: Keyring }): FindIssuedKeys {
  const { licenses, peppers } = options;

  return async (productId, normalizedKeys) => {
    const keyOfLookup = new Map(normalizedKeys.flatMap((key) => licenseLookups(productId, key, peppers).map((lookup) => [lookup, key])));
    const lookups = [...keyOfLookup.keys()];
    const issued = new Set<string>();
    for (let at = 0; at < lookups.length; at += lookupsAtATime) {
      for (const lookup of await licenses.findTakenLookups(lookups.slice(at, at + lookupsAtATime))) {
        issued.add(keyOfLookup.get(lookup) ?? '');
      }
    }
    return issued;
  };
}
