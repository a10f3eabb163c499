import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { type FunctionDefinition, findFunctions } from '../../infra/bundles/find-functions.ts';
import { addService } from '../../infra/stacks/service.ts';

const { context } = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'cdk.json'), 'utf8'));

/** What an operator has to give, and nothing more. */
export const operatorSettings = {
  AUTH_MODE: 'oidc',
  ADMIN_ALLOWLIST: 'sub:admin-1',
  OIDC_ISSUER: 'https://id.example.com',
  OIDC_AUDIENCE: 'licenses',
  PUBLIC_BASE_URL: 'https://licenses.example.com',
  MAIL_FROM: 'licenses@example.com',
};

/** The app at a stage, without its code, and the template of each stack. */
export async function synthesizeAt(
  stage: string,
  settings: Record<string, string | undefined> = operatorSettings,
  change: (functions: FunctionDefinition[]) => FunctionDefinition[] = (functions) => functions,
) {
  const app = new App({ context });
  const functions = change(await findFunctions());
  const stacks = addService(app, { functions, bundles: new Map(), stage, operator: { ...settings, STAGE: stage } });
  const { data, api, workers, operations } = stacks;
  return {
    app,
    functions,
    stacks,
    templates: {
      data: Template.fromStack(data),
      api: Template.fromStack(api),
      workers: Template.fromStack(workers),
      operations: Template.fromStack(operations),
    },
  };
}
