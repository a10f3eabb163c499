import type { Composition } from '../../shared/function-parts.ts';
import { callersBy } from '../../shared/http/caller-address.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createMemoryRateLimit, createTableRateLimit } from '../../shared/http/rate-limit.ts';
import { createProofVerifier } from '../../shared/leases/update-proof.ts';
import type { ObjectStore } from '../../shared/product-files/object-store.ts';
import { createUpdateDownloads } from '../../shared/updates/update-downloads.ts';
import { createUpdateService } from '../../shared/updates/update-service.ts';
import type { settingNames } from './declaration.ts';
import { routes } from './routes.ts';

interface Signing {
  /** Absent where no bucket is configured. */
  store: Pick<ObjectStore, 'presignDownload'> | undefined;
}

/** The feeds of apps' updaters, and what leads to the files in them. */
export function compose({ settings, logger, table, store, now }: Composition<typeof settingNames, 'table'> & Signing) {
  const { LEASE_KEYS: leaseKeys, TOKEN_KEYS: ticketKeys, PUBLIC_BASE_URL: publicBaseUrl } = settings;
  const verifyProof = createProofVerifier({ leaseKeys, ticketKeys, issuer: publicBaseUrl });
  const limitChecks = createMemoryRateLimit({ perWindow: { updates: settings.RATE_LIMIT_UPDATES }, now });
  const limitDownloads = createTableRateLimit({ table, perWindow: { 'update-downloads': settings.RATE_LIMIT_UPDATE_DOWNLOAD }, now });
  return createHandler({
    routes,
    services: {
      updates: createUpdateService({
        table,
        verifyProof,
        limitChecks: (licenseId) => limitChecks('updates', licenseId),
        publicBaseUrl,
        now,
      }),
      downloads: createUpdateDownloads({
        table,
        verifyProof,
        store,
        urlSeconds: settings.UPDATE_URL_SECONDS,
        limitDownloads: (licenseId, activationLimit) => limitDownloads('update-downloads', licenseId, 4 * activationLimit),
        now,
      }),
    },
    logger,
    ...callersBy(settings),
  });
}
