import type { Keyring } from '../crypto/keyring.ts';
import type { Table } from '../db/table.ts';
import type { ProductId } from '../ids.ts';
import { licenseLookups } from './license-lookup.ts';
import { createLicenseRepository } from './license-repository.ts';

/** Those of the normalized keys that a license of the product has, whatever its status. */
export type FindIssuedKeys = (productId: ProductId, normalizedKeys: readonly string[]) => Promise<Set<string>>;

/** Looks under every pepper, 100 lookups a request. */
export function createFindIssuedKeys({ table, peppers }: { table: Table; peppers: Keyring }): FindIssuedKeys {
  const licenses = createLicenseRepository({ table });

  return async (productId, normalizedKeys) => {
    const keyOfLookup = new Map(normalizedKeys.flatMap((key) => licenseLookups(productId, key, peppers).map((lookup) => [lookup, key])));
    const taken = await licenses.findTakenLookups([...keyOfLookup.keys()]);
    return new Set(taken.map((lookup) => keyOfLookup.get(lookup) ?? ''));
  };
}
