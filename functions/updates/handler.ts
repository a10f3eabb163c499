import { createSignedDynamo } from '../../shared/db/dynamo/signed-dynamo.ts';
import { licenseKey } from '../../shared/db/keys.ts';
import { createTable } from '../../shared/db/table.ts';
import { findDownloadSigner } from '../../shared/product-files/storage/download-signer.ts';
import { startFunction } from '../../shared/start-function.ts';
import { compose } from './compose.ts';
import { settingNames } from './declaration.ts';

export const handler = startFunction('updates', settingNames, (settings, logger) => {
  const table = createTable({ tableName: settings.TABLE_NAME, dynamo: createSignedDynamo() });
  const downloadSigner = findDownloadSigner(settings.BUCKET_NAME);
  // Nobody's license: the connection is made before somebody waits for it.
  return Object.assign(compose({ settings, logger, table, downloadSigner }), { prime: () => table.batchGet([licenseKey('')]) });
});
