import { createTable } from '../../shared/db/table.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createLicenseRepository } from '../../shared/licenses/license-repository.ts';
import { createRuntimeService } from '../../shared/licenses/runtime-service.ts';
import { startFunction } from '../../shared/start-function.ts';
import { settingNames } from './env.ts';
import { routes } from './routes.ts';

export const handler = startFunction('licenses', settingNames, (settings, logger) => {
  const table = createTable({ tableName: settings.TABLE_NAME });
  const services = createRuntimeService({ table, licenses: createLicenseRepository({ table }), peppers: settings.LICENSE_PEPPERS });
  return createHandler({ routes, services, logger });
});
