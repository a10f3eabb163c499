import { createLeaseIssuer } from '../../../../shared/leases/lease.ts';
import { mintUpdateTicket } from '../../../../shared/leases/update-ticket.ts';
import type { License } from '../../../../shared/licenses/license.ts';
import { issueTestLicense } from '../../samples/licenses.ts';
import { sampleSignature, startReleaseHarness } from './release-harness.ts';

type Body = Record<string, unknown>;

/** A full for Windows on x64 that is in every feed that can be served by one file. */
export const windowsFull = (version: string): Body => ({
  platform: 'windows',
  arch: 'x64',
  kind: 'full',
  feeds: ['appcast', 'tauri', 'velopack'],
  build: version.replace(/-.*/, ''),
  package_id: 'Lumen',
  ed25519_signature: sampleSignature,
  minisign_signature: sampleSignature,
});

/** Releases over their engines, with the function that updaters call. */
export async function startUpdateScene({ environment = {}, ...engines }: Parameters<typeof startReleaseHarness>[0] = {}) {
  const unlimited = { RATE_LIMIT_UPDATES: '0', RATE_LIMIT_UPDATE_DOWNLOAD: '0' };
  const harness = await startReleaseHarness({ ...engines, environment: { ...unlimited, ...environment } });
  const { table, product, files } = harness;
  const { settings, service } = files;
  const issueLease = createLeaseIssuer({ keys: settings.LEASE_KEYS, issuer: settings.PUBLIC_BASE_URL });

  return {
    ...harness,
    settings,
    call: service,
    /** As another instance of the function would answer. */
    callAnew: files.openService(),
    base: `/v1/updates/${product.id}`,

    license: async (facts: Partial<License> = {}) =>
      (await issueTestLicense(table, { productId: product.id, sellerId: product.sellerId, ...facts })).license,
    ticketOf: (license: License, device = 'laptop') => mintUpdateTicket(settings.TOKEN_KEYS, license, device, files.now()).ticket,
    leaseOf: (license: License, kind: 'online' | 'offline' = 'online') =>
      issueLease({ kind, days: 14, license, deviceFingerprint: 'laptop' }, files.now()),

    /** A release for Windows with one file, which has these bytes. */
    async windows(version: string, { bytes, ...body }: Body & { bytes?: Uint8Array } = {}) {
      const fileId = await harness.cleanFile(`Lumen-${version}-full.nupkg`, bytes);
      return harness.published(version, { artifacts: [{ ...windowsFull(version), file_id: fileId }], ...body });
    },
  };
}
export type UpdateScene = Awaited<ReturnType<typeof startUpdateScene>>;
