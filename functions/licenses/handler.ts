import { createSignedDynamo } from '../../shared/db/dynamo/signed-dynamo.ts';
import { licenseKey } from '../../shared/db/keys.ts';
import { createTable } from '../../shared/db/table.ts';
import { startFunction } from '../../shared/start-function.ts';
import { compose } from './compose.ts';
import { settingNames } from './declaration.ts';

export const handler = startFunction('licenses', settingNames, (settings, logger) => {
  const table = createTable({ tableName: settings.TABLE_NAME, dynamo: createSignedDynamo() });
  // A nonexistent license: opens the connection before a caller waits for it.
  return Object.assign(compose({ settings, logger, table }), { prime: () => table.batchGet([licenseKey('')]) });
});
