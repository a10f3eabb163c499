import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose } from '../../../functions/docs/compose.ts';
import { settingNames } from '../../../functions/docs/declaration.ts';
import { readSite } from '../../../functions/docs/site.ts';
import { buildDocsSite } from '../../../infra/documents/site/build-site.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import { sampleSettings } from '../samples/sample-settings.ts';

/** The function of the documentation, with the site as it is built for the service. */
export async function composeDocs(): Promise<ReturnType<typeof compose>> {
  const folder = await mkdtemp(join(tmpdir(), 'docs-site-'));
  try {
    await buildDocsSite(folder);
    return compose({ settings: sampleSettings(settingNames), logger: createLogger({}, () => undefined), site: readSite(folder) });
  } finally {
    await rm(folder, { recursive: true });
  }
}
