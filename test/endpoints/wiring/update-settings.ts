import { releaseKey } from '../../../shared/db/keys.ts';
import { newId } from '../../../shared/ids.ts';
import { createLeaseIssuer } from '../../../shared/leases/lease.ts';
import { mintUpdateTicket } from '../../../shared/leases/update-ticket.ts';
import { artifactFileOf } from '../../../shared/product-files/product-file.ts';
import { leaseKeysOf } from '../../support/samples/leases.ts';
import { issueTestLicense, keyringOf, keyringText } from '../../support/samples/licenses.ts';
import { otherBucket } from '../../support/scenes/marketplace.ts';
import { type Call, countUntilLimited, d, type Effect, refusals, shows, stage, table, twice } from './setting-effects.ts';

const place = 'check/stable/windows/x64';
const addressOf = (path: string, license = d.own.license) =>
  `/v1/updates/${license.productId}/${mintUpdateTicket(keyringOf('t1'), license, 'desk', new Date()).ticket}/${path}`;
const codeOf = async (call: Call, target: string, headers: Record<string, string> = {}) =>
  (await call('GET', target, { headers })).json.code;
const checked = (call: Call) => codeOf(call, addressOf(place));

/** By a lease, which says who signed it. */
const leased = (call: Call) => {
  const { license } = d.own;
  const issueLease = createLeaseIssuer({ keys: leaseKeysOf('l1'), issuer: 'https://shop.example' });
  const lease = issueLease({ kind: 'online', days: 1, license, deviceFingerprint: 'desk' }, new Date());
  return codeOf(call, `/v1/updates/${license.productId}/-/${place}`, { 'X-License-Lease': lease });
};

/** Where the file of a published release is downloaded by a license that did not do so before. */
async function download(): Promise<string> {
  const { product, seller } = d.own;
  const file = await d.addFile(product, {
    purpose: 'release',
    status: 'approved',
    visibility: 'buyer_visible',
    hashStatus: 'verified',
    scanTrustedClean: true,
  });
  const { license } = await issueTestLicense(d.table, { productId: product.id, sellerId: seller.id });
  const at = '2026-02-01T09:00:00.000Z';
  const release = {
    id: newId('release'),
    productId: product.id,
    sellerId: seller.id,
    version: '1.0.0',
    channel: 'stable',
    notes: '',
    status: 'published',
    critical: false,
    publishOnApproval: false,
    requiresFeatures: [],
    createdAt: at,
    publishedAt: at,
    revision: 1,
    artifacts: [{ fileId: file.id, platform: 'windows', arch: 'x64', kind: 'full' }],
    files: { [file.id]: artifactFileOf(file) },
  };
  await d.table.write({ put: { Item: { ...releaseKey(product.id, release.version), ...release } } });
  return addressOf(`files/1.0.0/windows-x64/${file.fileName}`, license);
}
const locationOf = async (call: Call) => new URL((await call('GET', await download())).headers['location'] ?? 'none:');

/** What each setting of the updates function changes. */
export const updateEffects: Record<string, Effect> = {
  STAGE: stage,
  ...refusals((call, options) => twice('GET', addressOf(place))(call, options), { RATE_LIMIT_UPDATES: '1' }),
  TABLE_NAME: table(checked, 'no_release', 'product_not_found'),
  BUCKET_NAME: shows(async (call) => (await locationOf(call)).pathname.split('/')[1] ?? '', {
    default: 'files',
    [otherBucket]: otherBucket,
  }),
  UPDATE_URL_SECONDS: shows(async (call) => (await locationOf(call)).searchParams.get('X-Amz-Expires'), { default: '900', '60': '60' }),
  PUBLIC_BASE_URL: shows(leased, { default: 'no_release', 'https://other.example': 'proof_invalid' }),
  LEASE_KEYS: shows(leased, { default: 'no_release', [keyringText('l2')]: 'proof_invalid', [keyringText('l2', 'l1')]: 'no_release' }),
  TOKEN_KEYS: shows(checked, { default: 'no_release', [keyringText('t2')]: 'proof_invalid', [keyringText('t2', 't1')]: 'no_release' }),
  RATE_LIMIT_UPDATES: shows((call) => countUntilLimited(call, 'GET', addressOf(place)), {
    2: 2,
    3: 3,
    default: 60,
    0: Number.POSITIVE_INFINITY,
  }),
  RATE_LIMIT_UPDATE_DOWNLOAD: shows(async (call) => countUntilLimited(call, 'GET', await download()), {
    1: 9,
    2: 10,
    default: 68,
    0: Number.POSITIVE_INFINITY,
  }),
};
