import { App } from 'aws-cdk-lib';
import { ConfigError } from '../shared/config.ts';
import { findFunctions } from './functions.ts';
import { addService } from './service.ts';

try {
  const app = new App();
  addService(app, { functions: await findFunctions(), stage: process.env['STAGE'] || 'local', operator: process.env });
  app.synth();
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
