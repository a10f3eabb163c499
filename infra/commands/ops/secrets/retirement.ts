import { listLicensesUnder, listMovingLicenses } from '../../../../shared/licenses/rekeying/license-move-repository.ts';
import { listReplacedKeysUnder } from '../../../../shared/licenses/replaced-key-repository.ts';
import { findTable } from '../targets.ts';
import type { SecretName } from './secret-values.ts';

const day = 24 * 3600;

/** In seconds, how long something that was made with a key may be shown to us after another key came into use. */
export const maxUseSeconds: Partial<Record<SecretName, number>> = {
  // A link in a mail lasts a day, that of a checkout until an hour after its session, which itself lasts a day at most.
  TOKEN_KEYS: 2 * day,
  // A file for a device without network.
  LEASE_KEYS: 366 * day,
};

/**
 * Refuses where something can never be found or read again without the key.
 *
 * @throws Error saying what is there
 */
export async function requireUnused(name: SecretName, version: string): Promise<void> {
  if (name === 'ENCRYPTION_KEYS') {
    throw new Error(`${name} keeps ${version}: what is sealed with it cannot be sealed again, and would never be read.`);
  }
  if (name !== 'LICENSE_PEPPERS') return;
  const table = await findTable();

  const first = { limit: 1 };
  const left = await Promise.all([
    listLicensesUnder(table, version, first),
    listMovingLicenses(table, first),
    listReplacedKeysUnder(table, version, first),
  ]);
  if (left.some(({ items }) => items.length > 0)) {
    throw new Error(`${name} keeps ${version}: there are licenses under it. Run rekey until nothing is left.`);
  }
}
