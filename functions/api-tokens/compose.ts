import { createApiTokenService } from '../../shared/api-tokens/api-token-service.ts';
import type { Composition } from '../../shared/function-parts.ts';
import { usersBy } from '../../shared/http/create-authenticate.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import type { settingNames } from './declaration.ts';
import { routes } from './routes.ts';

/** The endpoints with which sellers make and revoke the tokens of their build machines. */
export function compose({ settings, logger, table, sender, now }: Composition<typeof settingNames, 'table' | 'sender'>) {
  return createHandler({
    routes,
    services: { apiTokens: createApiTokenService({ table, sendJob: sender.sendJob, now }) },
    logger,
    ...usersBy(settings, { table, now }),
  });
}
