import type { Composition } from '../../shared/function-parts.ts';
import { usersBy } from '../../shared/http/create-authenticate.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createTestKeyService } from '../../shared/licenses/test-keys/test-key-service.ts';
import type { settingNames } from './declaration.ts';
import { routes } from './routes.ts';

/** The endpoints with which sellers mint keys to try their apps with. */
export function compose({ settings, logger, table, now }: Composition<typeof settingNames, 'table'>) {
  const { LICENSE_PEPPERS: peppers, ENCRYPTION_KEYS: encryptionKeys } = settings;
  return createHandler({
    routes,
    services: { testKeys: createTestKeyService({ table, peppers, encryptionKeys, now }) },
    logger,
    ...usersBy(settings, { table, now }),
  });
}
