import type { Composition } from '../../shared/function-parts.ts';
import { usersBy } from '../../shared/http/create-authenticate.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createReleaseService } from '../../shared/publishing/release-service.ts';
import type { settingNames } from './declaration.ts';
import { routes } from './routes.ts';

/** The endpoints with which sellers and their build machines bring releases out. */
export function compose({ settings, logger, table, now }: Composition<typeof settingNames, 'table'>) {
  const { DISCARD_AFTER_HOURS: discardAfterHours, REVIEW_DUE_HOURS: reviewDueHours } = settings;
  return createHandler({
    routes,
    services: { releases: createReleaseService({ table, discardAfterHours, reviewDueHours, now }) },
    logger,
    ...usersBy(settings, { table, now }),
  });
}
