import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { ConfigError } from '../shared/config.ts';
import { bundleFunctions, bundleIndexFile, discardBundles } from './bundles/bundle-functions.ts';
import { findFunctions } from './bundles/find-functions.ts';
import { addService } from './service.ts';

try {
  const app = new App();
  const functions = await findFunctions();
  const bundles = await bundleFunctions(functions);
  addService(app, { functions, bundles, stage: process.env['STAGE'] || 'local', operator: process.env });
  const { directory } = app.synth();
  writeFileSync(join(directory, bundleIndexFile), JSON.stringify(Object.fromEntries(bundles)));
  discardBundles(bundles);
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
