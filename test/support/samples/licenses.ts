import { createHash, randomBytes } from 'node:crypto';
import { Keyring } from '../../../shared/crypto/keyring.ts';
import type { Table } from '../../../shared/db/table.ts';
import { newId } from '../../../shared/ids.ts';
import type { License } from '../../../shared/licenses/license.ts';
import { addLicense } from '../../../shared/licenses/license-repository.ts';
import { newLicense } from '../../../shared/licenses/new-license.ts';
import { generateLicenseKey } from '../../../shared/text/license-key.ts';

/** A keyring of these versions as a setting, the current one first; the same version is always the same secret. */
export const keyringText = (...versions: string[]) =>
  versions.map((version) => `${version}:${createHash('sha256').update(version).digest('base64url')}`).join();

export const keyringOf = (...versions: string[]) => Keyring.parse(keyringText(...versions));

export const encryptionKeys = keyringOf('e1');

type LicenseFacts = Partial<License> & { key?: string; peppers?: Keyring };

/** A license as it would be stored had it been bought, and its key. */
export function sampleLicense({ key = generateLicenseKey('LIC1', randomBytes), peppers = keyringOf('1'), ...facts }: LicenseFacts = {}): {
  key: string;
  license: License;
} {
  const terms = {
    id: newId('license'),
    orderId: newId('order'),
    productId: newId('product'),
    sellerId: newId('seller'),
    licenseIssuanceMode: 'generated_server_validated' as const,
    activationLimit: 2,
    features: ['pro'],
    deactivationAllowed: true,
    offlineDays: 14,
    offlineFileDays: 0,
    issuedAt: '2026-01-31T09:00:00.000Z',
    ...facts,
  };
  return { key, license: { ...newLicense(terms, key, { peppers, encryptionKeys }), ...facts } };
}

/** A license on the table, as if it had been bought. */
export async function issueTestLicense(table: Table, facts: LicenseFacts = {}): Promise<{ key: string; license: License }> {
  const sample = sampleLicense(facts);
  await table.transact(addLicense(sample.license));
  return sample;
}
